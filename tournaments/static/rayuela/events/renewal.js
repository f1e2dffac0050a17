// Pages without a fragment of their own take their part from the whole page again.

import { follow } from "../base/live.js";

// Several pieces of news come together, such as the last result of a round and its end.
const PATIENCE_MS = 500;

/** Call `onNews` some time after each piece of an event's news to which `element` listens. */
export function followEvent(element, onNews) {
  let waiting = 0;
  return follow(element, () => {
    clearTimeout(waiting);
    waiting = setTimeout(onNews, PATIENCE_MS);
  });
}

/** A function that shows in the element of that id what the page says now, and calls `done` with the element. */
export function renewer(id, done = () => {}) {
  return async function renew() {
    try {
      const response = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
      old.replaceWith(fresh);
      done(fresh);
    } catch {
      // The connection is gone; its return renews the page.
    }
  };
}
