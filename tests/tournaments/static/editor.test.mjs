// The editor's thread for bots, with the interpreter itself.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const STATIC = new URL("../../../tournaments/static/rayuela/", import.meta.url);
const ENGINE = new URL("../../../engine/", import.meta.url);
const messages = [];
Object.assign(globalThis, {
  onmessage: null,
  postMessage: (data) => messages.push(data),
  fetch: async (name) => new Response(await readFile(new URL(`javascript/${name}`, ENGINE))),
});
await import(new URL("bots/worker.js", STATIC).href);
await globalThis.onmessage({ data: { interpreter: "interpreter.wasm", types: ["sucrase.js", "transpile.js"] } });
assert.deepEqual(messages.shift(), { isReady: true });

function run(source, lines = []) {
  globalThis.onmessage({ data: { number: 7, source, lines } });
  return messages.shift();
}

test("a program reads its lines, prints and reports", () => {
  const echo = "for (let l = readLine(); l !== null; l = readLine()) { print(`<${l}>`); console.log(l, 1); }";
  const answer = run(echo, ["a ☃", "", "x".repeat(5000)]);
  assert.equal(answer.number, 7);
  assert.equal(answer.output, `<a ☃>\n<>\n<${"x".repeat(5000)}>\n`);
  assert.equal(answer.errors, `a ☃ 1\n 1\n${"x".repeat(5000)} 1\n`);
  assert.equal(answer.trap, "");
});

test("types are removed, and lines keep their numbers", () => {
  const source = "enum Stone { Black = 4 }\n\nprint((Stone.Black as number) + missing);";
  globalThis.onmessage({ data: { number: 8, source, lines: [], isTyped: true } });
  const built = messages.shift();
  assert.equal(built.errors, "");
  assert.match(run(built.output).errors, /missing is not defined\n.*main\.js:3/);
  globalThis.onmessage({ data: { number: 9, source: "let x: number = 1;\nlet y: = 2;", lines: [], isTyped: true } });
  const { output, errors } = messages.shift();
  assert.equal(output, "");
  assert.match(errors, /^main\.ts:2:\d+: error: /);
});

test("a large program is put behind the memory", () => {
  assert.equal(run(`print("end"); // ${"☃".repeat(60_000)}`).output, "end\n");
});

test("each question is for a new instance, with its own random numbers and clock", () => {
  const program = "globalThis.count = (globalThis.count ?? 0) + 1; print(count); print(Math.random()); print(Date.now());";
  const [one, two] = [run(program), run(program)].map(({ output }) => output.split("\n"));
  assert.deepEqual([one[0], two[0]], ["1", "1"]);
  assert.notEqual(one[1], two[1]);
  assert.ok(Number(one[2]) < 60_000);
});

test("faults are reported with their line", () => {
  assert.match(run("let a = 1;\nb();").errors, /ReferenceError: b is not defined\n.*main\.js:2/);
  assert.match(run("let a = ;").errors, /SyntaxError/);
  assert.match(run("const f = () => f() + 1; f();").errors, /RangeError/);
  assert.match(run("for (;;) print('x'.repeat(60000));").trap, /more than 1 MiB/);
});

for (const [sample, rules, start, moves] of [
  ["morlox", "morlox(size=5,swap=on)", "startpos", ["c3", "swap", "b2"]],
  ["morelli", "morelli(edition=revised,size=7,setup=ring)",
    "fen wwwwbbw/b5b/b5b/w5b/w5w/w5w/bwwbbbb_b_-_play_0_-_ring=BWWWBBWWWWBB", ["A5-F5", "G3-F3"]],
]) {
  test(`the sample of ${sample} answers a position`, async () => {
    const source = await readFile(new URL(`sdk/samples/javascript/${sample}.js`, ENGINE), "utf8");
    const lines = ["ugi", `setoption name Game value ${rules}`, "isready", `position ${start} moves ${moves.join(" ")}`, "go movetime 100"];
    assert.match(run(source, lines).output, /^id name \w+\.js\nugiok\nreadyok\nbestmove \S+\n$/);
  });
}
