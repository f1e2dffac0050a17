// How long somebody has looked at a position. The server gives back what the rest of the turn was a move's way, up to a bound.

let position = "";
let since = 0;

/** The position that is drawn now; the same one drawn again is not a new one. */
export function look(now) {
  if (now === position) return;
  position = now;
  since = performance.now();
}

/** Milliseconds since then. */
export function thought() {
  return Math.round(performance.now() - since);
}
