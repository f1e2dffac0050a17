// Buttons that copy the text of a field. Without a clipboard they stay hidden.

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue; // browsers have it under https and on this machine only
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  });
}
