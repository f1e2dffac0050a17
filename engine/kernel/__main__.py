"""The kernel's commands: `python -m engine.kernel build|match|tune|fit|levels|solve`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.kernel import LEVELS
from engine.kernel.build import MODULE, UNITS, build, is_current
from engine.stats.outcomes import elo_difference, sample
from engine.stats.sprt import Sprt, log_likelihood_ratio

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    0 is done, 1 is another module, 2 is refused: no compiler, or words that make no sense.
    """
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
    except EngineError as error:
        print(f"engine.kernel: {error}", file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine.kernel", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("build", help="compile source/ into kernel.wasm and bot.wasm")
    make.add_argument("--check", action="store_true", help="write nothing; compare the bytes")
    make.set_defaults(run=_build)
    match = commands.add_parser(
        "match", help="pairs of games between two ways to search or modules"
    )
    match.add_argument("ruleset", help="such as 'morelli(size=9)'")
    match.add_argument("player", help="such as 'ms=20', 'nodes=500 amaf=1' or 'level=3'")
    match.add_argument("opponent")
    match.add_argument(
        "--opponent-module",
        type=Path,
        default=MODULE,
        metavar="FILE.wasm",
        help="such as an older one",
    )
    match.add_argument("--pairs", type=int, default=200, help="the most")
    match.add_argument("--seed", type=int, default=1)
    match.add_argument("--elo", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="SPRT")
    match.set_defaults(run=_match)
    levels = commands.add_parser("levels", help="each level against the next lower one")
    levels.add_argument("ruleset")
    levels.add_argument("--games", type=int, default=200)
    levels.add_argument("--seed", type=int, default=1)
    levels.set_defaults(run=_levels)
    tune = commands.add_parser("tune", help="one round of SPRT tests over the weights")
    tune.add_argument("ruleset")
    tune.add_argument(
        "weights", type=int, nargs="+", help="in play, as source/evaluate_*.hpp has them"
    )
    tune.add_argument("--nodes", type=int, default=1000)
    tune.add_argument("--pairs", type=int, default=100, help="the most of a test")
    tune.add_argument("--elo", type=float, nargs=2, default=(0.0, 40.0), metavar=("ELO0", "ELO1"))
    tune.add_argument("--seed", type=int, default=1)
    tune.set_defaults(run=_tune)
    fit = commands.add_parser("fit", help="the evaluation's weights from games with itself")
    fit.add_argument("ruleset")
    fit.add_argument("--games", type=int, default=400)
    fit.add_argument("--nodes", type=int, default=1000, help="of each search")
    fit.add_argument("--seed", type=int, default=1)
    fit.set_defaults(run=_fit)
    solve = commands.add_parser("solve", help="the values of the first moves of a small board")
    solve.add_argument("ruleset", help="such as 'morlox(size=4,swap=off)'")
    solve.add_argument("--nodes", type=int, default=50_000_000, help="the most a move")
    solve.add_argument("--seed", type=int, default=1, help="of a random set-up")
    solve.set_defaults(run=_solve)
    return parser


def _build(arguments: argparse.Namespace) -> int:
    if arguments.check:
        return max([_check(module) for module in UNITS])
    for module in UNITS:
        has_changed = build(module)
        size = module.stat().st_size
        print(f"{module.name}: {size} bytes, {'new' if has_changed else 'unchanged'}")
    return 0


def _check(module: Path) -> int:
    if is_current(module):
        print(f"{module.name} is what the source gives")
        return 0
    print(
        f"{module.name} is not what the source gives: python -m engine.kernel build",
        file=sys.stderr,
    )
    return 1


def _match(arguments: argparse.Namespace) -> int:
    # wasmtime takes a quarter of a second to load, which `build` need not wait for.
    from engine.kernel.host import Kernel
    from engine.kernel.matches import Match, Way, outcomes_of

    match = Match(
        arguments.ruleset,
        Way.read(arguments.player),
        Way.read(arguments.opponent),
        arguments.seed,
    )
    test = Sprt(*arguments.elo) if arguments.elo else None
    opponents = Kernel(module=arguments.opponent_module)
    outcomes = outcomes_of(match, Kernel(), opponents, test=test, most_pairs=arguments.pairs)
    pairs = outcomes.games // 2
    score = sample(outcomes).mean
    print(
        f"{arguments.ruleset} | {arguments.player} | {arguments.opponent} | {pairs} pairs", end=""
    )
    print(
        f" {'-'.join(map(str, outcomes.counts))} | {score:.1%} | {elo_difference(outcomes)}", end=""
    )
    if test:
        ratio = log_likelihood_ratio(test, outcomes)
        print(f" | SPRT {test.elo0:g} {test.elo1:g}: {ratio:.2f}, {test.verdict(outcomes)}", end="")
    print()
    return 0


def _levels(arguments: argparse.Namespace) -> int:
    from engine.kernel.host import Kernel
    from engine.kernel.matches import ladder

    counts = ladder(arguments.ruleset, Kernel(), games=arguments.games, seed=arguments.seed)
    for level, outcomes in zip(LEVELS[1:], counts, strict=True):
        score = sample(outcomes).mean
        print(f"{arguments.ruleset} | {level} : {level - 1} | {outcomes.games} games", end="")
        print(f" | {score:.1%} | {elo_difference(outcomes)}", flush=True)
    return 0


def _tune(arguments: argparse.Namespace) -> int:
    from engine.kernel.host import Kernel
    from engine.kernel.tuning import attempts

    for attempt in attempts(
        arguments.ruleset,
        Kernel(),
        arguments.weights,
        nodes=arguments.nodes,
        most_pairs=arguments.pairs,
        test=Sprt(*arguments.elo),
        seed=arguments.seed,
    ):
        counts = "-".join(map(str, attempt.outcomes.counts))
        print(f"| w{attempt.weight} {attempt.before} -> {attempt.value} | {counts}", end="")
        print(
            f" | {attempt.ratio:.2f} | {'accepted' if attempt.is_accepted else 'not'} |", flush=True
        )
    return 0


def _fit(arguments: argparse.Namespace) -> int:
    from engine.kernel.fitting import fit, self_play
    from engine.kernel.host import Kernel

    kernel = Kernel()
    games = self_play(
        arguments.ruleset, kernel, games=arguments.games, nodes=arguments.nodes, seed=arguments.seed
    )
    result = fit(arguments.ruleset, kernel, tuple(games))
    print(f"{arguments.ruleset}: {result.games} games, {result.positions} positions;", end=" ")
    print(f"judged by {result.judged_games} games, {result.judged_positions} positions")
    places = range(len(result.predictions[0].weights))
    print("| weights |", *(f"w{place} |" for place in places), "loss | Brier |")
    print("| --- |", *("--- |" for _ in places), "--- | --- |")
    for row in result.predictions:
        print(f"| {row.name} |", *(f"{weight} |" for weight in row.weights), end=" ")
        print(f"{row.log_loss:.4f} | {row.brier:.4f} |")
    print(f"The fit's loss is lower by {result.gain:.4f}, standard error {result.gain_error:.4f}")
    return 0


def _solve(arguments: argparse.Namespace) -> int:
    from engine.kernel.host import Kernel
    from engine.kernel.solving import first_moves
    from games.registry import load

    position = load(arguments.ruleset).initial(seed=arguments.seed)
    for first in first_moves(position, Kernel(), most_nodes=arguments.nodes):
        plies = f" in {first.plies}" if first.plies else ""
        print(f"{first.move} {first.value}{plies}, {first.nodes} nodes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
