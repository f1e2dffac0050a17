// Server-sent events of some topics. The browser connects again by itself and resumes by the last event's id.

/** Follow the stream of `element` (`listen_to`); `onNews` is called with (kind, data) for each piece of news, and once after every reconnection. */
export function follow({ dataset }, onNews) {
  const source = new EventSource(dataset.stream);
  let wasOpen = false;
  source.addEventListener("open", (event) => {
    if (event instanceof MessageEvent) return; // the server's first words, which carry the id to resume from
    document.documentElement.dataset.connection = "open";
    if (wasOpen) onNews("reconnected", {});
    wasOpen = true;
  });
  source.addEventListener("error", () => {
    document.documentElement.dataset.connection = "lost";
    // A refused stream is closed for good; the page then asks now and then.
    if (source.readyState === EventSource.CLOSED) setInterval(() => onNews("poll", {}), 5000);
  });
  for (const kind of dataset.kinds.split(" ")) {
    source.addEventListener(kind, (event) => onNews(kind, JSON.parse(event.data)));
  }
  return source;
}

/** Let `put` show in `element` what `url` answers now; calls that come meanwhile are joined into one. */
export function refresher(element, url, put = (html) => (element.innerHTML = html)) {
  let running = false;
  let again = false;
  return async function refresh() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        const response = await fetch(url(), { headers: { Accept: "text/html" } });
        if (!response.ok) break;
        put(await response.text());
      } while (again);
    } catch {
      // The connection is gone; the stream says so, and its return refreshes.
    } finally {
      running = false;
    }
  };
}
