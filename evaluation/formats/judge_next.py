"""What to judge next as text: a table to look at, CSV and JSON to go on with."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from evaluation.engine.judge_next import JudgeNext, NextPair
from evaluation.formats.values import aligned, csv_text


def as_facts(asked: JudgeNext) -> dict[str, object]:
    """As programs get it: `runs`, `doubts` of pairs of runs in their order, `pairs` that change most first."""
    facts = asdict(asked)
    tags, means = facts.pop("tags"), facts.pop("mean")
    runs = [{"run": tag, "mean": mean} for tag, mean in zip(tags, means, strict=True)]
    return {"runs": runs, **facts, "words": words_of(asked)}


def of_facts(facts: Mapping[str, Any]) -> JudgeNext:
    """Back from `as_facts`, also through JSON."""
    runs = facts["runs"]
    pairs = [_pair_of(pair) for pair in facts["pairs"]]
    same = {name: facts[name] for name in ("measure", "depth", "top", "n_topics", "n_unjudged")}
    return JudgeNext(
        tags=tuple(run["run"] for run in runs),
        mean=tuple(run["mean"] for run in runs),
        doubts=tuple(facts["doubts"]),
        pairs=tuple(pairs),
        **same,
    )


def _pair_of(facts: Mapping[str, Any]) -> NextPair:
    values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in facts.items()}
    return NextPair(**values)


def words_of(asked: JudgeNext) -> list[str]:
    """What was asked and how much of it there is."""
    runs = " and ".join(asked.tags) if len(asked.tags) == 2 else f"the best {len(asked.tags)} runs"
    lines = [_counted(asked, f"within the first {asked.depth} documents of {runs}")]
    if len(asked.tags) == 2:
        lines.append(f"{asked.measure}: {asked.tags[0]} {asked.mean[0]:.4f}, {asked.tags[1]} {asked.mean[1]:.4f}.")
    else:
        means = ", ".join(f"{tag} {mean:.4f}" for tag, mean in zip(asked.tags, asked.mean, strict=True))
        lines.append(f"{asked.measure}: {means}.")
    return lines


def _counted(asked: JudgeNext, where: str) -> str:
    n, n_shown = asked.n_unjudged, len(asked.pairs)
    if not n:
        return f"All pairs {where} are judged: compare the runs, or look deeper."
    if n == 1:
        return f"1 pair {where} is not judged; here it is."
    shown = "all of them" if n_shown == n else f"the first {n_shown} of them"
    return f"{n:,} pairs {where} are not judged; here {shown}."


def as_table(asked: JudgeNext) -> str:
    head = ["topic", "docno", *(f"rank in {tag}" for tag in asked.tags), "expected", "greatest"]
    rows = [
        [pair.number, pair.docno, *("–" if rank is None else str(rank) for rank in pair.ranks), *_changes(pair)]
        for pair in asked.pairs
    ]
    return "\n".join([*words_of(asked), "", *aligned([head, *rows], n_names=2)]) + "\n"


def as_csv(asked: JudgeNext) -> str:
    """A row a pair; ranks by run, and of two runs the change at each grade."""
    grades = [f"change_at_{grade}" for grade in range(asked.top + 1)] if len(asked.tags) == 2 else []
    head = ["number", "docno", *(f"rank:{tag}" for tag in asked.tags), "expected", "greatest", *grades]
    rows = ([p.number, p.docno, *p.ranks, p.expected, p.greatest, *p.changes] for p in asked.pairs)
    return csv_text(head, rows)


def as_json(asked: JudgeNext) -> str:
    return json.dumps(as_facts(asked), ensure_ascii=False, indent=2) + "\n"


FORMATS: Mapping[str, Callable[[JudgeNext], str]] = {"table": as_table, "csv": as_csv, "json": as_json}


def _changes(pair: NextPair) -> tuple[str, str]:
    return f"{pair.expected:.6f}", f"{pair.greatest:.6f}"
