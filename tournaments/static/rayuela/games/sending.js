// A request that is repeated until it is answered. A key in it makes the repetitions one move.

const PATIENCE_MS = 15_000; // a wire that was cut without a word never answers
const LONGEST_PAUSE_MS = 8000;

/**
 * The answer to `body`, posted to `url` again and again until there is one. `lost(tries)` is called after each post
 * without an answer; null once it returns false.
 */
export async function postUntilAnswered(url, body, lost) {
  for (let tries = 1; ; tries += 1) {
    const response = await answerTo(url, body);
    if (response) return response;
    if (!lost(tries)) return null;
    await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** tries));
  }
}

/** The answer of the service; null when none came, or one of a service that is away or too busy at this moment. */
export async function answerTo(url, body) {
  try {
    const headers = { Accept: "application/json" };
    const response = await fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    // A busy machine says 429 in plain text; a limit says in JSON which one it is, and for how long.
    const isLimit = (response.headers.get("Content-Type") ?? "").includes("json");
    return response.status > 500 || (response.status === 429 && !isLimit) ? null : response;
  } catch {
    return null;
  }
}

/** Wait, but no longer than the connection is away. */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const signs = [[window, "online"], [document, "rayuela:connected"]];
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      for (const [where, sign] of signs) where.removeEventListener(sign, done);
      resolve();
    }
    for (const [where, sign] of signs) where.addEventListener(sign, done);
  });
}
