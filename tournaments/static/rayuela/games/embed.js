// A game in a frame on somebody's page: the replay, and the moves as they come.

import { follow, refresher } from "../base/live.js";
import { Parts } from "../base/parts.js";
import { Replay } from "./replay.js";

const root = document.getElementById("game");
const parts = new Parts(root);
const replay = new Replay(root, () => refresh());
const refresh = refresher(root, () => root.dataset.live + location.search, (html) => {
  parts.renew(html);
  replay.update();
});

follow(root, () => refresh());
