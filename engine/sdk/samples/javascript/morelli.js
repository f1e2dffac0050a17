// Plays Morelli without our rules: it has its own. Takes the Throne when it can, else captures as many as it can.

const DIRECTIONS = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];
let size = 0;
let cells = []; // cells[file][rank]: "b", "w" or ""
let king = "-"; // the colour on the Throne
let turn = "b";
let isPlacing = false;
let rules = "";

const other = (colour) => (colour === "b" ? "w" : "b");
const isInside = (file, rank) => file >= 0 && rank >= 0 && file < size && rank < size;
const name = (file, rank) => String.fromCharCode(65 + file) + (rank + 1);
const place = (text) => [text.charCodeAt(0) - 65, text.slice(1) - 1];

/** How far a cell is from the Throne: 0 is the Throne, 1 Indigo, 2 Blue. */
function depth(file, rank) {
  const centre = (size - 1) / 2;
  return Math.max(Math.abs(file - centre), Math.abs(rank - centre));
}

/** The victims of a piece that lands: neighbours with a piece of the mover right behind. */
function victims(file, rank) {
  return DIRECTIONS.map(([right, up]) => [file + right, rank + up, file + 2 * right, rank + 2 * up])
    .filter(([f, r, behindFile, behindRank]) => isInside(behindFile, behindRank)
      && cells[f][r] === other(turn) && cells[behindFile][behindRank] === turn)
    .map(([f, r]) => [f, r]);
}

/** Whether the frame of a cell, its three quarter-turns around the Throne, belongs to the mover. */
function isFrame(file, rank) {
  const edge = size - 1;
  if (depth(file, rank) === edge / 2) return false; // the outermost band has no frames
  return [[file, rank], [rank, edge - file], [edge - file, edge - rank], [edge - rank, file]]
    .every(([f, r]) => cells[f][r] === turn);
}

/** The move from one cell to another, with all that it takes. */
function withEffects(from, to) {
  cells[from[0]][from[1]] = "";
  const taken = victims(...to);
  const changed = [to, ...taken];
  changed.forEach(([f, r]) => (cells[f][r] = turn));
  const takesThrone = king !== turn && changed.some(([f, r]) => isFrame(f, r));
  taken.forEach(([f, r]) => (cells[f][r] = other(turn)));
  cells[to[0]][to[1]] = "";
  cells[from[0]][from[1]] = turn;
  taken.sort(([f1, r1], [f2, r2]) => f1 - f2 || r1 - r2);
  const words = taken.length ? `_x${taken.map((cell) => name(...cell)).join("")}` : "";
  return { text: `${name(...from)}-${name(...to)}${words}${takesThrone ? "*" : ""}`, takesThrone, captures: taken.length };
}

/** All moves, each with every effect that it can have. */
function moves() {
  const found = [];
  for (let file = 0; file < size; file++) {
    for (let rank = 0; rank < size; rank++) {
      if (isPlacing && depth(file, rank) === (size - 1) / 2 && !cells[file][rank]) {
        found.push({ text: `@${name(file, rank)}`, takesThrone: false, captures: 0 });
      }
      if (isPlacing || cells[file][rank] !== turn) continue;
      for (const [right, up] of DIRECTIONS) {
        for (let f = file + right, r = rank + up; isInside(f, r) && !cells[f][r]; f += right, r += up) {
          if (depth(f, r) === 0 && king !== "-") break; // an occupied Throne is in the way
          if (depth(f, r) && depth(f, r) < depth(file, rank)) found.push(withEffects([file, rank], [f, r]));
        }
      }
    }
  }
  return found;
}

/** The colour of a cell of the outermost band before the first ply, by the set-up's name. */
function first(setup, file, rank) {
  const edge = size - 1;
  if (setup === "facing") return (rank === 0 && file < edge) || (rank === edge && file > 0) ? "b" : "w";
  if (setup === "adjacent") return file === 0 || (rank === 0 && file < edge) ? "b" : "w";
  return ""; // the players place the pieces
}

/** The start that the rules name, if nothing of it is drawn. */
function startOfRules() {
  const setup = /setup=(\w+)/.exec(rules)[1];
  const outer = (file, rank) => depth(file, rank) === (size - 1) / 2;
  cells = Array.from({ length: size }, (_, file) =>
    Array.from({ length: size }, (_, rank) => (outer(file, rank) ? first(setup, file, rank) : "")));
  isPlacing = !cells[0][0];
  turn = "b";
  king = "-";
}

function start(text) {
  const [rows, side, throne, phase] = text.split("_");
  cells = Array.from({ length: size }, () => Array(size).fill(""));
  rows.split("/").forEach((row, i) => {
    let file = 0;
    for (const [word] of row.matchAll(/\d+|[bw]/g)) {
      if (word > "9") cells[file++][size - 1 - i] = word;
      else file += Number(word);
    }
  });
  turn = side;
  king = throne;
  isPlacing = phase === "placement";
}

function play(move) {
  const [, from, to, taken = "", star] = /^@?([A-Z]\d+)(?:-([A-Z]\d+))?(?:_x([A-Z\d]+))?(\*?)/.exec(move);
  const [file, rank] = place(from);
  if (!to) {
    // Black places first, then each side twice in turn, and black last. The revised edition places pairs.
    const pieces = /edition=revised/.test(rules) ? 2 : 1;
    cells[file][rank] = pieces === 2 ? "b" : turn;
    if (pieces === 2) cells[size - 1 - file][size - 1 - rank] = "w";
    const placed = cells.flat().filter(Boolean).length;
    isPlacing = placed < 4 * (size - 1);
    turn = isPlacing && Math.floor((placed / pieces + 1) / 2) % 2 ? "w" : "b";
    return;
  }
  cells[file][rank] = "";
  for (const cell of [to, ...(taken.match(/[A-Z]\d+/g) ?? [])]) {
    const [f, r] = place(cell);
    cells[f][r] = turn;
  }
  if (star) king = turn;
  turn = other(turn);
}

for (let line = readLine(); line !== null; line = readLine()) {
  const [word, ...words] = line.split(" ");
  if (word === "ugi") {
    print("id name morelli.js\nugiok");
  } else if (word === "setoption" && words[1] === "Game") {
    rules = words[3];
    size = Number(/size=(\d+)/.exec(rules)[1]);
  } else if (word === "isready") {
    print("readyok");
  } else if (word === "position") {
    if (words[0] === "fen") start(words[1]);
    else startOfRules();
    words.slice(words.indexOf("moves") + 1 || words.length).forEach(play);
  } else if (word === "go") {
    const value = ({ takesThrone, captures }) => (takesThrone ? 100 : 0) + captures + Math.random();
    const best = moves().map((move) => [value(move), move.text]).sort(([a], [b]) => b - a)[0];
    print(`bestmove ${best ? best[1] : "resign"}`);
  } else if (word === "quit") {
    break;
  }
}
