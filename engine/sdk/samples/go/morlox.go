// Plays Morlox without our rules: it has its own. Flips a stone when it can, else places one anywhere.
package main

import (
	"bufio"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

type stone int8

const (
	none stone = iota
	black
	white
)

type square struct{ file, rank int }

var ways = [4]square{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} // north, east, south, west

type board struct {
	size   int
	stones map[square]stone
	turn   stone
}

// newBoard returns the board of a FEN: rows from the top, then the colour to move.
func newBoard(size int, fen string) *board {
	b := &board{size: size, stones: map[square]stone{}, turn: black}
	rows, rest, _ := strings.Cut(fen, "_")
	if strings.HasPrefix(rest, "w") {
		b.turn = white
	}
	colours := map[rune]stone{'b': black, 'w': white}
	for k, row := range strings.Split(rows, "/") {
		for file, letter := range row {
			b.stones[square{file, size - 1 - k}] = colours[letter]
		}
	}
	return b
}

func (s stone) other() stone {
	return black + white - s
}

// sees reports whether the first stone seen from a square in a direction is of this colour.
func (b *board) sees(from, way square, colour stone) bool {
	for {
		from.file += way.file
		from.rank += way.rank
		if from.file < 0 || from.rank < 0 || from.file >= b.size || from.rank >= b.size {
			return false
		}
		if here := b.stones[from]; here != none {
			return here == colour
		}
	}
}

// controls reports whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two
// neighbouring ones with the two diagonals that touch one of them each.
func (b *board) controls(colour stone, at square) bool {
	var seen [4]bool
	count := 0
	for k, way := range ways {
		seen[k] = b.sees(at, way, colour)
		if seen[k] {
			count++
		}
	}
	edge := b.size - 1
	if count >= 3 || count >= 2 && (at.file%edge == 0 || at.rank%edge == 0) {
		return true
	}
	for k, way := range ways {
		next := ways[(k+1)%4]
		one := square{way.file - next.file, way.rank - next.rank}
		if seen[k] && seen[(k+1)%4] && b.sees(at, one, colour) && b.sees(at, square{-one.file, -one.rank}, colour) {
			return true
		}
	}
	return false
}

func (b *board) play(move string) {
	if move == "swap" { // persons exchange colours: the same colour is to move
		return
	}
	if move != "pass" {
		rank, _ := strconv.Atoi(strings.TrimSuffix(move[1:], "x"))
		b.stones[square{int(move[0] - 'a'), rank - 1}] = b.turn
	}
	b.turn = b.turn.other()
}

// choose returns a move: one of the flips, or one of the placements, or a pass.
func (b *board) choose() string {
	var flips, placements []string
	enemy := b.turn.other()
	for rank := range b.size {
		for file := range b.size {
			at := square{file, rank}
			name := string(rune('a'+file)) + strconv.Itoa(rank+1)
			switch here := b.stones[at]; {
			case here == enemy && b.controls(b.turn, at):
				flips = append(flips, name+"x")
			case here == none && !b.controls(enemy, at):
				placements = append(placements, name)
			}
		}
	}
	for _, moves := range [][]string{flips, placements} {
		if len(moves) > 0 {
			return moves[rand.Intn(len(moves))]
		}
	}
	return "pass"
}

func say(text string) {
	os.Stdout.WriteString(text + "\n")
}

func main() {
	size := 0
	current := newBoard(size, "")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "ugi":
			say("id name morlox.go\nugiok")
		case "setoption":
			if _, rest, ok := strings.Cut(lines.Text(), "size="); ok {
				size, _ = strconv.Atoi(rest[:strings.IndexAny(rest, ",)")])
			}
		case "isready":
			say("readyok")
		case "position": // `startpos`, or `fen` in a match that begins from an opening
			fen, rest := "", words[2:]
			if words[1] == "fen" {
				fen, rest = words[2], words[3:]
			}
			current = newBoard(size, fen)
			if len(rest) > 0 {
				for _, move := range rest[1:] {
					current.play(move)
				}
			}
		case "go":
			say("bestmove " + current.choose())
		case "quit":
			return
		}
	}
}
