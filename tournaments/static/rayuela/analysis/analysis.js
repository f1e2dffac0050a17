// The analysis board: forms and links of the page without loading it anew. The server plays, this file only asks.

import { EnginePanel } from "../engine/panel.js";
import { Board } from "../games/board.js";
import { Parts } from "../base/parts.js";

const root = document.getElementById("analysis");
const parts = new Parts(root);
const board = new Board(root, { choices, send, offer });
const engine = new EnginePanel(root, question, send);
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", k: "back", j: "forward", Home: "start", End: "end" };

function choices() {
  const data = document.getElementById("choices");
  return data ? JSON.parse(data.textContent) : [];
}

/** The position on the board, for the engine. */
function question() {
  const { rules, start } = root.querySelector("[data-engine-facts]").dataset;
  return { rules, start, moves: [] };
}

/** Buttons for moves that share their cells. */
function offer(moves) {
  const buttons = moves.map((move) => {
    const button = document.createElement("button");
    button.className = "button primary";
    button.name = "move";
    button.value = button.textContent = move;
    return button;
  });
  root.querySelector("[data-choices]")?.replaceChildren(...buttons);
}

function send(move) {
  const form = root.querySelector("[data-move]");
  const body = new FormData(form);
  body.set("move", move);
  board.play(move);
  go(form.action, { method: "POST", body });
}

/** Show what the server answers, under the address it leads to. */
async function go(url, options = {}, isBack = false) {
  const response = await fetch(url, { headers: { Accept: "text/html" }, ...options }).catch(() => null);
  const page = response && new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page?.getElementById("analysis");
  if (!fresh) {
    location.assign(response?.redirected ? response.url : location.href);
    return;
  }
  document.title = page.title;
  // What is refused leaves the address as it was.
  if (response.ok && !isBack && response.url !== location.href) history.pushState(null, "", response.url);
  parts.renew(fresh.innerHTML);
  board.release();
  board.refresh();
  engine.update();
  showCurrentMove();
}

function showCurrentMove() {
  const tree = root.querySelector(".tree");
  const current = tree?.querySelector("[aria-current]");
  if (current) tree.scrollTop = current.offsetTop - tree.clientHeight / 2;
}

root.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (submitter && "whole" in submitter.dataset) return; // a page of its own: with its heading, its title for others
  event.preventDefault();
  const body = new FormData(form, submitter);
  if (form.method === "get") go(`${form.action}?${new URLSearchParams(body)}`);
  else go(form.action, { method: "POST", body });
});

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-walk]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  if (event.target.closest("input, textarea, select")) return;
  if (event.key.length > 1 && event.target.closest(".board-area")) return; // a board has its own use for arrows
  event.preventDefault();
  document.getElementById(`step-${KEYS[event.key]}`)?.click();
});

window.addEventListener("popstate", () => go(location.href, {}, true));

showCurrentMove();
