// Turns notifications of this device on and off, on the page of notifications.

const section = document.getElementById("push");
const form = section.querySelector(".turn-on");
const say = (name) => {
  for (const one of section.querySelectorAll("[data-when]")) one.hidden = one.dataset.when !== name;
};

const siteKey = Uint8Array.from(atob(section.dataset.key.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const isOfSite = ({ options }) => String(new Uint8Array(options.applicationServerKey)) === String(siteKey);

/** The subscription of this browser, or null. One for a former key of the site is ended. */
async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription || isOfSite(subscription)) return subscription ?? null;
  await subscription.unsubscribe();
  return null;
}

/** Sends the subscription by the form, so that the answer is a page. */
function send(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
  form.submit();
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return say("denied");
  await navigator.serviceWorker.register("/service-worker.js", { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    const subscription = await current();
    send(subscription ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: siteKey })));
  } catch (error) {
    say("failed");
    throw error;
  }
}

/** Marks the row of this device, whose removal ends its subscription too. */
function mark(row, subscription) {
  row.querySelector(".chip").hidden = false;
  const removal = row.querySelector(".remove");
  removal.addEventListener("submit", async (event) => {
    event.preventDefault();
    await subscription.unsubscribe();
    removal.submit();
  });
}

async function start() {
  if (!("PushManager" in window && "serviceWorker" in navigator && "Notification" in window)) return;
  say(Notification.permission === "denied" ? "denied" : "off");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    turnOn();
  });
  const subscription = await current();
  const row = subscription && [...section.querySelectorAll("[data-endpoint]")].find((one) => one.dataset.endpoint === subscription.endpoint);
  if (!row) return;
  say("on");
  mark(row, subscription);
}

start();
