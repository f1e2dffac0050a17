// Plays The Perfect Game? without our rules: it has its own. Encloses tiles and takes men when it can, else advances.

const SIZE = 10;
const MEN = 10; // of each colour
const TILES = 80; // one for each square outside of the corners where the men start
const STEPS = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const JUMPS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const ALL = Array.from({ length: SIZE * SIZE }, (_, i) => [i % SIZE, Math.floor(i / SIZE)]);
let first = "r"; // the colour that lays the first tile
let ground = []; // ground[file][rank]: "R" and "B" the corners, "r" and "b" tiles, "f" flipped tiles, "." bare
let men = []; // men[file][rank]: "r", "b" or "."
let stock = {}; // tiles left of a colour: for squares with an odd and with an even file + rank
let plies = 0;

const other = (colour) => (colour === "r" ? "b" : "r");
const isInside = ([file, rank]) => file >= 0 && rank >= 0 && file < SIZE && rank < SIZE;
const name = ([file, rank]) => String.fromCharCode(97 + file) + (rank + 1);
const place = (text) => [text.charCodeAt(0) - 97, text.slice(1) - 1];
const has = (board, letter) => ([file, rank]) => board[file][rank] === letter;
const isHome = (colour) => has(ground, colour.toUpperCase());
const kind = ([file, rank]) => (file + rank + 1) % 2;
const ways = ([file, rank], directions) => directions.map(([right, up]) => [file + right, rank + up]).filter(isInside);

/** The colour to move. The side that lays the last tile makes the first turn of the men. */
const turn = () => ((plies % 2 === 0) === plies < TILES ? first : other(first));

// Tiles

/** The enemy's tiles that a tile of the side to move encloses. */
function enclosed(tile) {
  const enemy = other(turn());
  const found = new Set();
  for (const seed of ways(tile, STEPS).filter(has(ground, enemy))) {
    const group = [seed];
    const names = new Set([name(seed), name(tile)]);
    let isFree = false;
    for (const at of group) {
      for (const next of ways(at, STEPS).filter((each) => !names.has(name(each)))) {
        const [file, rank] = next;
        if ([".", "f", enemy.toUpperCase()].includes(ground[file][rank])) isFree = true;
        if (ground[file][rank] !== enemy) continue;
        names.add(name(next));
        group.push(next);
      }
    }
    if (!isFree) group.forEach((at) => found.add(name(at)));
  }
  return found;
}

function layings() {
  const left = stock[turn()];
  return ALL.filter((at) => has(ground, ".")(at) && left[kind(at)])
    .map((at) => ({ text: `+${name(at)}`, value: enclosed(at).size }));
}

// Men

/** The jumps of a man at `at`: the square that it leaps over, and where it lands. */
const jumps = (at, board) => JUMPS.map(([right, up]) => [[at[0] + right, at[1] + up], [at[0] + 2 * right, at[1] + 2 * up]])
  .filter(([over, to]) => isInside(to) && !has(board, ".")(over) && has(board, ".")(to));

/** Whether a man may be captured: it does not stand in its own corner or on a tile of its colour. */
function isVictim([file, rank], board) {
  const enemy = other(turn());
  return board[file][rank] === enemy && ![enemy, enemy.toUpperCase()].includes(ground[file][rank]);
}

/** Whether a man has to be captured: it stands on a flipped tile. */
const isPrey = (at, board) => has(ground, "f")(at) && isVictim(at, board);

/** How far a square is from the corner of the side to move. */
const advance = ([file, rank]) => (turn() === "r" ? file + rank : 2 * (SIZE - 1) - file - rank);

/** All series of jumps of a man. */
function series(start) {
  const found = [];
  const open = [{ text: name(start), at: start, board: copyWithout(men, start), over: [], taken: 0, preys: 0 }];
  while (open.length) {
    const { text, at, board, over, taken, preys } = open.pop();
    let mayEnd = name(at) !== name(start) || taken > 0;
    for (const [leapt, to] of jumps(at, board)) {
      if (over.includes(name(leapt))) continue; // no man is jumped twice
      const isTaken = isVictim(leapt, board);
      const isDue = isPrey(leapt, board);
      if (isDue) mayEnd = false; // a series goes on while it has to capture
      open.push({
        text: `${text}${isTaken ? "x" : "-"}${name(to)}`,
        at: to,
        board: isTaken ? copyWithout(board, leapt) : board,
        over: isTaken ? over : [...over, name(leapt)],
        taken: taken + isTaken,
        preys: preys + isDue,
      });
    }
    if (mayEnd) found.push({ text, to: at, preys, value: advance(at) - advance(start) + 5 * taken });
  }
  return found;
}

function copyWithout(board, [file, rank]) {
  const copy = board.map((column) => [...column]);
  copy[file][rank] = ".";
  return copy;
}

const steps = (start) => ways(start, STEPS).filter(has(men, "."))
  .map((to) => ({ text: `${name(start)}-${name(to)}`, to, preys: 0, value: advance(to) - advance(start) }));

function turns() {
  const home = isHome(turn());
  const own = ALL.filter(has(men, turn()));
  const goings = (from) => from.flatMap((at) => [...steps(at), ...series(at)]);
  if (own.length < MEN) { // a man that was captured enters first, or another makes room for it
    const free = ALL.filter((at) => home(at) && has(men, ".")(at));
    if (free.length) return free.map((at) => ({ text: `@${name(at)}`, value: advance(at) }));
    return goings(own.filter(home)).filter(({ to }) => !home(to));
  }
  if (own.some((at) => jumps(at, men).some(([over]) => isPrey(over, men)))) {
    return own.flatMap(series).filter(({ preys }) => preys);
  }
  return goings(own);
}

// The game

function play(move) {
  const side = turn();
  if (move[0] === "+") {
    const at = place(move.slice(1));
    enclosed(at).forEach((text) => {
      const [file, rank] = place(text);
      ground[file][rank] = "f";
    });
    ground[at[0]][at[1]] = side;
    stock[side][kind(at)]--;
  } else if (move !== "pass") {
    const path = move.match(/[a-j]\d+/g).map(place);
    const signs = move.match(/[-x]/g) ?? [];
    men[path[0][0]][path[0][1]] = ".";
    signs.forEach((sign, k) => {
      if (sign === "x") men[(path[k][0] + path[k + 1][0]) / 2][(path[k][1] + path[k + 1][1]) / 2] = ".";
    });
    const [file, rank] = path.at(-1);
    men[file][rank] = side;
  }
  plies++;
}

/** Rows from the top, as the text of a position has them, as columns from the left. */
const columns = (text) => Array.from({ length: SIZE }, (_, file) => text.split("/").map((row) => row[file]).reverse());

function start(text) {
  const [tiles, pieces, , , ply, left] = text.split("_");
  const [red, orange, blue, green] = left.split(",").map(Number);
  ground = columns(tiles);
  men = columns(pieces);
  stock = { r: [red, orange], b: [blue, green] };
  plies = Number(ply);
}

const CORNERS = "......BBBB/.......BBB/........BB/.........B/........../........../R........./RR......../RRR......./RRRR......";
const START = `${CORNERS}_${CORNERS.toLowerCase()}_-_-_0_19,21,19,21`;

for (let line = readLine(); line !== null; line = readLine()) {
  const [word, ...words] = line.split(" ");
  if (word === "ugi") {
    print("id name perfect.js\nugiok");
  } else if (word === "setoption" && words[1] === "Game") {
    first = /first=(.)/.exec(words[3])[1];
  } else if (word === "isready") {
    print("readyok");
  } else if (word === "position") {
    start(words[0] === "fen" ? words[1] : START);
    words.slice(words.indexOf("moves") + 1 || words.length).forEach(play);
  } else if (word === "go") {
    const choices = plies < TILES ? layings() : turns();
    const best = choices.map(({ text, value }) => [value + Math.random(), text]).sort(([a], [b]) => b - a)[0];
    print(`bestmove ${best ? best[1] : "pass"}`);
  } else if (word === "quit") {
    break;
  }
}
