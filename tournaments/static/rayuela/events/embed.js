// Standings in a frame on somebody's page, drawn afresh when a result or a round changes them.

import { followEvent, renewer } from "./renewal.js";

const standings = document.getElementById("standings");
followEvent(standings, renewer("standings"));
