// Whoever is signed in is told of a new game, a challenge, a turn or a bot, on whatever page they are.

import { follow } from "./live.js";

const place = document.getElementById("messages");

function toast(text, href) {
  const message = document.createElement("p");
  message.className = "message";
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  message.append(link);
  place.append(message);
}

/** By whom somebody is challenged and to what, as the server tells it; a challenge that is over by now is not told. */
async function tellChallenge(number, words) {
  try {
    const response = await fetch(`/play/challenge/${number}/`, { headers: { Accept: "text/html" } });
    if (response.ok) place.insertAdjacentHTML("beforeend", await response.text());
  } catch {
    toast(words, "/play/");
  }
}

const here = (path) => location.pathname.startsWith(path);

follow(document.body.dataset.stream, ["game", "turn", "reminder", "challenge", "bot"], (kind, data) => {
  const words = document.getElementById("account-words")?.dataset ?? {};
  if (kind === "game" && !here(`/game/${data.game}/`)) {
    // The game waits with a running clock: go there, unless another game is being played.
    if (here("/game/")) toast(words.game ?? "Your next game has started", `/game/${data.game}/`);
    else location.assign(`/game/${data.game}/`);
  } else if (kind === "turn" && !here(`/game/${data.game}/`)) {
    toast(words.turn ?? "It is your turn", `/game/${data.game}/`);
  } else if (kind === "reminder") {
    toast(words.reminder ?? "Your time runs out", `/game/${data.game}/`);
  } else if (kind === "challenge") {
    tellChallenge(data.challenge, words.challenge ?? "A challenge has come");
  } else if (kind === "bot" && here(`/bots/versions/${data.version}/`)) {
    location.reload(); // its state is what the page is about
  } else if (kind === "bot") {
    toast(words.bot ?? "News of one of your bots", `/bots/versions/${data.version}/`);
  }
});
