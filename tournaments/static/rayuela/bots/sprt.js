// The page of an SPRT test is drawn afresh when a pair has counted and when the test is decided.

import { follow, refresher } from "../base/live.js";

const shown = document.getElementById("sprt-test");
const refresh = refresher(shown, () => shown.dataset.live);
follow(shown.dataset.stream, ["pair", "verdict"], refresh);
