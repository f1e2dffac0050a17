// Players of the rating lists while a name is typed. Without this script the button of the form finds them.

const PAUSE_MS = 200;

const input = document.getElementById("rated-name");
const list = document.getElementById("rated-players");
let timer;
let latest = 0;

/** Show the players whose names begin with the text. An answer that a later one has overtaken is dropped. */
async function find() {
  const number = ++latest;
  const address = `${input.dataset.rated}?${new URLSearchParams({ name: input.value })}`;
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok || number !== latest) return;
  const html = await answer.text();
  if (number === latest) list.innerHTML = html;
}

/** Move the focus by the arrow keys: from the field to the first player, and among the players. */
function move(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") input.focus();
  if (!step) return;
  const places = [input, ...list.querySelectorAll("a")];
  const next = places[places.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

input?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(find, PAUSE_MS);
});
input?.form.addEventListener("keydown", move);
