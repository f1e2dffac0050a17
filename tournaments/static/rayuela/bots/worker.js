// A program of the editor in its own thread: the interpreter of uploaded JavaScript, with what WASI has for a bot
// (engine/wasm/wasi.py). Each question is for a new instance, which reads all lines of the question and then the end.
// The same interpreter removes the types of TypeScript, by the programs that builds of the site use.

const SUCCESS = 0, BAD_FILE = 8, NO_SEEK = 70;
const STDIN = 0, STDERR = 2;
const PAGE_BYTES = 65_536;
const MOST_OUTPUT = 1 << 20;

let interpreter = null;
let remover = ""; // the programs that remove types

onmessage = async ({ data }) => {
  if ("interpreter" in data) await begin(data.interpreter, data.types ?? []);
  else postMessage({ number: data.number, ...run(data.isTyped ? removal(data.source) : data.source, data.lines) });
};

/** The program that prints the JavaScript of a source, or has its fault on the log. */
const removal = (source) => `${remover}\ntranspile(${JSON.stringify(source)});\n`;

async function begin(address, types) {
  try {
    interpreter = await WebAssembly.compile(await (await answerOf(address)).arrayBuffer());
    for (const each of types) remover += await (await answerOf(each)).text();
    postMessage({ isReady: true });
  } catch (error) {
    postMessage({ failure: String(error) });
  }
}

async function answerOf(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status}`);
  return response;
}

class Exit extends Error {}

/** The output of a program that reads `lines`: `{output, errors, ms}`, with `trap` if the machine ended it. */
function run(source, lines) {
  const bot = new Instance(lines);
  const began = performance.now();
  let trap = "";
  try {
    bot.start(new TextEncoder().encode(source));
  } catch (error) {
    if (!(error instanceof Exit)) trap = String(error);
  }
  return { output: bot.texts[1], errors: bot.texts[2], ms: performance.now() - began, trap };
}

class Instance {
  texts = ["", "", ""];
  #unread; // lines as bytes
  #decoders = [null, new TextDecoder(), new TextDecoder()];
  #written = 0;
  #memory;

  constructor(lines) {
    this.#unread = lines.map((line) => new TextEncoder().encode(`${line}\n`));
  }

  /** Run a program, which is put behind the memory as `engine.javascript.modules` puts it into a module. */
  start(program) {
    const began = performance.now();
    const imports = {
      clock_time_get: (_clock, _precision, at) => {
        this.#view.setBigUint64(at, BigInt(Math.round((performance.now() - began) * 1e6)), true);
        return SUCCESS;
      },
      fd_close: () => SUCCESS,
      fd_fdstat_get: (file, at) => this.#describe(file, at),
      fd_read: (file, vectors, count, at) => this.#read(file, vectors, count, at),
      fd_seek: () => NO_SEEK,
      fd_write: (file, vectors, count, at) => this.#write(file, vectors, count, at),
      proc_exit: () => {
        throw new Exit();
      },
      random_get: (at, length) => {
        crypto.getRandomValues(new Uint8Array(this.#memory.buffer, at, length));
        return SUCCESS;
      },
    };
    const { exports } = new WebAssembly.Instance(interpreter, { wasi_snapshot_preview1: imports });
    this.#memory = exports.memory;
    const end = exports.memory.buffer.byteLength;
    exports.memory.grow(Math.ceil((program.length + 4) / PAGE_BYTES));
    this.#view.setUint32(end, program.length, true);
    new Uint8Array(exports.memory.buffer, end + 4).set(program);
    exports._start();
  }

  get #view() {
    return new DataView(this.#memory.buffer);
  }

  /** A character device without seeking, so that the C library writes line by line. */
  #describe(file, at) {
    if (file > STDERR) return BAD_FILE;
    new Uint8Array(this.#memory.buffer, at, 24).fill(0).set([2]);
    this.#view.setBigUint64(at + 8, (1n << 1n) | (1n << 6n) | (1n << 27n), true);
    return SUCCESS;
  }

  #buffers(vectors, count) {
    return Array.from({ length: count }, (_, i) => {
      const at = vectors + 8 * i;
      return new Uint8Array(this.#memory.buffer, this.#view.getUint32(at, true), this.#view.getUint32(at + 4, true));
    });
  }

  /** One line for each read, even into a larger buffer. */
  #read(file, vectors, count, at) {
    if (file !== STDIN) return BAD_FILE;
    const buffer = this.#buffers(vectors, count).find(({ length }) => length > 0);
    const line = this.#unread[0] ?? new Uint8Array();
    const taken = line.subarray(0, buffer?.length ?? 0);
    buffer?.set(taken);
    if (taken.length === line.length) this.#unread.shift();
    else this.#unread[0] = line.subarray(taken.length);
    this.#view.setUint32(at, taken.length, true);
    return SUCCESS;
  }

  #write(file, vectors, count, at) {
    if (file === STDIN || file > STDERR) return BAD_FILE;
    let length = 0;
    for (const bytes of this.#buffers(vectors, count)) {
      this.texts[file] += this.#decoders[file].decode(bytes, { stream: true });
      length += bytes.length;
    }
    this.#written += length;
    if (this.#written > MOST_OUTPUT) throw new Error("more than 1 MiB of output");
    this.#view.setUint32(at, length, true);
    return SUCCESS;
  }
}
