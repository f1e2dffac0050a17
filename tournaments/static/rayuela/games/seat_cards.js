// The card of a player opens over the page at the name beside the board. Without this script the name is a link alone.

const DELAY_MS = 250;
const MARGIN = 6;
let timer;

function cardOf(target) {
  const link = target.closest?.("[data-card]");
  const card = link && document.getElementById(link.dataset.card);
  return card?.showPopover ? { link, card } : null;
}

function open({ link, card }) {
  if (card.matches(":popover-open")) return;
  card.showPopover({ source: link });
  const name = link.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const below = name.bottom + MARGIN;
  const top = below + height <= innerHeight ? below : name.top - MARGIN - height;
  card.style.left = `${Math.max(MARGIN, Math.min(name.left, document.documentElement.clientWidth - width - MARGIN))}px`;
  card.style.top = `${Math.max(MARGIN, top)}px`;
}

function openSoon(seat) {
  clearTimeout(timer);
  timer = setTimeout(open, DELAY_MS, seat);
}

function closeSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const card of document.querySelectorAll(".seat-card:popover-open")) {
      if (!card.matches(":hover, :focus-within")) card.hidePopover();
    }
  }, DELAY_MS);
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  const seat = cardOf(event.target);
  if (seat) openSoon(seat);
  else if (event.target.closest?.(".seat-card")) clearTimeout(timer);
  else closeSoon();
});
document.addEventListener("focusin", (event) => {
  const seat = event.target.matches(":focus-visible") && cardOf(event.target);
  if (seat) openSoon(seat);
  else closeSoon();
});
// A tap opens the card, which has the link. A click of a mouse and the enter key follow the link.
document.addEventListener("click", (event) => {
  const seat = event.pointerType === "touch" && cardOf(event.target);
  if (!seat) return;
  event.preventDefault();
  clearTimeout(timer);
  open(seat);
});
