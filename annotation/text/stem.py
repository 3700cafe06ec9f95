"""A light stemmer for English: enough to see that "heated" and "heating" are one word, too little to do harm.

Our own rules, in four steps: plural, -ed and -ing, a few endings of nouns and adverbs, a final e,
ll or y. Only for highlighting and for the words of the built-in BM25.
"""

from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_ENDINGS = ("ness", "ment", "ly")
_HISSING = ("xes", "ches", "shes", "sses", "zes")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of one lower-case word. Words of up to three letters, and words that are not letters of ASCII, stay."""
    if len(word) <= 3 or not (word.isascii() and word.isalpha()):
        return word
    return _last_letter(_ending(_verb(_singular(word))))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_HISSING):
        return word[:-2]
    if word.endswith(("sis", "ses")) and len(word) > 4:  # analysis, analyses; cases
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _verb(word: str) -> str:
    for ending in ("ing", "ed") if not word.endswith("eed") else ():  # speed, need
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWELS & set(rest):
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "aeiouls" else rest
    return word


def _ending(word: str) -> str:
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 4:
            return rest
    return word


def _last_letter(word: str) -> str:
    if (len(word) > 3 and word.endswith("e")) or (len(word) > 4 and word.endswith("ll")):  # modelled, model; install
        return word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") and word[-2] not in _VOWELS else word
