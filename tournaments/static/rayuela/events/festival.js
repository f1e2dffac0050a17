// The sections of a festival, drawn afresh when an entry, a round or a result changes them.

import { followEvent, renewer } from "./renewal.js";

const sections = document.getElementById("sections");
const renew = renewer("sections");

followEvent(sections, () => {
  // A visitor types an access code there.
  if (!document.getElementById("sections").contains(document.activeElement)) renew();
});
