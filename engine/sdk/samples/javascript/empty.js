// A bot that speaks the protocol and resigns. Give it the rules of its game.

let rules = ""; // such as "morelli(edition=revised,size=9,setup=random)"
let start = ""; // the text of the initial position, or "" if the rules have one start only
let moves = []; // since the start, of both sides

/** The move to play, written as the notation of the game says, with "_" for a space. */
function choose() {
  console.log(`${rules}: ${moves.length} moves before`);
  return "resign";
}

for (let line = readLine(); line !== null; line = readLine()) {
  const [word, ...words] = line.split(" ");
  if (word === "ugi") {
    print("id name empty.js\nugiok");
  } else if (word === "setoption" && words[1] === "Game") {
    rules = words[3];
  } else if (word === "isready") {
    print("readyok");
  } else if (word === "position") {
    start = words[0] === "fen" ? words[1].replaceAll("_", " ") : "";
    moves = words.slice(words.indexOf("moves") + 1 || words.length);
  } else if (word === "go") {
    print(`bestmove ${choose()}`);
  } else if (word === "quit") {
    break;
  }
}
