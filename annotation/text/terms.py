"""The terms of a topic, what each is worth, and where a document has them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType

from annotation.text.words import between_words, key, run_pattern, strings_of, word_pattern

Span = tuple[int, int]

TITLE, DESCRIPTION, NARRATIVE = 4, 2, 1  # what a term is worth by the field of the topic it stands in

# Words that say nothing about a topic. Our own short list: marking them would make every line yellow.
_STOP_WORDS = """
a about after all also am an and any are as at be because been before being between both but by can could
describe described describes did discuss discussed discusses do document documents does done during each
either else etc find for from further give given had has have having he her here hers him his how i if in
information into is it its itself just less many may me might more most much must my neither no nor not of off
on once one only or other our out over per relevant same say says shall she should since so some such tell
than that the their them then there these they this those through thus to too under until up upon us very via
was we were what when where whether which while who whom whose why will with within without would yet you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class Hit:
    """A term in the document, at the code points [start, end)."""

    start: int
    end: int
    term: str


def topic_terms(text: str) -> frozenset[str]:
    """The terms of a text: the keys of its words that are no stop words and longer than one character, and the
    strings of what is written without blanks.
    """
    words = (match[0] for match in word_pattern().finditer(text))
    keys = {key(word) for word in words if len(word) > 1 and word.lower() not in STOP_WORDS}
    return frozenset(keys.union(strings_of(text)))


@lru_cache(maxsize=500)
def topic_worths(title: str, description: str = "", narrative: str = "") -> Mapping[str, int]:
    """Each term of a topic with its worth: that of the best field it stands in.

    Kept from card to card: all cards of a topic have its terms, so that the time it saves says nothing of a card.
    """
    worths: dict[str, int] = {}
    for text, worth in ((narrative, NARRATIVE), (description, DESCRIPTION), (title, TITLE)):
        worths.update(dict.fromkeys(topic_terms(text), worth))
    return MappingProxyType(worths)


def own_terms(words: Iterable[str]) -> frozenset[str]:
    """The terms that a person looks for, stop words too: who asks for them wants them."""
    text = " ".join(words)
    runs = (match[0] for match in run_pattern().finditer(text))
    return frozenset({key(match[0]) for match in word_pattern().finditer(text)} | set(runs))


def find(text: str, blocks: Sequence[Span], terms: Iterable[str]) -> list[Hit]:
    """Where the text has the terms, in its order. A word does not reach over the border of two blocks.

    Strings of what is written without blanks may overlap each other. Linear in the text.
    """
    wanted = frozenset(terms)
    if not wanted:
        return []
    strings = [term for term in wanted if run_pattern().fullmatch(term)]
    hits = _words(text, blocks, wanted)
    return sorted(hits + _strings(text, blocks, strings), key=_span) if strings else hits


def _words(text: str, blocks: Sequence[Span], wanted: frozenset[str]) -> list[Hit]:
    """Each different word is looked at once."""
    hits: list[Hit] = []
    pattern = between_words()
    for start, end in blocks:
        pieces = pattern.split(text[start:end])
        terms = {word: term for word in {*pieces[1::2]} if (term := key(word)) in wanted}
        if terms:
            ends = list(accumulate(map(len, pieces), initial=start))
            numbers = (n for n in range(1, len(pieces), 2) if pieces[n] in terms)
            hits += [Hit(ends[n], ends[n + 1], terms[pieces[n]]) for n in numbers]
    return hits


def _strings(text: str, blocks: Sequence[Span], strings: list[str]) -> list[Hit]:
    """Also those that overlap: one search for each length."""
    by_length: dict[int, list[str]] = {}
    for string in sorted(strings):
        by_length.setdefault(len(string), []).append(re.escape(string))
    patterns = [re.compile(f"(?=({'|'.join(group)}))") for group in by_length.values()]
    matches = (match for pattern in patterns for start, end in blocks for match in pattern.finditer(text, start, end))
    return [Hit(match.start(1), match.end(1), match[1]) for match in matches]


def _span(hit: Hit) -> Span:
    return hit.start, hit.end
