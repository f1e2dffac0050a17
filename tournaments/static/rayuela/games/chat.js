// Talk beside the board: lines arrive with the game's news, and are drawn by the server for whoever reads them.

import { newKey } from "../base/keys.js";

const chat = document.getElementById("chat");

if (chat) {
  const lines = chat.querySelector(".chat-lines");
  const form = chat.querySelector("form.move-form");
  const refused = chat.querySelector("[role=alert]");
  const toEnd = () => {
    lines.scrollTop = lines.scrollHeight;
  };

  const refresh = async () => {
    const response = await fetch(chat.dataset.chat, { headers: { Accept: "text/html" } });
    if (!response.ok || lines.querySelector("details[open]")) return; // not away under a hand
    lines.innerHTML = await response.text();
    toEnd();
  };

  document.addEventListener("rayuela:chat", ({ detail }) => {
    if (!detail.room || detail.room === chat.dataset.room) refresh().catch(() => {});
  });

  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new FormData(form);
    if (!body.get("text").trim()) return;
    const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    form.elements.form_key.value = newKey();
    refused.hidden = response.ok;
    if (response.ok) form.reset();
    else refused.textContent = (await response.json()).sentence;
    await refresh();
  });

  // A field of several lines sends by Enter, as one of one line does. Shift and Enter, and a phone's keyboard, begin a line.
  form?.querySelector("textarea")?.addEventListener("keydown", (event) => {
    const isLine = event.shiftKey || event.isComposing || matchMedia("(pointer: coarse)").matches;
    if (event.key !== "Enter" || isLine) return;
    event.preventDefault();
    form.requestSubmit();
  });

  toEnd();
}
