// The pictures of the rules beside a game are asked for when the drawer is opened for the first time.

const drawer = document.querySelector(".rules-drawer");

async function draw(link) {
  const response = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const board = page.querySelector("svg.board");
  // A picture: its cells are no links here.
  for (const cell of board.querySelectorAll("a")) cell.replaceWith(...cell.childNodes);
  link.prepend(board);
}

drawer.addEventListener("toggle", () => drawer.querySelectorAll("[data-drawn]").forEach(draw), { once: true });
