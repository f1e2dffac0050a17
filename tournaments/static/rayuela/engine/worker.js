// The engine: the kernel in a thread of its own, begun when somebody turns the engine on. It searches in slices, so that
// what the page says meanwhile is heard between two of them. `thinker.js` is what the page speaks to it by.

const SLICE_MS = 50;
const TELL_MS = 200;
const FEWEST_UNITS = 50; // of work: nodes, and moves that are looked at to rank them
const turns = new MessageChannel(); // begins the next slice; a timer would wait 4 ms

let kernel = null;
let search = null; // the one that goes on
let isPaused = false;

onmessage = async ({ data }) => {
  if ("kernel" in data) await begin(data.kernel);
  else if ("isPaused" in data) pause(data.isPaused);
  else if ("number" in data) attempt(() => answer(data));
  else search = null;
};
turns.port1.onmessage = () => attempt(step);

async function begin(address) {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${response.status}`);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
    kernel = instance.exports;
    postMessage({ isReady: true });
  } catch (error) {
    postMessage({ failure: String(error) });
  }
}

/** Do something with the kernel; a trap ends it for good, since nobody knows what it left behind. */
function attempt(act) {
  if (!kernel) return;
  try {
    act();
  } catch (error) {
    kernel = search = null;
    postMessage({ failure: String(error) });
  }
}

/** Lay the position after `moves`; list its moves, play a level's, or search it until `nodes` or `ms` are used up. */
function answer({ number, rules, start, moves, task, nodes, ms }) {
  search = null;
  const refusal = kernel.load(write(`${rules}\n${start}`)) || refusalOf(moves, (move) => kernel.play(write(move)));
  if (refusal) return postMessage({ number, refusal, isDone: true });
  const place = { number, side: kernel.side(), outcome: kernel.outcome() };
  if (task === "moves") {
    kernel.position();
    const text = read();
    kernel.moves();
    return postMessage({ ...place, text, moves: read().split("\n").filter(Boolean), isDone: true });
  }
  if (place.outcome) return postMessage({ ...place, isDone: true });
  if (task.startsWith("level=")) {
    const unknown = kernel.level_move(write(task));
    return postMessage({ ...place, ...(unknown ? { refusal: unknown } : { move: read() }), isDone: true });
  }
  const refused = kernel.search_begin(write(task));
  if (refused) return postMessage({ number, refusal: refused, isDone: true });
  search = { place, nodes, most: ms, slice: FEWEST_UNITS, ms: 0, toldAt: 0 };
  turns.port2.postMessage(null);
}

function step() {
  if (!search || isPaused) return;
  const began = performance.now();
  const isFinished = kernel.search_slice(search.slice) !== 0;
  const took = performance.now() - began;
  search.ms += took;
  kernel.search_report();
  const report = read();
  const nodes = Number(/ nodes (\d+)/.exec(report)?.[1] ?? 0);
  const isDone = isFinished || nodes >= search.nodes || search.ms >= search.most;
  if (isDone || search.ms - search.toldAt >= TELL_MS) {
    search.toldAt = search.ms;
    postMessage({ ...search.place, report, ms: search.ms, isDone });
  }
  if (isDone) search = null;
  else {
    const fitting = search.slice * Math.min(2, SLICE_MS / Math.max(took, 0.1));
    search.slice = Math.round(Math.min(search.nodes - nodes, Math.max(FEWEST_UNITS, fitting)));
    turns.port2.postMessage(null);
  }
}

function pause(isHidden) {
  const goesOn = isPaused && !isHidden;
  isPaused = isHidden;
  if (goesOn) turns.port2.postMessage(null);
}

function refusalOf(moves, play) {
  for (const move of moves) {
    const refusal = play(move);
    if (refusal) return refusal;
  }
  return 0;
}

/** Put a text where the kernel reads; how long it is. */
function write(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > kernel.input_capacity()) throw new RangeError("a text longer than the kernel takes");
  new Uint8Array(kernel.memory.buffer, kernel.input(), bytes.length).set(bytes);
  return bytes.length;
}

function read() {
  return new TextDecoder().decode(new Uint8Array(kernel.memory.buffer, kernel.output(), kernel.output_length()));
}
