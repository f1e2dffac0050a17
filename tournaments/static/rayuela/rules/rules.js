// Rules pages, whose figures come alive where they are, and exercises of courses. Every cell and button is a link that the server answers.

import { Board } from "../games/board.js";

const boards = new WeakMap();

async function show(figure, url, form = null) {
  const body = form && new URLSearchParams(new FormData(form));
  const response = await fetch(url, { method: form ? "POST" : "GET", body, headers: { Accept: "text/html" } }).catch(() => null);
  const page = response && new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page?.querySelector("[data-trying]");
  if (!fresh) {
    location.assign(url);
    return;
  }
  // A legal move of a puzzle waits for its button, which is for visitors without scripts.
  const play = fresh.querySelector("form[data-play]");
  if (play) {
    await show(figure, play.action, play);
    return;
  }
  const { activeElement } = document;
  const cell = activeElement.closest("[data-cell]")?.dataset.cell;
  const isKeyboard = figure.contains(activeElement) && activeElement.matches(":focus-visible");
  const picture = figure.querySelector("[data-picture]");
  picture.replaceChildren(fresh);
  enliven(figure, picture);
  if (!isKeyboard) return;
  (fresh.querySelector("[data-next]") ?? cellIn(fresh, cell) ?? fresh.querySelector("[name=try]")).focus({ preventScroll: true });
}

function enliven(figure, picture) {
  if (boards.has(figure)) boards.get(figure).refresh();
  else if (choicesIn(picture)) boards.set(figure, new Board(picture, drilled(figure, picture)));
  else boards.set(figure, new Board(picture, { choices: () => linked(picture), send: (name) => show(figure, cellIn(picture, name).getAttribute("href")) }));
}

/** The board of an exercise or a puzzle knows its legal moves. The server explains clicks that make none. */
function drilled(figure, picture) {
  const ask = (field, value) => {
    const fields = ["moves", "theme"].map((name) => [name, picture.querySelector(`[name=${name}]`)?.value]).filter((each) => each[1]);
    show(figure, `${figure.dataset.figure}?${new URLSearchParams([...fields, [field, value]])}`);
  };
  return {
    choices: () => choicesIn(picture) ?? [],
    send: (move) => ask("try", move),
    refuse: (cells) => choicesIn(picture) && cells.length > 1 && ask("clicks", cells.join(",")),
  };
}

function choicesIn(picture) {
  const data = picture.querySelector("script[type='application/json']");
  return data && JSON.parse(data.textContent);
}

/** Every cell that leads somewhere is a choice of its own: the server knows what has been chosen before. */
function linked(picture) {
  return [...picture.querySelectorAll("a[data-cell]")].map(({ dataset: { cell } }) => ({ move: cell, path: [cell] }));
}

function cellIn(picture, name) {
  return name ? picture.querySelector(`[data-cell="${CSS.escape(name)}"]`) : null;
}

// The board of an exercise is there from the beginning.
for (const board of document.querySelectorAll("[data-figure] [data-trying]")) enliven(board.closest("[data-figure]"), board.parentElement);

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  const figure = event.target.closest("[data-figure]");
  if (!figure) return;
  const link = event.target.closest("a[data-try], [data-trying] .choices a");
  if (link) {
    event.preventDefault();
    const touched = event.target.closest("[data-cell]")?.dataset.cell;
    show(figure, link.getAttribute("href")).then(() => "try" in link.dataset && cellIn(figure, touched)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })));
  }
});

document.addEventListener("submit", (event) => {
  const figure = event.target.closest("[data-figure]");
  if (!figure || event.target.method === "post") return;
  event.preventDefault();
  show(figure, `${event.target.getAttribute("action")}?${new URLSearchParams(new FormData(event.target))}`);
});
