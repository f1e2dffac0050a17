// Plays Morlox without our rules: it has its own. Flips a stone when it can, else places one anywhere.

const ORTHOGONAL = [[0, 1], [1, 0], [0, -1], [-1, 0]]; // north, east, south, west
let size = 0;
let stones = new Map(); // "file,rank" to "b" or "w"
let turn = "b";

/** Whether the first stone seen from a square in a direction is of this colour. */
function sees(file, rank, [right, up], colour) {
  for (;;) {
    file += right;
    rank += up;
    if (file < 0 || rank < 0 || file >= size || rank >= size) return false;
    const stone = stones.get(`${file},${rank}`);
    if (stone) return stone === colour;
  }
}

/**
 * Whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two neighbouring
 * ones with the two diagonals that touch one of them each.
 */
function controls(colour, file, rank) {
  const seen = ORTHOGONAL.map((direction) => sees(file, rank, direction, colour));
  const count = seen.filter(Boolean).length;
  const isEdge = file === 0 || rank === 0 || file === size - 1 || rank === size - 1;
  if (count >= 3 || (isEdge && count >= 2)) return true;
  return ORTHOGONAL.some(([right, up], k) => {
    const next = (k + 1) % 4;
    const [nextRight, nextUp] = ORTHOGONAL[next];
    return (
      seen[k] && seen[next] &&
      sees(file, rank, [right - nextRight, up - nextUp], colour) &&
      sees(file, rank, [nextRight - right, nextUp - up], colour)
    );
  });
}

/** The flips and the placements of the side to move. */
function moves() {
  const enemy = turn === "b" ? "w" : "b";
  const flips = [];
  const placements = [];
  for (let file = 0; file < size; file++) {
    for (let rank = 0; rank < size; rank++) {
      const here = stones.get(`${file},${rank}`);
      const name = String.fromCharCode(97 + file) + (rank + 1);
      if (here === enemy && controls(turn, file, rank)) flips.push(`${name}x`);
      if (!here && !controls(enemy, file, rank)) placements.push(name);
    }
  }
  return [flips, placements];
}

/** Place the stones of a FEN: rows from the top, then the colour to move. */
function setUp(fen) {
  const [rows, colour] = fen.split("_");
  stones = new Map();
  turn = colour;
  rows.split("/").forEach((row, k) => [...row].forEach((stone, file) => {
    if (stone !== ".") stones.set(`${file},${size - 1 - k}`, stone);
  }));
}

function play(move) {
  if (move === "swap") return; // persons exchange colours: the same colour is to move
  const parts = /^([a-z])(\d+)x?$/.exec(move);
  if (parts) stones.set(`${parts[1].charCodeAt(0) - 97},${parts[2] - 1}`, turn);
  turn = turn === "b" ? "w" : "b";
}

for (let line = readLine(); line !== null; line = readLine()) {
  const [word, ...words] = line.split(" ");
  if (word === "ugi") {
    print("id name morlox.js\nugiok");
  } else if (word === "setoption" && words[1] === "Game") {
    size = Number(/^morlox\(.*size=(\d+)/.exec(words[3])[1]);
  } else if (word === "isready") {
    print("readyok");
  } else if (word === "position") { // `startpos`, or `fen` in a match that begins from an opening
    const [kind, ...rest] = words;
    setUp(kind === "fen" ? rest.shift() : "_b");
    rest.slice(1).forEach(play);
  } else if (word === "go") {
    const [flips, placements] = moves();
    const choices = flips.length ? flips : placements.length ? placements : ["pass"];
    print(`bestmove ${choices[Math.floor(Math.random() * choices.length)]}`);
  } else if (word === "quit") {
    break;
  }
}
