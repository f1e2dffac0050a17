// The engine of the pages without a page: its worker with the kernel itself, and what is made of its answers.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, test } from "node:test";

const STATIC = new URL("../../../tournaments/static/rayuela/", import.meta.url);
const KERNEL = new URL("../../../engine/kernel/kernel.wasm", import.meta.url);
const load = (path) => import(new URL(path, STATIC).href);
const { accuracyOf, kindOf, lossOf, mistakesOf } = await load("engine/mistakes.js");
const { cellsOf, readReport } = await load("engine/reports.js");
const { Thinker } = await load("engine/thinker.js");
const { filled, percent, promise } = await load("engine/words.js");

const RULES = "morlox(size=5,swap=on)";
const EMPTY = "...../...../...../...../..... b 0 -";
const SAYS = { first: "Ana", second: "Ben", wins: "{side} wins in {count}", winsNext: "{side} wins now" };

// --- the worker

const messages = [];
const waiting = [];
Object.assign(globalThis, {
  onmessage: null,
  // Node's own would keep the process.
  MessageChannel: class {
    port1 = {};
    port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
  },
  postMessage: (data) => {
    messages.push(data);
    waiting.splice(0).forEach((look) => look());
  },
});
const { fetch } = globalThis;
await load("engine/worker.js");
const say = (data) => globalThis.onmessage({ data });

/** What the worker says first that it `accepts`. */
async function until(accepts) {
  for (;;) {
    const message = messages.find(accepts);
    if (message) return message;
    await new Promise((resolve) => waiting.push(resolve));
  }
}

async function begin() {
  globalThis.fetch = async () => new Response(await readFile(KERNEL));
  await say({ kernel: "/kernel.wasm" });
  globalThis.fetch = fetch;
}

const question = (number, more = {}) => ({
  number, rules: RULES, start: EMPTY, moves: [], task: "lines=3 seed=1", nodes: 2000, ms: 60_000, ...more,
});

afterEach(() => {
  messages.length = 0;
  delete globalThis.Worker;
  delete globalThis.document;
  delete globalThis.window;
});

test("the worker says that the kernel cannot be fetched, and that it is there", async () => {
  globalThis.fetch = async () => new Response("", { status: 404 });
  await say({ kernel: "/none.wasm" });
  assert.match((await until((data) => "failure" in data)).failure, /404/);
  await begin();
  assert.ok(messages.at(-1).isReady);
});

test("a level moves, and a position is written with its moves", async () => {
  await begin();
  say(question(1, { task: "level=3 seed=5" }));
  const { move } = await until((data) => data.number === 1);
  say(question(2, { task: "moves", moves: [move] }));
  const answer = await until((data) => data.number === 2);
  assert.equal(answer.side, 1);
  assert.ok(answer.moves.includes("swap"));
  assert.match(answer.text, /^[.bw/]+ w 1 /);
  say(question(3, { task: "level=9 seed=5" }));
  assert.ok((await until((data) => data.number === 3)).refusal);
});

test("a search ends at its nodes, with a report that can be read", async () => {
  await begin();
  say(question(1));
  const answer = await until((data) => data.number === 1 && data.isDone);
  const { nodes, lines } = readReport(answer);
  assert.ok(nodes >= 2000 && nodes <= 4100, `${nodes}`);
  assert.equal(lines.length, 3);
  for (const { chance, moves } of lines) {
    assert.ok(chance > 0 && chance < 1);
    assert.match(moves[0], /^[a-e][1-5]$/);
  }
});

test("a search ends after its time", async () => {
  await begin();
  say(question(2, { nodes: 1e9, ms: 1 }));
  const answer = await until((data) => data.number === 2 && data.isDone);
  assert.ok(answer.ms >= 1);
});

test("moves are played before the position is looked at, and an illegal one is refused", async () => {
  await begin();
  say(question(3, { moves: ["c3"], task: "moves" }));
  const { moves, side } = await until((data) => data.number === 3);
  assert.equal(side, 1);
  assert.ok(moves.includes("swap") && moves.includes("a1") && !moves.includes("c3"));
  say(question(4, { moves: ["c3", "c3"] }));
  const refused = await until((data) => data.number === 4);
  assert.ok(refused.refusal > 0 && refused.isDone);
});

test("a paused search waits, and another question replaces it", async () => {
  await begin();
  say({ isPaused: true });
  say(question(5));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(messages.filter((data) => data.number === 5).length, 0);
  say(question(6));
  say({ isPaused: false });
  await until((data) => data.number === 6 && data.isDone);
  assert.equal(messages.filter((data) => data.number === 5).length, 0);
});

// --- reports

test("a report is seen from the first side", () => {
  const report = "depth 7 nodes 120 finished 0\nwin 700 forced 0 pv A1-B2 C3-D4 xE5F6 E1-E2*\nwin 400 forced 0 pv A1-A2\n";
  const first = readReport({ report, side: 0, outcome: 0 });
  assert.deepEqual([first.depth, first.nodes, first.isFinished], [7, 120, false]);
  assert.deepEqual(first.lines[0], { chance: 0.7, plies: 0, moves: ["A1-B2", "C3-D4 xE5F6", "E1-E2*"] });
  assert.equal(readReport({ report, side: 1, outcome: 0 }).lines[1].chance, 0.6);
});

test("a proved win is that of the side that has it", () => {
  const report = (plies) => `depth 3 nodes 9 finished 1\nwin ${plies > 0 ? 1000 : 0} forced ${plies} pv a1\n`;
  const pliesOf = (plies, side) => readReport({ report: report(plies), side, outcome: 0 }).lines[0].plies;
  assert.deepEqual([pliesOf(5, 0), pliesOf(-4, 0), pliesOf(5, 1), pliesOf(-4, 1)], [5, -4, -5, 4]);
});

test("a game that is over has its result as its chance", () => {
  const chances = [1, 2, 3].map((outcome) => readReport({ side: 0, outcome }).lines[0].chance);
  assert.deepEqual(chances, [1, 0, 0.5]);
  assert.equal(readReport({ report: "", side: 0, outcome: 0 }), null);
});

test("moves have the cells that somebody clicks for them", () => {
  const cells = ["D12-AE31 xF8H8", "@A5", "c5xe5xg5", "+a10", "b4x", "x9", "swap"].map(cellsOf);
  assert.deepEqual(cells, [["D12", "AE31"], ["A5"], ["c5", "e5", "g5"], ["a10"], ["b4"], ["x9"], []]);
});

// --- mistakes

test("losses are named from ten points on", () => {
  const names = [0.0994, 0.1, 0.1999, 0.2, 0.29, 0.3, 1].map(kindOf);
  assert.deepEqual(names, [null, "inaccuracy", "mistake", "mistake", "mistake", "blunder", "blunder"]);
});

test("a side loses what the other one wins", () => {
  assert.ok(Math.abs(lossOf({ chance: 0.6 }, { chance: 0.35 }, 0) - 0.25) < 1e-9);
  assert.equal(lossOf({ chance: 0.6 }, { chance: 0.35 }, 1), 0);
  assert.ok(Math.abs(lossOf({ chance: 0.2 }, { chance: 0.5 }, 1) - 0.3) < 1e-9);
});

test("mistakes are of whoever moved, not of an opening, and never the engine's own move", () => {
  const evaluations = [
    { chance: 0.9, side: 0, line: ["x"] },
    { chance: 0.5, side: 1, line: ["b"] },
    { chance: 0.9, side: 0, line: ["y", "z"] },
    { chance: 0.4, side: 0, line: ["e"] }, // the same side again
    { chance: 0.25, side: 1, line: [] },
  ];
  const mistakes = mistakesOf(["a", "b", "c", "d"], evaluations);
  assert.deepEqual(mistakes.map(({ ply, side, kind, best }) => [ply, side, kind, best]), [
    [1, 0, "blunder", "x"],
    [3, 0, "blunder", "y"],
    [4, 0, "inaccuracy", "e"],
  ]);
  assert.deepEqual(mistakesOf(["a", "b", "c", "d"], evaluations, 3).map(({ ply }) => ply), [4]);
  assert.deepEqual(mistakesOf(["a", "b"], [evaluations[0]]), []);
});

test("accuracy is the share of the chances that a side's moves kept on average", () => {
  const looks = [
    { chance: 0.8, side: 0, line: [] },
    { chance: 0.6, side: 1, line: [] }, // the first side lost 0.2
    { chance: 0.7, side: 0, line: [] }, // the second 0.1
    { chance: 0.9, side: 1, line: [] }, // nothing
  ];
  const rounded = (side, plies) => Math.round(100 * accuracyOf(looks, side, plies));
  assert.deepEqual([rounded(0), rounded(1), rounded(0, 2)], [90, 90, 100]);
  assert.equal(accuracyOf(looks.slice(0, 1), 0), null);
});

// --- words

test("a promise is a chance of the side to move, or who wins by force", () => {
  assert.equal(promise({ chance: 0.62, plies: 0 }, 0, SAYS), "62 %");
  assert.equal(promise({ chance: 0.62, plies: 0 }, 1, SAYS), "38 %");
  assert.equal(promise({ chance: 1, plies: 5 }, 1, SAYS), "Ana wins in 5");
  assert.equal(promise({ chance: 0, plies: -1 }, 0, SAYS), "Ben wins now");
});

test("what is not proved is neither certain nor out of the question", () => {
  assert.deepEqual([percent(1), percent(0), percent(1, true), percent(0.004)], ["99 %", "1 %", "100 %", "1 %"]);
  assert.equal(filled("{a} {b} {a}", { a: "$&", b: 2 }), "$& 2 $&");
});

// --- the page's side

function pageWithWorker() {
  const workers = [];
  globalThis.Worker = class {
    messages = [];
    isEnded = false;
    constructor(address) {
      this.address = address;
      workers.push(this);
    }
    postMessage(data) {
      this.messages.push(data);
    }
    terminate() {
      this.isEnded = true;
    }
  };
  globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  globalThis.window = new EventTarget();
  return workers;
}

test("nothing is loaded before somebody asks, and one question is answered at a time", async () => {
  const workers = pageWithWorker();
  const thinker = new Thinker({ worker: "/worker.js", kernel: "/kernel.wasm" });
  assert.equal(workers.length, 0);
  const answers = [];
  const first = thinker.ask({ task: "one" });
  const second = thinker.ask({ task: "two" }, (answer) => answers.push(answer));
  assert.equal(await first, null);
  const [worker] = workers;
  assert.equal(worker.address, "/worker.js");
  assert.ok(!worker.messages.some((data) => "number" in data), "the kernel is not there yet");
  worker.onmessage({ data: { isReady: true } });
  assert.deepEqual(worker.messages.at(-1), { number: 2, task: "two" });
  worker.onmessage({ data: { number: 1, isDone: true } });
  worker.onmessage({ data: { number: 2, isDone: false } });
  worker.onmessage({ data: { number: 2, isDone: true, report: "r" } });
  assert.equal((await second).report, "r");
  assert.equal(answers.length, 2);
});

test("the worker pauses while nobody looks, and ends with the switch", async () => {
  const [workers, thinker] = [pageWithWorker(), new Thinker({})];
  const answer = thinker.ask({});
  const [worker] = workers;
  const last = () => worker.messages.at(-1);
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(last(), { isPaused: true });
  document.hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(last(), { isPaused: false });
  window.dispatchEvent(new Event("pagehide"));
  assert.deepEqual(last(), { isPaused: true });
  thinker.end();
  assert.equal(await answer, null);
  assert.ok(worker.isEnded);
  const { length } = worker.messages;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(worker.messages.length, length);
});

test("a worker that fails is let go, and the page hears why", async () => {
  const workers = pageWithWorker();
  const failures = [];
  const thinker = new Thinker({}, (why) => failures.push(why));
  const answer = thinker.ask({});
  workers[0].onmessage({ data: { failure: "trap" } });
  assert.equal(await answer, null);
  assert.deepEqual(failures, ["trap"]);
  thinker.ask({});
  assert.equal(workers.length, 2);
});
