// The rules pages: their figures come alive where they stand. Every cell and button is a link that the server answers.

async function show(figure, url) {
  const response = await fetch(url, { headers: { Accept: "text/html" } }).catch(() => null);
  const page = response && new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page?.querySelector("[data-trying]");
  if (!fresh) {
    location.assign(url);
    return;
  }
  const { activeElement } = document;
  const cell = activeElement.querySelector("[data-cell]")?.dataset.cell;
  const isKeyboard = figure.contains(activeElement) && activeElement.matches(":focus-visible");
  figure.querySelector("[data-picture]").replaceChildren(fresh);
  figure.querySelector("[data-try]")?.closest("p").remove();
  // Whoever goes on by keyboard goes on where he was, or at the field to type in.
  if (!isKeyboard) return;
  const same = cell && fresh.querySelector(`a:has([data-cell="${CSS.escape(cell)}"])`);
  (same ?? fresh.querySelector("[name=try]")).focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const figure = event.target.closest("[data-figure]");
  if (!figure) return;
  const link = event.target.closest("a[data-try], [data-trying] a:not(.message a)");
  if (link) {
    event.preventDefault();
    show(figure, link.getAttribute("href"));
  } else if (event.target.closest("[data-picture]") && !figure.querySelector("[data-trying]")) {
    show(figure, figure.dataset.figure);
  }
});

document.addEventListener("submit", (event) => {
  const figure = event.target.closest("[data-figure]");
  if (!figure) return;
  event.preventDefault();
  show(figure, `${event.target.getAttribute("action")}?${new URLSearchParams(new FormData(event.target))}`);
});
