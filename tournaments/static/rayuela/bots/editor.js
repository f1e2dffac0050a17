// The editor: a bot plays against a level of the kernel in this browser, and is uploaded by the page's form.

const MOST_MS = 10_000; // of a ply; a bot of a game by the clock of the site usually has less
const WORD = "rayuela-editor";

const root = document.getElementById("editor");
const { dataset: says } = root;
const code = root.querySelector("[data-code]");
const log = root.querySelector("[data-log]");
const status = root.querySelector("[data-status]");
const board = root.querySelector("[data-board]");
const walk = root.querySelector("[data-walk]");
const facts = root.querySelector("[data-facts]").dataset;
const upload = root.querySelector("[data-upload]");

/** A thread that answers one question at a time. It ends at the first failure, or when `ms` have passed. */
class Thread {
  isIdle = false; // after an answer without a failure
  #worker;
  #number = 0;
  #settle = null;

  constructor(script, first, type = "classic") {
    this.#worker = new Worker(script, { type });
    this.isReady = new Promise((settle) => (this.#settle = settle));
    this.#worker.onmessage = ({ data }) => this.#settle?.(data);
    this.#worker.onerror = (event) => this.#settle?.({ failure: event.message });
    this.#worker.postMessage(first);
  }

  async ask(question, ms) {
    const ready = await this.isReady;
    if (!ready.isReady) return ready;
    const answer = new Promise((settle) => (this.#settle = settle));
    this.isIdle = false;
    this.#worker.postMessage({ number: (this.#number += 1), ...question });
    let timer = 0;
    const late = new Promise((settle) => (timer = ms && setTimeout(settle, ms, { isLate: true })));
    const result = await Promise.race(ms ? [answer, late] : [answer]);
    clearTimeout(timer);
    this.isIdle = !result.isLate && !result.isStopped && !result.failure && !result.trap;
    return result;
  }

  /** End the thread. An unanswered question is answered by `isStopped`. */
  end() {
    this.#worker.terminate();
    this.#settle?.({ isStopped: true });
  }
}

// The thread of the last game, if its start takes seconds and it can play another.
let spare = null;

function botThread() {
  const thread = spare ?? new Thread(facts.worker, { interpreter: facts.interpreter, types: facts.types?.split(" ") }, facts.thread);
  spare = null;
  return thread;
}

/** One game, from the start to its end or to `stop`. */
class Match {
  #kernel = new Thread(facts.engine, { kernel: facts.kernel });
  #bot = botThread();
  #moves = [];
  #isStopped = false;

  constructor(source, level, side) {
    this.source = source;
    this.level = level;
    this.side = side; // of the bot: 0 first, 1 second, -1 both
  }

  async play() {
    try {
      tell(await this.#result());
    } finally {
      this.stop();
    }
  }

  stop() {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#kernel.end();
    if (facts.thread && this.#bot.isIdle) spare = this.#bot;
    else if (this.#bot !== spare) this.#bot.end();
  }

  async #result() {
    tell(says.starting);
    await this.#bot.isReady;
    if (this.#isStopped) return says.stopped;
    tell(says.playing);
    if (facts.types) {
      const built = await this.#bot.ask({ source: this.source, lines: [], isTyped: true });
      if (built.isStopped) return says.stopped;
      if (built.failure) return says.failed;
      write(`${built.errors}${built.trap}`.trimEnd(), "stderr");
      if (!built.output) return says.fault;
      this.source = built.output;
    }
    for (;;) {
      const place = await this.#kernel.ask({ ...this.#question(), task: "moves" });
      if (this.#isStopped) return says.stopped;
      if (place.failure || place.refusal) return says.failed;
      show(place.text, this.#moves);
      if (place.outcome) return this.#ending(place.outcome);
      const isBot = this.side < 0 || place.side === this.side;
      const [move, loss] = isBot ? await this.#botMove(place.moves) : [await this.#levelMove(), ""];
      if (this.#isStopped) return says.stopped;
      if (!move) return loss || says.failed;
      this.#moves.push(move);
    }
  }

  #question() {
    return { rules: facts.rules, start: facts.start, moves: this.#moves };
  }

  async #levelMove() {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
    const answer = await this.#kernel.ask({ ...this.#question(), task: `level=${this.level} seed=${seed}` });
    return answer.move;
  }

  /** The move of the bot, or why it has lost. */
  async #botMove(legal) {
    const moves = this.#moves.map((move) => ` ${move.replaceAll(" ", "_")}`).join("");
    const lines = [
      "ugi", `setoption name Game value ${facts.rules}`, "uginewgame", "isready",
      `${facts.position}${moves && ` moves${moves}`}`, "go movetime 1000",
    ];
    const answer = await this.#bot.ask({ source: this.source, lines }, MOST_MS);
    const ply = this.#moves.length + 1;
    if (answer.isLate) return ["", filled(says.late, { ply })];
    if (answer.isStopped || answer.failure) return ["", answer.failure ? says.failed : ""];
    const output = answer.output.split("\n");
    const best = output.findLast((line) => line.startsWith("bestmove "));
    write(`${ply}. ${best ?? ""} (${Math.round(answer.ms)} ms)`);
    write(output.filter((line) => line.startsWith("info ")).join("\n"), "heard");
    write(answer.errors.trimEnd(), "stderr");
    write(answer.trap, "stderr");
    if (!best) return ["", filled(says.silent, { ply })];
    const move = best.slice("bestmove ".length).split(" ponder ")[0].trim().replaceAll("_", " ");
    if (move === "resign") return ["", says.resigned];
    const known = legal.find((one) => one.replaceAll(" ", "") === move.replaceAll(" ", ""));
    if (known) return [known, ""];
    write(filled(says.legal, { moves: legal.slice(0, 40).join(", ") }), "note");
    return ["", filled(says.illegal, { ply, move })];
  }

  #ending(outcome) {
    if (outcome === 3) return says.draw;
    if (this.side < 0) return outcome === 1 ? says.first : says.second;
    return outcome - 1 === this.side ? says.won : says.lost;
  }
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function tell(text) {
  status.textContent = text;
}

function write(text, kind = "") {
  if (!text) return;
  const line = document.createElement("span");
  line.className = kind;
  line.textContent = `${text}\n`;
  log.append(line);
  log.scrollTop = log.scrollHeight;
}

// --- the board: drawn by the server, one position after the other, the latest if several wait

let texts = [];
let latest = null;
let isDrawing = false;

function show(text, moves) {
  const isLast = Number(walk.value) === texts.length - 1;
  texts[moves.length] = text;
  walk.max = texts.length - 1;
  walk.disabled = false;
  if (!isLast) return;
  walk.value = walk.max;
  draw(text);
}

async function draw(text) {
  latest = text;
  if (isDrawing) return;
  isDrawing = true;
  while (latest !== null) {
    const query = new URLSearchParams({ rules: facts.rules, start: latest });
    latest = null;
    const response = await fetch(`${facts.analysis}?${query}`).catch(() => null);
    const page = response?.ok && new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page && page.querySelector('[data-part="board"]');
    if (fresh) board.replaceChildren(...fresh.childNodes);
  }
  isDrawing = false;
}

walk.addEventListener("input", () => draw(texts[Number(walk.value)]));

// --- the code, stored in this browser

function store() {
  try {
    localStorage.setItem(`${WORD}-${facts.name}`, code.value);
  } catch {
    // A browser without storage keeps nothing.
  }
}

function stored() {
  try {
    return localStorage.getItem(`${WORD}-${facts.name}`);
  } catch {
    return null;
  }
}

const sample = code.value;
code.value = stored() ?? sample;
code.addEventListener("input", store);
// Tab indents after a change of the code. Escape gives Tab back to the keyboard's way through the page.
let tabIndents = false;
code.addEventListener("input", () => (tabIndents = true));
code.addEventListener("keydown", (event) => {
  if (event.key === "Escape") tabIndents = false;
  if (event.key !== "Tab" || event.shiftKey || !tabIndents) return;
  event.preventDefault();
  code.setRangeText(facts.file.endsWith(".py") ? "    " : "  ", code.selectionStart, code.selectionEnd, "end");
  store();
});

// --- the buttons

let match = null;
const play = root.querySelector("[data-play]");
const stop = root.querySelector("[data-stop]");

async function begin() {
  match?.stop();
  texts = [];
  walk.value = walk.max = 0;
  log.replaceChildren();
  const [opponent, side] = ["opponent", "side"].map((name) => root.querySelector(`[name="${name}"]`).value);
  const current = (match = new Match(code.value, Number(opponent), opponent === "self" ? -1 : Number(side)));
  stop.disabled = false;
  await current.play();
  if (match === current) stop.disabled = true;
}

play.addEventListener("click", begin);
stop.addEventListener("click", () => match?.stop());
root.querySelector("[data-reset]").addEventListener("click", () => {
  code.value = sample;
  store();
});
upload?.addEventListener("submit", () => {
  const files = new DataTransfer();
  files.items.add(new File([code.value], facts.file, { type: "text/plain" }));
  upload.querySelector('input[type="file"]').files = files.files;
});
root.hidden = false;
