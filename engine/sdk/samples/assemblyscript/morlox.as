// Plays Morlox without our rules: it has its own. Flips a stone when it can, else places one anywhere.

enum Stone {
  None = 0,
  Black = 1,
  White = -1,
}

const RIGHT: i32[] = [0, 1, 0, -1]; // north, east, south, west
const UP: i32[] = [1, 0, -1, 0];

class Board {
  stones: i32[];
  turn: i32 = Stone.Black;

  /** The board of a FEN: rows from the top, then the colour to move. */
  constructor(private readonly size: i32, fen: string) {
    this.stones = new Array<i32>(size * size).fill(Stone.None);
    const parts = fen.split("_");
    if (parts.length > 1 && parts[1] == "w") this.turn = Stone.White;
    const rows = parts[0].split("/");
    for (let k = 0; k < rows.length; k++) {
      for (let file = 0; file < rows[k].length; file++) {
        const letter = rows[k].charAt(file);
        if (letter != ".") this.stones[(size - 1 - k) * size + file] = letter == "b" ? Stone.Black : Stone.White;
      }
    }
  }

  play(move: string): void {
    if (move == "swap") return; // persons exchange colours: the same colour is to move
    if (move != "pass") {
      const rank = i32.parse(move.substring(1)) - 1;
      this.stones[rank * this.size + move.charCodeAt(0) - 97] = this.turn;
    }
    this.turn = -this.turn;
  }

  /** A move: one of the flips, or one of the placements, or a pass. */
  choose(): string {
    const flips: string[] = [];
    const placements: string[] = [];
    for (let file = 0; file < this.size; file++) {
      for (let rank = 0; rank < this.size; rank++) {
        const here = this.stones[rank * this.size + file];
        const name = String.fromCharCode(97 + file) + (rank + 1).toString();
        if (here == -this.turn && this.controls(this.turn, file, rank)) flips.push(name + "x");
        if (here == Stone.None && !this.controls(-this.turn, file, rank)) placements.push(name);
      }
    }
    const best = flips.length > 0 ? flips : placements;
    return best.length > 0 ? best[<i32>(Math.random() * best.length)] : "pass";
  }

  /**
   * Whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two neighbouring
   * ones with the two diagonals that touch one of them each.
   */
  private controls(stone: i32, file: i32, rank: i32): bool {
    const seen = new Array<bool>(4);
    let count = 0;
    for (let k = 0; k < 4; k++) {
      seen[k] = this.sees(file, rank, RIGHT[k], UP[k], stone);
      if (seen[k]) count++;
    }
    const edge = this.size - 1;
    if (count >= 3 || (count >= 2 && (file % edge == 0 || rank % edge == 0))) return true;
    for (let k = 0; k < 4; k++) {
      const next = (k + 1) % 4;
      const right = RIGHT[k] - RIGHT[next];
      const up = UP[k] - UP[next];
      if (
        seen[k] && seen[next] &&
        this.sees(file, rank, right, up, stone) && this.sees(file, rank, -right, -up, stone)
      ) return true;
    }
    return false;
  }

  /** Whether the first stone seen from a square in a direction is of this colour. */
  private sees(file: i32, rank: i32, right: i32, up: i32, stone: i32): bool {
    let here: i32 = Stone.None;
    while (here == Stone.None) {
      file += right;
      rank += up;
      if (file < 0 || rank < 0 || file >= this.size || rank >= this.size) return false;
      here = this.stones[rank * this.size + file];
    }
    return here == stone;
  }
}

const buffer = new ArrayBuffer(65536);

/** The next line, without its end, or an empty text after the last one: a read ends with its line. */
function readLine(): string {
  let line = "";
  while (!line.endsWith("\n")) {
    const count = process.stdin.read(buffer);
    if (count == 0) break;
    line += String.UTF8.decode(buffer.slice(0, count));
  }
  return line.trimEnd();
}

let size = 0;
let board = new Board(0, "");

for (let line = readLine(); line != "" && line != "quit"; line = readLine()) {
  const words = line.split(" ");
  if (words[0] == "ugi") {
    process.stdout.write("id name morlox.as\nugiok\n");
  } else if (words[0] == "setoption" && line.includes("size=")) {
    size = i32.parse(line.substring(line.indexOf("size=") + 5));
  } else if (words[0] == "isready") {
    process.stdout.write("readyok\n");
  } else if (words[0] == "position") { // `startpos`, or `fen` in a match that begins from an opening
    const isFen = words[1] == "fen";
    board = new Board(size, isFen ? words[2] : "");
    for (let k = isFen ? 4 : 3; k < words.length; k++) board.play(words[k]);
  } else if (words[0] == "go") {
    process.stdout.write("bestmove " + board.choose() + "\n");
  }
}
