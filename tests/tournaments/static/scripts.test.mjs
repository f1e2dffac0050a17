// The modules that need no page, tried without a browser: `node --test tests/tournaments/static/`.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

const STATIC = new URL("../../../tournaments/static/rayuela/", import.meta.url);
const load = (path) => import(new URL(path, STATIC).href);
const { follow, refresher } = await load("base/live.js");
const { refusalIn } = await load("base/refusals.js");
const { runClocks } = await load("games/clocks.js");
const { newKey } = await load("base/keys.js");
const { answerTo, postUntilAnswered } = await load("games/sending.js");
const { playSound } = await load("games/sounds.js");
const { look, thought } = await load("games/thinking.js");

const real = { fetch: globalThis.fetch, setInterval: globalThis.setInterval, now: performance.now };

afterEach(() => {
  globalThis.fetch = real.fetch;
  globalThis.setInterval = real.setInterval;
  performance.now = real.now;
});

function answer(text, { ok = true, type = "text/html" } = {}) {
  return new Response(text, { status: ok ? 200 : 500, statusText: "Broken", headers: { "Content-Type": type } });
}

test("a limit is an answer with words, and a busy machine is none", async () => {
  const answers = [
    new Response('{"code": "too-many"}', { status: 429, headers: { "Content-Type": "application/json" } }),
    new Response("Busy, try again in 1 s.", { status: 429, headers: { "Content-Type": "text/plain" } }),
  ];
  globalThis.fetch = async () => answers.shift();
  assert.equal((await refusalIn(await answerTo("/", {}))).code, "too-many");
  assert.equal(await answerTo("/", {}), null);
});

test("calls that come while a part is fetched are joined into one more", async () => {
  let fetches = 0;
  const gates = [];
  globalThis.fetch = () => {
    fetches += 1;
    return new Promise((resolve) => gates.push(resolve));
  };
  const element = {};
  const refresh = refresher(element, () => "/part/");
  const first = refresh();
  await Promise.all([refresh(), refresh(), refresh()]);
  assert.equal(fetches, 1);
  gates[0](answer("old"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(fetches, 2);
  gates[1](answer("new"));
  await first;
  assert.equal(element.innerHTML, "new");
});

test("a part that cannot be fetched stays, and is fetched again when asked", async () => {
  const element = { innerHTML: "old" };
  const refresh = refresher(element, () => "/part/");
  globalThis.fetch = () => Promise.reject(new TypeError("no connection"));
  await refresh();
  globalThis.fetch = async () => answer("error page", { ok: false });
  await refresh();
  assert.equal(element.innerHTML, "old");
  globalThis.fetch = async () => answer("new");
  await refresh();
  assert.equal(element.innerHTML, "new");
});

test("a stream tells of its return once, and polls where it is refused", () => {
  const sources = [];
  globalThis.EventSource = class extends EventTarget {
    static CLOSED = 2;
    readyState = 1;
    constructor(url) {
      super();
      this.url = url;
      sources.push(this);
    }
  };
  globalThis.document = { documentElement: { dataset: {} } };
  const polls = [];
  globalThis.setInterval = (call, ms) => polls.push([call, ms]);
  const news = [];
  follow({ dataset: { stream: "/stream/?t=site", kinds: "game" } }, (kind, data) => news.push([kind, data]));
  const [source] = sources;
  source.dispatchEvent(new Event("open"));
  assert.deepEqual(news, []);
  source.dispatchEvent(new MessageEvent("game", { data: '{"ply": 3}' }));
  source.dispatchEvent(new Event("error"));
  assert.equal(document.documentElement.dataset.connection, "lost");
  assert.equal(polls.length, 0);
  source.dispatchEvent(new Event("open"));
  assert.equal(document.documentElement.dataset.connection, "open");
  assert.deepEqual(news, [["game", { ply: 3 }], ["reconnected", {}]]);
  source.readyState = 2;
  source.dispatchEvent(new Event("error"));
  const [[poll, ms]] = polls;
  poll();
  assert.equal(ms, 5000);
  assert.deepEqual(news.at(-1), ["poll", {}]);
});

test("a refusal is read from JSON, and any other answer is named by its status", async () => {
  const body = JSON.stringify({ code: "illegal-move", sentence: "The rules do not allow this move." });
  const refusal = await refusalIn(answer(body, { type: "application/json" }));
  assert.equal(refusal.code, "illegal-move");
  assert.deepEqual(await refusalIn(answer("<h1>", { ok: false })), { sentence: "Broken" });
});

test("a post is repeated with the same body until it is answered", async () => {
  globalThis.window = new EventTarget();
  globalThis.document = new EventTarget();
  const answers = [() => Promise.reject(new TypeError("no connection")), async () => new Response("", { status: 502 }),
    async () => new Response(null, { status: 204 })];
  const bodies = [];
  globalThis.fetch = (_url, { body }) => {
    bodies.push(body);
    return answers[bodies.length - 1]();
  };
  const losses = [];
  const body = { key: newKey() };
  const response = await postUntilAnswered("/move/", body, (tries) => {
    losses.push(tries);
    setImmediate(() => document.dispatchEvent(new Event("rayuela:connected"))); // no need to wait longer
    return true;
  });
  assert.equal(response.status, 204);
  assert.deepEqual(losses, [1, 2]);
  assert.deepEqual(bodies, [body, body, body]);
  assert.notEqual(newKey(), body.key);
});

test("a post that nobody waits for any more is given up", async () => {
  globalThis.fetch = () => Promise.reject(new TypeError("no connection"));
  assert.equal(await postUntilAnswered("/move/", {}, () => false), null);
});

test("the time for a position runs from its first look", () => {
  let now = 1000;
  performance.now = () => now;
  look("a");
  now += 250.4;
  look("a");
  assert.equal(thought(), 250);
  look("b");
  assert.equal(thought(), 0);
});

function clockElement(ms, most = ms) {
  const classes = new Set();
  return {
    dataset: { running: "", ms: String(ms), most: String(most) },
    textContent: "7 days",
    classes,
    classList: { toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)) },
  };
}

const CLOCKS = [
  { ms: 9 * 60_000 + 58_000, most: undefined, elapsed: 0, text: "9:58", isLow: false },
  { ms: 3_723_000, most: undefined, elapsed: 0, text: "1:02:03", isLow: false },
  { ms: 20_000, most: undefined, elapsed: 500, text: "0:20", isLow: true },
  { ms: 500, most: undefined, elapsed: 900, text: "0:00", isLow: true },
  { ms: 65_000, most: 60_000, elapsed: 2_000, text: "1:00", isLow: false },
  { ms: 7 * 86_400_000, most: undefined, elapsed: 0, text: "7 days", isLow: false },
];

for (const { ms, most, elapsed, text, isLow } of CLOCKS) {
  test(`a clock of ${ms} ms shows ${text} after ${elapsed} ms`, () => {
    let now = 0;
    performance.now = () => now;
    const ticks = [];
    globalThis.setInterval = (call) => ticks.push(call);
    const clock = clockElement(ms, most);
    runClocks({ querySelectorAll: () => [clock] });
    now += elapsed;
    ticks[0]();
    assert.equal(clock.textContent, text);
    assert.equal(clock.classes.has("low"), isLow);
  });
}

test("a page is silent until somebody has touched it, then a capture has two notes", () => {
  const starts = [];
  const parameter = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const node = { frequency: parameter, gain: parameter, connect: (next) => next, start: (at) => starts.push(at), stop() {} };
  globalThis.AudioContext = class {
    currentTime = 5;
    createOscillator = () => ({ ...node });
    createGain = () => ({ ...node });
  };
  const userActivation = { hasBeenActive: false };
  Object.defineProperty(globalThis, "navigator", { value: { userActivation }, configurable: true });
  playSound("capture");
  assert.deepEqual(starts, []);
  userActivation.hasBeenActive = true;
  playSound("capture");
  assert.deepEqual(starts, [5, 5.06]);
});
