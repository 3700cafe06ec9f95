"""What the fuzzers share: the corpus as seeds, a bounded number of runs."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import atheris

LONGEST = 1500  # bytes of an input, unless more is needed to get anywhere
MEMORY = 8192  # MB: atheris keeps some 50 KB of every run, so that 50,000 go beyond libFuzzer's usual limit


def fuzz(check: Callable[[bytes], None], seeds: Iterable[bytes], *, longest: int = LONGEST) -> None:
    """Run under the options of libFuzzer given on the command line; the first argument is the folder of inputs."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(seed for seed in seeds if len(seed) <= longest):
        (folder / f"seed-{i}").write_bytes(seed)
    atheris.Setup([*sys.argv, f"-max_len={longest}", f"-rss_limit_mb={MEMORY}"], check)
    atheris.Fuzz()
