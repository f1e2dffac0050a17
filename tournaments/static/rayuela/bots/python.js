// A program of the editor in Python in its own thread, by Pyodide. Each question is for a new run of the program, which
// reads all lines of the question and then the end. The editor talks to it as to worker.js.

const MOST_OUTPUT = 1 << 20;
// Programs of other authors are pasted into the editor: none may act as its visitor.
const NETWORK = ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "Worker", "BroadcastChannel", "indexedDB", "caches"];

let play = null; // `rayuela_turn.play`
let unread = new Uint8Array();
let outputs = [];

onmessage = async ({ data }) => {
  if ("interpreter" in data) await begin(data.interpreter);
  else postMessage({ number: data.number, ...run(data.source, data.lines) });
};

async function begin(address) {
  try {
    const folder = new URL(".", new URL(address, location.href)).href;
    const { loadPyodide } = await import(address);
    const python = await loadPyodide({ indexURL: folder, jsglobals: {} });
    const response = await fetch(`${folder}packages.zip`);
    if (!response.ok) throw new Error(`${response.status}`);
    python.unpackArchive(await response.arrayBuffer(), "zip");
    python.setStdin({ read });
    python.setStdout({ write: (bytes) => write(0, bytes) });
    python.setStderr({ write: (bytes) => write(1, bytes) });
    play = python.runPython("import rayuela_sdk, rayuela_turn; rayuela_turn.play");
    removeNetwork();
    postMessage({ isReady: true });
  } catch (error) {
    postMessage({ failure: String(error) });
  }
}

function removeNetwork() {
  for (const name of NETWORK) {
    for (let place = globalThis; place; place = Object.getPrototypeOf(place)) delete place[name];
  }
}

/** The output of a program that reads `lines`: `{output, errors, ms}`, with `trap` if the machine ended it. */
function run(source, lines) {
  unread = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
  outputs = [0, 1].map(() => ({ text: "", decoder: new TextDecoder(), length: 0 }));
  const began = performance.now();
  let trap = "";
  try {
    play(source);
  } catch (error) {
    trap = String(error);
  }
  const [output, errors] = outputs.map(({ text }) => text);
  return { output, errors, ms: performance.now() - began, trap };
}

function read(buffer) {
  const taken = unread.subarray(0, buffer.length);
  buffer.set(taken);
  unread = unread.subarray(taken.length);
  return taken.length;
}

/** Bytes after the first MiB are dropped: a program of its author cannot fill the memory of the page. */
function write(file, bytes) {
  const output = outputs[file];
  output.length += bytes.length;
  if (output.length <= MOST_OUTPUT) output.text += output.decoder.decode(bytes, { stream: true });
  return bytes.length;
}
