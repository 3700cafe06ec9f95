"""The passage of a document that a person reads first: where it speaks most of what the topic asks.

The ranking, in words:

1. A document of up to `SHORT` characters is its own excerpt.
2. Otherwise the document is cut into sentences, and every run of sentences of up to `MOST` characters is a candidate.
3. A term of the topic is worth 4 if it stands in the title, 2 in the description, 1 in the narrative; times its
   rarity, log₂(1 + sentences of the document / sentences that have the term).
4. The candidate with the most worth of different terms wins (coverage); among equals the one with the most worth of
   further occurrences, at most three of a term (count); among equals the earliest.
5. The winner is narrowed to the sentences from its first term to its last, and widened again evenly to both sides, so
   that the terms stand in the middle. A document without any term begins at its beginning.

Pure, without chance, and linear in the document. The excerpt is always a slice of the text.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2

from annotation.text.graphemes import cut_before
from annotation.text.sentences import sentences
from annotation.text.terms import Hit

Span = tuple[int, int]

SHORT = 1_200  # characters
MOST = 900
_OFTEN = 3  # occurrences of a term in a passage that count


def excerpt(text: str, blocks: Sequence[Span], hits: Sequence[Hit], worths: Mapping[str, int]) -> Span:
    """Start and end of the passage, blanks around it left out: an empty span for a text of blanks alone.

    `hits` are the places of the terms in `worths`, in the order of the text; others are passed over.
    """
    if len(text) <= SHORT:
        return _trimmed(text, 0, len(text))
    units = list(sentences(text, blocks))
    if not units:
        return _trimmed(text, 0, 0)
    terms_of_unit = _terms_of_units(units, [hit for hit in hits if hit.term in worths])
    first, last = _best(units, terms_of_unit, _weights(terms_of_unit, worths))
    return _trimmed(text, *_around(units, *_core(terms_of_unit, first, last)))


def _terms_of_units(units: Sequence[Span], hits: Sequence[Hit]) -> list[list[str]]:
    """The terms that begin in each sentence."""
    terms_of_unit: list[list[str]] = [[] for _ in units]
    at = 0
    for hit in hits:
        while at + 1 < len(units) and units[at + 1][0] <= hit.start:
            at += 1
        terms_of_unit[at].append(hit.term)
    return terms_of_unit


def _weights(terms_of_unit: Sequence[Sequence[str]], worths: Mapping[str, int]) -> dict[str, int]:
    """Whole thousandths, so that a sum does not depend on its order."""
    n_units = Counter(term for terms in terms_of_unit for term in set(terms))
    return {term: round(1000 * worths[term] * log2(1 + len(terms_of_unit) / n)) for term, n in n_units.items()}


def _best(units: Sequence[Span], terms_of_unit: Sequence[Sequence[str]], weights: Mapping[str, int]) -> tuple[int, int]:
    """First and last sentence of the winner: two ends that only move forward, and what lies between them."""
    inside: Counter[str] = Counter()
    score, best, best_score, last = (0, 0), (0, 0), (-1, -1), -1
    for first in range(len(units)):
        while last < first or (last + 1 < len(units) and units[last + 1][1] - units[first][0] <= MOST):
            last += 1
            score = _changed(score, inside, terms_of_unit[last], weights, by=1)
        if score > best_score:
            best, best_score = (first, last), score
        score = _changed(score, inside, terms_of_unit[first], weights, by=-1)
    return best


def _changed(
    score: tuple[int, int], inside: Counter[str], terms: Sequence[str], weights: Mapping[str, int], *, by: int
) -> tuple[int, int]:
    """Coverage and count after a sentence with these terms came in or went out."""
    coverage, count = score
    for term in terms:
        n = max(inside[term], inside[term] + by)  # the occurrence that comes or goes is the n-th
        coverage += by * weights[term] * (n == 1)
        count += by * weights[term] * (1 < n <= _OFTEN)
        inside[term] += by
    return coverage, count


def _core(terms_of_unit: Sequence[Sequence[str]], first: int, last: int) -> tuple[int, int]:
    """The sentences from the first with a term to the last; the first of all where there is none."""
    with_terms = [at for at in range(first, last + 1) if terms_of_unit[at]]
    return (with_terms[0], with_terms[-1]) if with_terms else (first, first)


def _around(units: Sequence[Span], first: int, last: int) -> Span:
    """Widened by whole sentences, the shorter side first, as long as it stays within `MOST` characters."""
    middle = (units[first][0] + units[last][1]) / 2
    while True:
        start, end = units[first][0], units[last][1]
        before = first > 0 and end - units[first - 1][0] <= MOST
        after = last + 1 < len(units) and units[last + 1][1] - start <= MOST
        if after and (not before or end - middle <= middle - start):
            last += 1
        elif before:
            first -= 1
        else:
            return start, end


def _trimmed(text: str, start: int, end: int) -> Span:
    passage = text[start:end]
    blank = len(passage) - len(passage.lstrip())
    if blank == len(passage):
        return start, start
    return max(start, cut_before(text, start + blank)), start + len(passage.rstrip())
