// The page of an SPRT test or a gauntlet is drawn afresh when a pair has counted and when it is over.

import { follow, refresher } from "../base/live.js";

const section = document.querySelector("[data-live]");
const refresh = refresher(section, () => section.dataset.live);
follow(section, refresh);
