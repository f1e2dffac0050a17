// Shows notifications that the site pushes, and one stored page to visitors without a network. No other page is stored.

const OFFLINE_PAGE = "/offline/";
const CACHE = "rayuela-offline";
const ICON = "/static/rayuela/base/icon-192.png";

const allWindows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

/** Shows a message, unless a page in front of the reader shows the same: every page, or the page of the game or event. */
async function show({ words, path, topic, isOnPages, isTest }) {
  const visible = (await allWindows()).filter((one) => one.visibilityState === "visible");
  const isSeen = isOnPages ? visible.length > 0 : visible.some((one) => new URL(one.url).pathname === path);
  if (isSeen && !isTest) return;
  await self.registration.showNotification("Rayuela", { body: words, tag: topic, renotify: true, icon: ICON, data: { path } });
}

/** Goes to the window that shows the page, or to a new one. */
async function visit(path) {
  const there = (await allWindows()).find((one) => new URL(one.url).pathname === path);
  await (there ? there.focus() : self.clients.openWindow(path));
}

/** Tells the site the new subscription of this browser. Without the old one, the page of notifications does it. */
async function renew({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys } = subscription.toJSON();
  const former = oldSubscription.toJSON();
  const body = new URLSearchParams({ ...keys, endpoint, former_endpoint: former.endpoint, former_auth: former.keys.auth });
  await fetch("/notices/devices/replace/", { method: "POST", body });
}

async function storePage() {
  const cache = await caches.open(CACHE);
  await cache.add(new Request(OFFLINE_PAGE, { cache: "reload" }));
}

self.addEventListener("install", (event) => event.waitUntil(storePage()));
self.addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(visit(event.notification.data.path));
});
self.addEventListener("fetch", (event) => {
  const { mode, method } = event.request;
  if (mode !== "navigate" || method !== "GET") return;
  event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE_PAGE)));
});
