// The page of an invitation: copy the link. The account's own stream leads to the game when
// it begins; guests have none, and ask.

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue; // browsers have it under https and on this machine only
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  });
}

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
