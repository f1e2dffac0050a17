// Results over the board: one key a board, saved at once, and the cursor moves to the next.

import { follow, refresher } from "../base/live.js";

const status = document.getElementById("event-status");
const list = document.getElementById("results");
const missing = document.getElementById("missing");
const byBoard = document.getElementById("by-board");
const messages = document.getElementById("messages");

/** Say it above the page, where screen readers listen. */
function say(words, kind = "error") {
  const line = document.createElement("p");
  line.className = `message ${kind}`;
  line.textContent = words;
  messages.replaceChildren(line);
}

/** Let the row show `result`, written as `score`. */
function show(row, result, score) {
  row.dataset.result = result;
  row.querySelector(".score").textContent = score;
  row.querySelector("[name=page_result]").value = result;
  for (const button of row.querySelectorAll("button[data-key]")) {
    if (button.dataset.key) button.setAttribute("aria-pressed", String(button.value === result));
  }
}

/** Let the cursor be in that row; it stays where there is none. */
function moveTo(row) {
  row?.querySelector("button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

/** The next board of the list (`step` 1) or the one before (-1), without headings and empty boards. */
function beside(row, step) {
  const boards = [...list.querySelectorAll("li[data-board]")];
  return boards[boards.indexOf(row) + step];
}

/** The first board without a result. A complete round is opened to repair a result: then its first board. */
function firstRow() {
  return list.querySelector('li[data-result=""]') ?? list.querySelector("li[data-board]");
}

// One request after the other, in the order of the keys: of two for one board the later must win.
let queue = Promise.resolve();
let unsaved = 0;

function enqueue(request) {
  unsaved += 1;
  queue = queue.then(request).finally(() => (unsaved -= 1));
}

let isRefreshDue = false;

/** Refresh after the saves that are on their way: an older list must not replace a newer result. */
function refreshInTurn() {
  if (isRefreshDue) return;
  isRefreshDue = true;
  queue = queue.then(() => {
    isRefreshDue = false;
    return refreshRows();
  });
}

function save(row, button) {
  row.classList.add("saving");
  enqueue(() => send(row, button));
}

// Who leaves while results are on their way is asked first.
addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});

/** Post the result, and give the server's answer; nothing where it is refused or lost, which is said. */
async function post(action, body, prefix = "") {
  try {
    const response = await fetch(action, { method: "POST", body, headers: { Accept: "application/json" } });
    const answer = await response.json();
    if (!response.ok) {
      say(prefix + answer.sentence);
      return undefined;
    }
    missing.textContent = answer.missing;
    if (answer.notice) say(answer.notice, "warning");
    else messages.replaceChildren();
    return answer;
  } catch {
    say(prefix + list.dataset.lost);
    return undefined;
  }
}

async function send(row, button) {
  const form = row.querySelector("form");
  const body = new FormData(form);
  body.set("result", button.value);
  const answer = await post(form.action, body);
  if (answer) show(row, answer.result, answer.score);
  row.classList.remove("saving");
  if (answer?.is_tie) await refreshRows();
}

/** Save the line of a slip. A refused line comes back unless the next is typed already. */
async function sendLine(body) {
  const line = body.get("line");
  const saved = document.getElementById("line-saved");
  const answer = await post(byBoard.action, body, `${line}: `);
  saved.textContent = "";
  if (!answer) {
    byBoard.line.value ||= line;
    return;
  }
  const { board, game, result, score } = answer;
  const row = document.getElementById(`board-${board}.${game}`) ?? document.getElementById(`board-${board}`);
  if (!row) {
    saved.textContent = `${line} ✓`;
    return;
  }
  show(row, result, score);
  if (answer.is_tie) refreshInTurn();
  const names = [...row.querySelectorAll(".who")].map((who) => who.firstChild.textContent.trim());
  saved.textContent = `${names[0]} ${score} ${names[1]}`;
}

/** Take over all lines where a tie has another game than before. Give whether it has. */
function takeOverLines(fresh) {
  if (!fresh || list.querySelector(".saving")) return false;
  const [before, now] = [list, fresh].map((rows) => [...rows.querySelectorAll("li[id]")].map((row) => row.id));
  // The list of missing results keeps its typed lines.
  const hasFewer = !location.search && now.length < before.length;
  if (!hasFewer && now.every((id) => before.includes(id))) return false;
  const focused = document.activeElement?.closest("#results li")?.id;
  list.replaceChildren(...fresh.children);
  if (focused) moveTo(document.getElementById(focused) ?? firstRow());
  return true;
}

/** Take over what others have entered. */
async function refreshRows() {
  const text = await fetch(location.href, { headers: { Accept: "text/html" } })
    .then((response) => (response.ok ? response.text() : ""))
    .catch(() => ""); // The next news asks again. An error would end the queue.
  const page = new DOMParser().parseFromString(text, "text/html");
  const count = page.getElementById("missing");
  if (!count) return;
  missing.textContent = count.textContent;
  const reports = document.getElementById("player-reports");
  const isOpened = reports?.querySelector("details")?.open;
  const fresh = page.getElementById("player-reports");
  if (reports && fresh) {
    reports.replaceWith(fresh);
    if (isOpened) fresh.querySelector("details").open = true;
  }
  if (takeOverLines(page.getElementById("results"))) return;
  for (const fresh of page.querySelectorAll("#results li[data-board]")) {
    const row = document.getElementById(fresh.id);
    if (row && !row.classList.contains("saving") && row.dataset.result !== fresh.dataset.result) {
      show(row, fresh.dataset.result, fresh.querySelector(".score").textContent);
    }
  }
}

const ALIASES = { "½": "=", d: "=", 2: "0", "−": "-", X: "x", Backspace: "", Delete: "" };

if (list) {
  list.addEventListener("keydown", (event) => {
    const row = event.target.closest("li[data-board]");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      moveTo(beside(row, event.key === "ArrowDown" ? 1 : -1));
      return;
    }
    if (event.key === "b") {
      event.preventDefault();
      byBoard.line.focus();
      return;
    }
    const key = ALIASES[event.key] ?? event.key;
    const button = [...row.querySelectorAll("button[data-key]")].find((each) => each.dataset.key === key);
    if (!button) return;
    event.preventDefault();
    save(row, button);
    if (key) moveTo(beside(row, 1));
  });
  list.addEventListener("submit", (event) => {
    if (!event.target.matches(".keys")) return;
    event.preventDefault();
    save(event.target.closest("li"), event.submitter);
  });
  byBoard.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = new FormData(byBoard);
    byBoard.line.value = "";
    enqueue(() => sendLine(body));
  });
  byBoard.addEventListener("keydown", (event) => {
    if (event.key === "Escape") moveTo(firstRow());
  });
  if (!byBoard.line.autofocus) moveTo(firstRow());
}

// The news of what this page does must not take the answer's place.
let isLeaving = false;
document.addEventListener("submit", (event) => {
  if (event.target !== byBoard && !(list?.contains(event.target) && event.target.matches(".keys"))) isLeaving = true;
});

const refresh = refresher(status, () => status.dataset.live);
follow(status, (kind) => {
  refresh();
  if (list && kind !== "closed" && kind !== "round") refreshInTurn();
  else if (kind !== "entries" && !isLeaving) location.reload();
});
