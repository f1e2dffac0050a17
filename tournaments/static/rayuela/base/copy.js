// Buttons that copy the text of a field. Pages show them only where the browser has a clipboard:
// under https and on this machine.

if (navigator.clipboard) {
  document.documentElement.dataset.clipboard = "";
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  });
}
