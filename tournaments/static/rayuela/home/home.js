// The boards on the front page follow their games; a busy moment is drawn once.

import { follow, refresher } from "../base/live.js";

const boards = document.getElementById("live-boards");
const refresh = refresher(boards, () => boards.dataset.live);

let waiting = 0;
follow(boards, () => {
  if (waiting || document.hidden) return;
  waiting = setTimeout(() => {
    waiting = 0;
    refresh();
  }, 400);
});
