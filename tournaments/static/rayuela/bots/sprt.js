// The page of an SPRT test or a gauntlet is drawn afresh when a pair has counted and when it is over.

import { follow, refresher } from "../base/live.js";

const shown = document.querySelector("[data-live]");
const refresh = refresher(shown, () => shown.dataset.live);
follow(shown.dataset.stream, ["pair", "verdict", "end"], refresh);
