// Plays Morlox without our rules: it has its own. Flips a stone when it can, else places one anywhere.

#include <array>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

enum class Stone { none, black, white };
constexpr std::array<std::pair<int, int>, 4> ways{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};  // north, east, south, west

Stone other(Stone stone) { return stone == Stone::black ? Stone::white : Stone::black; }

class Board {
 public:
  // The board of a FEN: rows from the top, then the colour to move.
  explicit Board(int size, const std::string& fen = "") : size_(size), stones_(size * size, Stone::none) {
    std::istringstream parts(fen);
    std::string rows, turn;
    std::getline(parts, rows, '_');
    std::getline(parts, turn, '_');
    if (turn == "w") turn_ = Stone::white;
    int file = 0, rank = size - 1;
    for (const char letter : rows) {
      if (letter == 'b' || letter == 'w') stones_[index(file, rank)] = letter == 'b' ? Stone::black : Stone::white;
      if (letter == '/') --rank;
      file = letter == '/' ? 0 : file + 1;
    }
  }

  void play(const std::string& move) {
    if (move == "swap") return;  // persons exchange colours: the same colour is to move
    if (move != "pass") stones_[index(move[0] - 'a', std::stoi(move.substr(1)) - 1)] = turn_;
    turn_ = other(turn_);
  }

  // A move: one of the flips, or one of the placements, or a pass.
  std::string choose(std::mt19937& random) const {
    std::vector<std::string> flips, placements;
    for (int rank = 0; rank < size_; ++rank) {
      for (int file = 0; file < size_; ++file) {
        const Stone here = stones_[index(file, rank)];
        const std::string name = static_cast<char>('a' + file) + std::to_string(rank + 1);
        if (here == other(turn_) && controls(turn_, file, rank)) flips.push_back(name + "x");
        if (here == Stone::none && !controls(other(turn_), file, rank)) placements.push_back(name);
      }
    }
    const auto& best = flips.empty() ? placements : flips;
    return best.empty() ? "pass" : best[random() % best.size()];
  }

 private:
  std::size_t index(int file, int rank) const { return rank * size_ + file; }

  // Whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two neighbouring
  // ones with the two diagonals that touch one of them each.
  bool controls(Stone stone, int file, int rank) const {
    std::array<bool, 4> seen;
    int count = 0;
    for (int k = 0; k < 4; ++k) count += seen[k] = sees(file, rank, ways[k].first, ways[k].second, stone);
    const int edge = size_ - 1;
    if (count >= 3 || (count >= 2 && (file % edge == 0 || rank % edge == 0))) return true;
    for (int k = 0; k < 4; ++k) {
      const int next = (k + 1) % 4;
      const int right = ways[k].first - ways[next].first, up = ways[k].second - ways[next].second;
      if (seen[k] && seen[next] && sees(file, rank, right, up, stone) && sees(file, rank, -right, -up, stone)) return true;
    }
    return false;
  }

  // Whether the first stone seen from a square in a direction is of this colour.
  bool sees(int file, int rank, int right, int up, Stone stone) const {
    for (;;) {
      file += right;
      rank += up;
      if (file < 0 || rank < 0 || file >= size_ || rank >= size_) return false;
      const Stone here = stones_[index(file, rank)];
      if (here != Stone::none) return here == stone;
    }
  }

  int size_;
  std::vector<Stone> stones_;
  Stone turn_ = Stone::black;
};

int main() {
  int size = 0;
  Board board(0);
  std::mt19937 random(7);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "ugi") {
      std::cout << "id name morlox.cpp\nugiok" << std::endl;
    } else if (word == "setoption") {
      const auto at = line.find("size=");
      if (at != std::string::npos) size = std::stoi(line.substr(at + 5));
    } else if (word == "isready") {
      std::cout << "readyok" << std::endl;
    } else if (word == "position") {  // `startpos`, or `fen` in a match that begins from an opening
      std::string fen;
      words >> word;
      if (word == "fen") words >> fen;
      board = Board(size, fen);
      words >> word;
      while (words >> word) board.play(word);
    } else if (word == "go") {
      std::cout << "bestmove " << board.choose(random) << std::endl;
    } else if (word == "quit") {
      break;
    }
  }
}
