// Clocks that run between two answers of the server, which alone decides on time.

/** Return a time as a clock shows it. */
export function tell(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Let the clocks in `root` run; each begins again when its element is a new one. */
export function runClocks(root) {
  const seen = new WeakMap();
  const run = () => {
    for (const clock of root.querySelectorAll(".clock[data-running]")) {
      if (!seen.has(clock)) seen.set(clock, performance.now());
      const until = Math.max(0, Number(clock.dataset.ms) - (performance.now() - seen.get(clock)));
      // While the free part of a turn lasts, the flag is further away than the clock shows.
      const left = Math.min(until, Number(clock.dataset.most));
      if (left < 86_400_000) clock.textContent = tell(left);
      clock.classList.toggle("low", left < 20_000);
    }
  };
  run();
  setInterval(run, 250);
}
