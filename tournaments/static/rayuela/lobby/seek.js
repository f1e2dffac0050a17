// Waiting for an opponent: the page says every few seconds that somebody sits here. The account's stream leads to the game.

const place = document.getElementById("waiting");

async function say() {
  try {
    const response = await fetch(place.dataset.live, { headers: { Accept: "text/html" } });
    if (response.status === 205) location.reload(); // paired, or not waiting any more: the page knows where to go
    else if (response.ok) place.innerHTML = await response.text();
  } catch {
    // The connection is gone; the next time may find it again.
  }
}

setInterval(say, 4000);
