// A form that could not be taken is sent again by itself, a few times, ever later.

const MOST_TRIES = 5;
const KEY = "rayuela-again";

const form = document.querySelector("form[data-again]");
if (form) {
  const tries = Number(sessionStorage.getItem(KEY) ?? 0) + 1;
  if (tries > MOST_TRIES) {
    sessionStorage.removeItem(KEY);
  } else {
    sessionStorage.setItem(KEY, String(tries));
    const pause = Number(form.dataset.again) * 1000 * 2 ** (tries - 1);
    setTimeout(() => form.submit(), pause * (0.75 + Math.random() / 2));
  }
}
