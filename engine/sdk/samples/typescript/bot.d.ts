// The functions of a bot, for the checks of your own compiler: tsc --noEmit --lib es2023 --types "" morlox.ts

/** The next line from the referee, without its end. `null` after the last. */
declare function readLine(): string | null;

/** A line to the referee. */
declare function print(text: unknown): void;

declare const console: {
  /** A line of the bot's log, which its author reads. */
  log(...words: unknown[]): void;
};
