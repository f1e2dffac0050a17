// Keys by which the server knows a form that is sent again.

/** A key that nothing else has. Not randomUUID: browsers have it under https and on this machine only. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36)).join("-");
}
