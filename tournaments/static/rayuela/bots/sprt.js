// A sprt_test's page is drawn afresh when a pair has counted and when the sprt_test is decided.

import { follow, refresher } from "../base/live.js";

const shown = document.getElementById("sprt-test");
const refresh = refresher(shown, () => shown.dataset.live);
follow(shown.dataset.stream, ["pair", "verdict"], refresh);
