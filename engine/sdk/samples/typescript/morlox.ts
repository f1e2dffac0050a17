/// <reference path="bot.d.ts" />
// Plays Morlox without our rules: it has its own. Flips a stone when it can, else places one anywhere.

type Way = readonly [right: number, up: number];

enum Stone {
  Black = "b",
  White = "w",
}

interface Choices {
  flips: string[];
  placements: string[];
}

const WAYS: readonly Way[] = [[0, 1], [1, 0], [0, -1], [-1, 0]]; // north, east, south, west
const other = (stone: Stone): Stone => (stone === Stone.Black ? Stone.White : Stone.Black);

class Board {
  private readonly stones = new Map<string, Stone>();
  private turn = Stone.Black;

  /** The board of a FEN: rows from the top, then the colour to move. */
  constructor(private readonly size: number, fen = "_b") {
    const [rows = "", turn] = fen.split("_");
    if (turn === "w") this.turn = Stone.White;
    rows.split("/").forEach((row, k) => [...row].forEach((stone, file) => {
      if (stone !== ".") this.stones.set(`${file},${size - 1 - k}`, stone === "w" ? Stone.White : Stone.Black);
    }));
  }

  play(move: string): void {
    if (move === "swap") return; // persons exchange colours: the same colour is to move
    const parts = /^([a-z])(\d+)x?$/.exec(move);
    if (parts) this.stones.set(`${parts[1]!.charCodeAt(0) - 97},${Number(parts[2]) - 1}`, this.turn);
    this.turn = other(this.turn);
  }

  choices(): Choices {
    const found: Choices = { flips: [], placements: [] };
    const enemy = other(this.turn);
    for (let file = 0; file < this.size; file++) {
      for (let rank = 0; rank < this.size; rank++) {
        const here = this.stones.get(`${file},${rank}`);
        const name = String.fromCharCode(97 + file) + (rank + 1);
        if (here === enemy && this.controls(this.turn, file, rank)) found.flips.push(`${name}x`);
        if (!here && !this.controls(enemy, file, rank)) found.placements.push(name);
      }
    }
    return found;
  }

  /**
   * Whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two neighbouring
   * ones with the two diagonals that touch one of them each.
   */
  private controls(stone: Stone, file: number, rank: number): boolean {
    const seen = WAYS.map((way) => this.sees(file, rank, way, stone));
    const count = seen.filter(Boolean).length;
    const edge = this.size - 1;
    if (count >= 3 || (count >= 2 && (file % edge === 0 || rank % edge === 0))) return true;
    return WAYS.some(([right, up], k) => {
      const next = (k + 1) % 4;
      const [nextRight, nextUp] = WAYS[next] as Way;
      return (
        seen[k] && seen[next] &&
        this.sees(file, rank, [right - nextRight, up - nextUp], stone) &&
        this.sees(file, rank, [nextRight - right, nextUp - up], stone)
      );
    });
  }

  /** Whether the first stone seen from a square in a direction is of this colour. */
  private sees(file: number, rank: number, [right, up]: Way, stone: Stone): boolean {
    for (;;) {
      file += right;
      rank += up;
      if (file < 0 || rank < 0 || file >= this.size || rank >= this.size) return false;
      const here = this.stones.get(`${file},${rank}`);
      if (here) return here === stone;
    }
  }
}

let size = 0;
let board = new Board(size);

for (let line = readLine(); line !== null; line = readLine()) {
  const [word, ...words] = line.split(" ");
  if (word === "ugi") {
    print("id name morlox.ts\nugiok");
  } else if (word === "setoption" && words[1] === "Game") {
    size = Number(/^morlox\(.*size=(\d+)/.exec(words[3] ?? "")?.[1]);
  } else if (word === "isready") {
    print("readyok");
  } else if (word === "position") { // `startpos`, or `fen` in a match that begins from an opening
    const [kind, ...rest] = words;
    board = new Board(size, kind === "fen" ? rest.shift() : undefined);
    rest.slice(1).forEach((move) => board.play(move));
  } else if (word === "go") {
    const { flips, placements } = board.choices();
    const best = flips.length ? flips : placements.length ? placements : ["pass"];
    print(`bestmove ${best[Math.floor(Math.random() * best.length)]}`);
  } else if (word === "quit") {
    break;
  }
}
