// The page of an invitation. The account's own stream leads to the game when it begins; guests
// have none, and ask.

if (document.querySelector("[data-poll]")) {
  setInterval(async () => {
    try {
      const response = await fetch(location.href, { redirect: "manual" });
      if (response.type === "opaqueredirect") location.reload(); // the game has begun, and the page leads there
    } catch {
      // The connection is gone; the next time may find it again.
    }
  }, 3000);
}
