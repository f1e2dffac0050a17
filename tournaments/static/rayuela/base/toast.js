// One line over the header with the latest news, so that nothing on the page moves when news come.

const place = document.getElementById("toast");
const STAYS_MS = 30_000;
// A click that was meant for what is below must not answer.
const DEAF_MS = 500;
let waiting = []; // the first is shown
let timer = 0;

/** Sentences of the toast, by kind of news. */
export const words = place.dataset;

/**
 * Show `element`, which has a link first. News with the same `key` are replaced. Urgent news come before all others and
 * stay until they are closed.
 */
export function showToast(key, element, { isUrgent = false } = {}) {
  const news = { key, element, isUrgent };
  const others = waiting.filter((one) => one.key !== key);
  waiting = isUrgent ? [news, ...others] : [...others, news];
  draw();
}

/** The same with a plain link. */
export function showLink(key, text, href, options) {
  const element = document.createElement("div");
  element.className = "news";
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  element.append(link);
  showToast(key, element, options);
}

/** Show the news with this key no more. */
export function dropToast(key) {
  waiting = waiting.filter((one) => one.key !== key);
  draw();
}

function draw() {
  const [first, ...others] = waiting;
  place.hidden = !first;
  clearTimeout(timer);
  if (!first) return;
  const old = place.querySelector(".news");
  if (old !== first.element) {
    old.replaceWith(first.element);
    place.style.pointerEvents = "none";
    setTimeout(() => (place.style.pointerEvents = ""), DEAF_MS);
  }
  const more = place.querySelector(".more-news");
  more.hidden = !others.length;
  if (others.length) {
    more.textContent = words.more.replace("{count}", others.length);
    more.href = others[0].element.querySelector("a").href;
  }
  if (!first.isUrgent) timer = setTimeout(vanish, STAYS_MS);
}

/** All that is not urgent goes; the lists of the site have it still. Nothing goes from under a hand. */
function vanish() {
  if (place.matches(":hover, :focus-within")) {
    timer = setTimeout(vanish, STAYS_MS);
    return;
  }
  waiting = waiting.filter((one) => one.isUrgent);
  draw();
}

place.querySelector(".close").addEventListener("click", () => {
  if (waiting[0].isUrgent) waiting.shift();
  else waiting = [];
  draw();
});

// A challenge is declined without leaving the page.
place.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!("quiet" in form.dataset)) return;
  event.preventDefault();
  const { key } = waiting[0];
  await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" }, redirect: "manual" });
  dropToast(key);
});
