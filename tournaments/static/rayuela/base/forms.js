// Forms of a page that is come back to may have the keys of its last visit: what is sent from it now is meant anew.

import { newKey } from "./keys.js";

addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("input[name=form_key]")) field.value = newKey();
});
