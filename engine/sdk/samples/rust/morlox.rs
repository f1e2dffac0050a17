//! Plays Morlox without our rules: it has its own. Flips a stone when it can, else places one anywhere.

use std::io::{self, BufRead, Write};

#[derive(Clone, Copy, PartialEq)]
enum Stone {
    Black,
    White,
}

impl Stone {
    fn other(self) -> Stone {
        if self == Stone::Black { Stone::White } else { Stone::Black }
    }
}

const WAYS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)]; // north, east, south, west

struct Board {
    size: i32,
    stones: Vec<Option<Stone>>,
    turn: Stone,
}

impl Board {
    /// The board of a FEN: rows from the top, then the colour to move.
    fn new(size: i32, fen: &str) -> Board {
        let (rows, rest) = fen.split_once('_').unwrap_or((fen, ""));
        let turn = if rest.starts_with('w') { Stone::White } else { Stone::Black };
        let mut board = Board { size, stones: vec![None; (size * size) as usize], turn };
        for (rank, row) in (0..size).rev().zip(rows.split('/')) {
            for (file, letter) in (0..size).zip(row.chars()) {
                let index = board.index(file, rank);
                board.stones[index] = match letter {
                    'b' => Some(Stone::Black),
                    'w' => Some(Stone::White),
                    _ => None,
                };
            }
        }
        board
    }

    fn index(&self, file: i32, rank: i32) -> usize {
        (rank * self.size + file) as usize
    }

    /// Whether the first stone seen from a square in a direction is of this colour.
    fn sees(&self, (mut file, mut rank): (i32, i32), (right, up): (i32, i32), stone: Stone) -> bool {
        loop {
            file += right;
            rank += up;
            if file < 0 || rank < 0 || file >= self.size || rank >= self.size {
                return false;
            }
            if let Some(here) = self.stones[self.index(file, rank)] {
                return here == stone;
            }
        }
    }

    /// Whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two neighbouring
    /// ones with the two diagonals that touch one of them each.
    fn controls(&self, stone: Stone, square: (i32, i32)) -> bool {
        let seen = WAYS.map(|way| self.sees(square, way, stone));
        let count = seen.iter().filter(|&&one| one).count();
        let edge = self.size - 1;
        let is_edge = square.0 % edge == 0 || square.1 % edge == 0;
        if count >= 3 || count >= 2 && is_edge {
            return true;
        }
        (0..4).any(|k| {
            let next = (k + 1) % 4;
            let (right, up) = (WAYS[k].0 - WAYS[next].0, WAYS[k].1 - WAYS[next].1);
            seen[k]
                && seen[next]
                && self.sees(square, (right, up), stone)
                && self.sees(square, (-right, -up), stone)
        })
    }

    fn play(&mut self, text: &str) {
        if text == "swap" {
            return; // persons exchange colours: the same colour is to move
        }
        if text != "pass" {
            let rank: i32 = text[1..].trim_end_matches('x').parse().expect("a rank");
            let index = self.index((text.as_bytes()[0] - b'a') as i32, rank - 1);
            self.stones[index] = Some(self.turn);
        }
        self.turn = self.turn.other();
    }

    /// A move: one of the flips, or one of the placements, or a pass.
    fn choose(&self, random: &mut Random) -> String {
        let (mut flips, mut placements) = (Vec::new(), Vec::new());
        for rank in 0..self.size {
            for file in 0..self.size {
                let name = format!("{}{}", (b'a' + file as u8) as char, rank + 1);
                match self.stones[self.index(file, rank)] {
                    Some(stone) if stone != self.turn && self.controls(self.turn, (file, rank)) => {
                        flips.push(name + "x")
                    }
                    None if !self.controls(self.turn.other(), (file, rank)) => placements.push(name),
                    _ => {}
                }
            }
        }
        let best = if flips.is_empty() { placements } else { flips };
        if best.is_empty() { "pass".to_string() } else { best[random.below(best.len())].clone() }
    }
}

/// Random numbers by xorshift: the standard library has none.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

fn main() {
    let mut board = Board::new(0, "");
    let mut size = 0;
    let mut random = Random(7);
    for line in io::stdin().lock().lines() {
        let line = line.expect("UTF-8");
        let mut words = line.split_whitespace();
        match words.next().unwrap_or("") {
            "ugi" => println!("id name morlox.rs\nugiok"),
            "setoption" => {
                if let Some((_, rest)) = line.split_once("size=") {
                    size = rest.split([',', ')']).next().and_then(|text| text.parse().ok()).unwrap_or(0);
                }
            }
            "isready" => println!("readyok"),
            // `startpos`, or `fen` in a match that begins from an opening.
            "position" => {
                let is_fen = words.next() == Some("fen");
                board = Board::new(size, if is_fen { words.next().unwrap_or("") } else { "" });
                words.skip(1).for_each(|text| board.play(text));
            }
            "go" => println!("bestmove {}", board.choose(&mut random)),
            "quit" => return,
            _ => {}
        }
        io::stdout().flush().expect("a referee");
    }
}
