/* A bot for Morlox as a WebAssembly module: alpha-beta, a ply deeper at a time, until its fuel is half used.
 *
 * Reads the line protocol (docs/reference/protocol.md) on standard input; resigns every other game. Rules are cited as in
 * games/morlox. Build: ./build.sh
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SIZE = 26, MAX_CELLS = MAX_SIZE * MAX_SIZE, MAX_DEPTH = 16, MAX_LINE = 65536 };
enum { EMPTY, BLACK, WHITE };
enum { PLACE, FLIP, SWAP, PASS };
enum { WIN = 30000, INFINITE = 32000 };

typedef struct {
    uint8_t stone[MAX_CELLS];
    uint8_t turn; /* the colour to move */
    int ply;
} Position;

typedef struct {
    uint8_t kind;
    int16_t cell;
} Move;

typedef struct {
    Move moves[MAX_CELLS + 2];
    int count;
} MoveList;

static int size = 11;
static bool has_swap = true;
static bool is_morlox = false;
static int max_depth = MAX_DEPTH; /* the option Depth */

static int64_t deadline_ns;
static uint32_t nodes;
static bool is_out_of_time;

static int other(int colour) { return BLACK + WHITE - colour; }

/* Directions: N, E, S, W, then NE, SE, SW, NW. */
static const int FILES[8] = {0, 1, 0, -1, 1, 1, -1, -1};
static const int RANKS[8] = {1, 0, -1, 0, 1, -1, -1, 1};

/* The first stone seen from `cell` in a direction. D-X1: what stands on the cell itself does not matter. */
static int seen(const Position *position, int cell, int direction) {
    int file = cell % size + FILES[direction], rank = cell / size + RANKS[direction];
    while (file >= 0 && file < size && rank >= 0 && rank < size) {
        int stone = position->stone[rank * size + file];
        if (stone != EMPTY) return stone;
        file += FILES[direction], rank += RANKS[direction];
    }
    return EMPTY;
}

/* The colour that controls `cell`, or EMPTY; it is never both. morlox/control */
static int controller(const Position *position, int cell) {
    int file = cell % size, rank = cell / size;
    bool is_perimeter = file == 0 || rank == 0 || file == size - 1 || rank == size - 1;
    int sight[8], count[3] = {0, 0, 0};
    for (int direction = 0; direction < 8; direction++) {
        sight[direction] = seen(position, cell, direction);
        if (direction < 4) count[sight[direction]]++;
    }
    for (int colour = BLACK; colour <= WHITE; colour++) {
        if (count[colour] >= 3 || (is_perimeter && count[colour] >= 2)) return colour; /* D-X3 */
        if (count[colour] < 2) continue;
        bool n = sight[0] == colour, e = sight[1] == colour, s = sight[2] == colour, w = sight[3] == colour;
        bool ne = sight[4] == colour, se = sight[5] == colour, sw = sight[6] == colour, nw = sight[7] == colour;
        if (((n && e) || (s && w)) && nw && se) return colour; /* D-X4 */
        if (((n && w) || (s && e)) && ne && sw) return colour;
    }
    return EMPTY;
}

static bool may_place(int stone, int control, int colour) { return stone == EMPTY && control != other(colour); }
static bool may_flip(int stone, int control, int colour) { return stone == other(colour) && control == colour; }

static void add(MoveList *list, int kind, int cell) {
    list->moves[list->count++] = (Move){(uint8_t)kind, (int16_t)cell};
}

/* All legal moves of a game that is not over; `control` of every cell is known. morlox/play */
static void list_moves(const Position *position, const uint8_t *control, MoveList *list) {
    list->count = 0;
    for (int cell = 0; cell < size * size; cell++) {
        if (may_place(position->stone[cell], control[cell], position->turn)) add(list, PLACE, cell);
        if (may_flip(position->stone[cell], control[cell], position->turn)) add(list, FLIP, cell);
    }
    if (has_swap && position->ply == 1) add(list, SWAP, 0); /* D-X9 */
    if (list->count == 0) add(list, PASS, 0);               /* D-X8 */
}

static void play(Position *position, Move move) {
    if (move.kind == PLACE || move.kind == FLIP) position->stone[move.cell] = position->turn;
    if (move.kind != SWAP) position->turn = (uint8_t)other(position->turn); /* D-X9: White is to move after it */
    position->ply++;
}

/* How far `colour` is from a chain between its edges: 0 with one, 1 for a cell it may take now, 3 for any other. */
static int distance(const Position *position, const uint8_t *control, int colour) {
    static uint16_t cost[MAX_CELLS];
    static uint16_t bucket[4][MAX_CELLS * 5];
    int count[4] = {0, 0, 0, 0}, waiting = 0;
    int cells = size * size;
    uint8_t price[MAX_CELLS];
    for (int cell = 0; cell < cells; cell++) {
        int stone = position->stone[cell];
        bool is_cheap = may_place(stone, control[cell], colour) || may_flip(stone, control[cell], colour);
        price[cell] = stone == colour ? 0 : is_cheap ? 1 : 3;
        cost[cell] = UINT16_MAX;
    }
    for (int step = 0; step < size; step++) {
        int cell = colour == BLACK ? step : step * size; /* the bottom edge, the left edge */
        cost[cell] = price[cell];
        bucket[price[cell]][count[price[cell]]++] = (uint16_t)cell, waiting++;
    }
    for (int reached = 0; waiting > 0; reached++) {
        for (int k = 0; k < count[reached & 3]; k++) {
            int cell = bucket[reached & 3][k], file = cell % size, rank = cell / size;
            waiting--;
            if (cost[cell] != reached) continue;
            if ((colour == BLACK ? rank : file) == size - 1) return reached;
            for (int direction = 0; direction < 4; direction++) {
                int f = file + FILES[direction], r = rank + RANKS[direction], next = r * size + f;
                if (f < 0 || r < 0 || f >= size || r >= size || cost[next] <= reached + price[next]) continue;
                cost[next] = (uint16_t)(reached + price[next]);
                bucket[cost[next] & 3][count[cost[next] & 3]++] = (uint16_t)next, waiting++;
            }
        }
        count[reached & 3] = 0;
    }
    return 3 * cells; /* not reached: every cell has a price */
}

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The value of `position` for the side to move, in hundredths of a step of distance. */
static int search(const Position *position, int depth, int height, int alpha, int beta, Move *best) {
    if ((++nodes & 31) == 0 && now_ns() > deadline_ns) is_out_of_time = true;
    if (is_out_of_time) return 0;
    uint8_t control[MAX_CELLS];
    for (int cell = 0; cell < size * size; cell++) control[cell] = (uint8_t)controller(position, cell);
    int own = distance(position, control, position->turn);
    if (own == 0) return WIN - height; /* D-X6: a chain wins at the start of its owner's turn */
    if (depth == 0) return 100 * (distance(position, control, other(position->turn)) - own) + 50;

    MoveList list;
    list_moves(position, control, &list);
    Move first = *best;
    for (int k = -1; k < list.count; k++) {
        Move move = k < 0 ? first : list.moves[k]; /* the best move of the depth before comes first */
        if (k < 0 && first.kind > PASS) continue;
        Position next = *position;
        play(&next, move);
        Move reply = {PASS + 1, 0};
        int value = -search(&next, depth - 1, height + 1, -beta, -alpha, &reply);
        if (is_out_of_time) return 0;
        if (value > alpha) {
            alpha = value;
            *best = move;
        }
        if (alpha >= beta) return beta;
    }
    return alpha;
}

/* Output: no stdio, which would be four fifths of the module. */

static void say(const char *text) { write(STDOUT_FILENO, text, strlen(text)); }

static char *put(char *at, const char *text) {
    while (*text) *at++ = *text++;
    *at = 0;
    return at;
}

static char *put_number(char *at, int64_t number) {
    char digits[24];
    int count = 0;
    if (number < 0) *at++ = '-', number = -number;
    do digits[count++] = (char)('0' + number % 10), number /= 10;
    while (number);
    while (count) *at++ = digits[--count];
    *at = 0;
    return at;
}

static char *put_move(char *at, Move move) {
    if (move.kind == SWAP) return put(at, "swap");
    if (move.kind == PASS) return put(at, "pass");
    *at++ = (char)('a' + move.cell % size);
    at = put_number(at, move.cell / size + 1);
    return move.kind == FLIP ? put(at, "x") : at;
}

static Move read_move(const char *word) {
    if (strcmp(word, "swap") == 0) return (Move){SWAP, 0};
    if (strcmp(word, "pass") == 0) return (Move){PASS, 0};
    char *end;
    int rank = (int)strtol(word + 1, &end, 10) - 1;
    return (Move){*end == 'x' ? FLIP : PLACE, (int16_t)(rank * size + word[0] - 'a')};
}

static void say_best(int depth, int value, Move best) {
    char line[160], *at = put(line, "info depth ");
    at = put_number(at, depth);
    at = put_number(put(at, " score cp "), value);
    at = put_number(put(at, " nodes "), nodes);
    at = put_move(put(at, "\nbestmove "), best);
    put(at, "\n");
    say(line);
}

/* Think until half of the budget is gone: one unit of fuel is one nanosecond of our clock (docs/bots/wasm.md). */
static void go(const Position *position, int64_t budget_ns) {
    if (!is_morlox) {
        say("bestmove resign\n");
        return;
    }
    deadline_ns = INT64_MAX, is_out_of_time = false, nodes = 0;
    int64_t began_ns = now_ns();
    Move best = {PASS + 1, 0};
    int value = search(position, 1, 0, -INFINITE, INFINITE, &best), depth = 1;
    deadline_ns = began_ns + budget_ns / 2;
    while (depth < max_depth && abs(value) < WIN - MAX_DEPTH) {
        Move deeper = best;
        int result = search(position, depth + 1, 0, -INFINITE, INFINITE, &deeper);
        if (is_out_of_time) break;
        best = deeper, value = result, depth++;
    }
    say_best(depth, value, best);
}

/* The number after `word` in the rest of the line being read, or `otherwise`. */
static int64_t number_after(char **words, const char *word, int64_t otherwise) {
    for (; words[0] && words[1]; words++)
        if (strcmp(words[0], word) == 0) return strtoll(words[1], 0, 10);
    return otherwise;
}

static int64_t budget_of(char **words) {
    int64_t fuel = number_after(words, "fuel", 0), movetime_ms = number_after(words, "movetime", 0);
    if (fuel) return fuel;
    if (movetime_ms) return movetime_ms * 1000000;
    int64_t first_ms = number_after(words, "p1time", 1000), second_ms = number_after(words, "p2time", 1000);
    return (first_ms < second_ms ? first_ms : second_ms) * 1000000 / 30;
}

/* `morlox(size=N,swap=on)` */
static void choose_game(const char *key) {
    const char *option = strstr(key, "size=");
    is_morlox = strncmp(key, "morlox(", 7) == 0 && option != 0;
    if (is_morlox) size = atoi(option + 5);
    has_swap = strstr(key, "swap=on") != 0;
}

/* Rows from the top, then the colour to move and the ply. */
static void set_up(Position *position, const char *fen) {
    int file = 0, rank = size - 1;
    for (; *fen && *fen != '_'; fen++) {
        if (*fen == 'b' || *fen == 'w') position->stone[rank * size + file] = *fen == 'b' ? BLACK : WHITE;
        if (*fen == '/') rank--;
        file = *fen == '/' ? 0 : file + 1;
    }
    if (strncmp(fen, "_w_", 3) == 0) position->turn = WHITE;
    if (*fen) position->ply = atoi(fen + 3);
}

static void obey(char **words, Position *position) {
    if (strcmp(words[0], "ugi") == 0) {
        say("id name Morlox in C\nid author Rayuela\noption name Depth type spin default 16 min 1 max 16\nugiok\n");
    } else if (strcmp(words[0], "isready") == 0) {
        say("readyok\n");
    } else if (strcmp(words[0], "setoption") == 0 && words[1] && words[2] && words[3] && words[4]) {
        if (strcmp(words[2], "Game") == 0) choose_game(words[4]);
        if (strcmp(words[2], "Depth") == 0) max_depth = atoi(words[4]);
    } else if (strcmp(words[0], "position") == 0) {
        memset(position, 0, sizeof *position);
        position->turn = BLACK; /* D-X15 */
        if (is_morlox && words[1] && words[2] && strcmp(words[1], "fen") == 0) {
            set_up(position, words[2]);
            words++;
        }
        for (words += 2; is_morlox && words[-1] && words[0] && words[1]; words++) play(position, read_move(words[1]));
    } else if (strcmp(words[0], "go") == 0) {
        go(position, budget_of(words));
    } else if (strcmp(words[0], "quit") == 0) {
        exit(0);
    }
}

/* Read one line of words, separated by zeros; false at the end of input. */
static bool read_words(char **words) {
    static char line[MAX_LINE + 1];
    int length = 0, count = 0;
    while (length == 0 || line[length - 1] != '\n') {
        ssize_t more = length < MAX_LINE ? read(STDIN_FILENO, line + length, (size_t)(MAX_LINE - length)) : 0;
        if (more <= 0) return false;
        length += (int)more;
    }
    line[length] = 0;
    for (char *word = strtok(line, " \r\n"); word; word = strtok(0, " \r\n")) words[count++] = word;
    words[count] = 0;
    return true;
}

int main(void) {
    static char *words[MAX_LINE / 2 + 2];
    Position position = {.turn = BLACK};
    while (read_words(words))
        if (words[0]) obey(words, &position);
    return 0;
}
