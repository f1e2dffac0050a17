// Moments in the reader's time zone: what the server writes in UTC, and what is typed into the browser's own fields.

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
// As the server writes them: `config/formats`.
const LANGUAGE = document.documentElement.lang;
const LOCALE = LANGUAGE === "en" ? "en-GB" : LANGUAGE;
const BETWEEN = LANGUAGE === "ja" ? " " : ", ";
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long" });
const MINUTES = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const SECONDS = { ...MINUTES, second: "2-digit" };
const SOON_S = 3600;

/** Write a moment as the reader's language and zone have it. */
function localise(element) {
  const moment = new Date(element.dateTime);
  if (element.dataset.zone === ZONE || Number.isNaN(moment.getTime())) return;
  element.dataset.zone = ZONE;
  const style = element.dataset.local === "seconds" ? SECONDS : MINUTES;
  element.title = element.textContent;
  const time = new Intl.DateTimeFormat(LOCALE, style).format(moment);
  element.textContent = DAY.format(moment) + BETWEEN + time;
}

/** A moment within the next hour is said by what is left until then: `in 0:28`. */
function countDown(element) {
  const left = Math.ceil((new Date(element.dateTime) - Date.now()) / 1000);
  if (left < 0 || left > SOON_S) return;
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const text = element.dataset.countdown.replace("{time}", time);
  if (element.textContent !== text) element.textContent = text;
}

function countDownAll() {
  for (const element of document.querySelectorAll("time[data-countdown]")) countDown(element);
}

function localiseAll() {
  for (const element of document.querySelectorAll("time[data-local]")) localise(element);
}

/** The fields of a form show and take times of the reader's zone, whose name goes with them. */
function takeZone(form) {
  const zone = form.querySelector("input[name=time_zone]");
  if (!zone || zone.value) return;
  zone.value = ZONE;
  for (const field of form.querySelectorAll("input[type=datetime-local]")) {
    if (!field.value) continue;
    const moment = new Date(`${field.value}Z`);
    field.value = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }
}

localiseAll();
countDownAll();
setInterval(countDownAll, 1000);
for (const form of document.querySelectorAll("form[data-zoned]")) takeZone(form);
new MutationObserver(() => {
  localiseAll();
  countDownAll();
}).observe(document.body, { childList: true, subtree: true });
