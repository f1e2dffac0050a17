// Figures of the engine in words. The sentences come from the page, in its language.

const SHORT = { notation: "compact", maximumFractionDigits: 1 };

/** `text` with each `{name}` as `values` has it. */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A count such as 1,250,000 in few signs, as the page's language has them. */
export function short(count) {
  return new Intl.NumberFormat(document.documentElement.lang, SHORT).format(count);
}

/** A chance from 0 to 1 in whole per cent. What is not certain is neither 0 nor 100. */
export function hundredths(chance, isCertain = false) {
  const whole = Math.round(chance * 100);
  return isCertain ? whole : Math.max(1, Math.min(99, whole));
}

/** The same with its sign. */
export function percent(chance, isCertain = false) {
  return `${hundredths(chance, isCertain)} %`;
}

/** What a line promises: who wins in how many plies, or the chance of the side to move. `says` has the sentences. */
export function promise({ chance, plies }, side, says) {
  if (!plies) return percent(side ? 1 - chance : chance);
  const winner = plies > 0 ? says.first : says.second;
  const count = Math.abs(plies);
  return filled(count === 1 ? says.winsNext : says.wins, { side: winner, count });
}
