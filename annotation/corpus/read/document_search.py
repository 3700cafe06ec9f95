"""Search among documents: by an index where the collection's is whole, else by reading every text; the same answer.

A document is found where every word of the search begins a word of its docno, title or text, in
small letters or capitals. A word is a run of letters and digits with the marks upon them: what
stands between is a blank. Runs in scripts without blanks between words (Chinese, Japanese, Korean,
Thai …) are looked for anywhere, letter by letter.
"""

from dataclasses import dataclass

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from annotation.models import Collection, DocumentIndex, DocumentVersion
from annotation.text.words import run_pattern, word_pattern

# Characters that are in the index. A word of n letters takes at most 4 n + 5 bytes of the 1,048,575 that PostgreSQL
# gives all words of a document, and n + 1 characters of its text: 4.5 bytes a character.
INDEXED, OF_TITLE = 200_000, 20_000
FTS = "annotation_document_fts"  # of SQLite
HITS = {
    "sqlite": f"SELECT rowid FROM {FTS} WHERE {FTS} MATCH %s",  # noqa: S608 -- a name of our own
    "postgresql": "SELECT version_id FROM annotation_documentwords WHERE words @@ to_tsquery('simple', %s)",
}


@dataclass(frozen=True)
class Search:
    """What somebody looks for: `words` that begin words, `runs` that stand anywhere."""

    words: tuple[str, ...]
    runs: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not self.words and not self.runs

    def in_index(self) -> str:
        """As the index of this database reads it; quotes and operators cannot stand in words."""
        if connection.vendor == "postgresql":
            return " & ".join(f"'{word}':*" for word in self.words)
        return " ".join(f'"{word}"*' for word in self.words)


def search_for(words: str) -> Search:
    """What a person has typed, whatever it is; signs alone are an empty search."""
    rest = run_pattern().sub(" ", words)
    runs = tuple(match.group() for match in run_pattern().finditer(words))
    return Search(tuple(dict.fromkeys(word.lower() for word in word_pattern().findall(rest))), runs)


def searched(versions: QuerySet[DocumentVersion], collection: Collection, words: str) -> QuerySet[DocumentVersion]:
    """Those of these texts that are found; all where nothing is looked for, none where only signs are."""
    search = search_for(words)
    if search.is_empty:
        return versions.none() if words.strip() else versions
    if search.words and has_whole_index(collection):
        versions = versions.filter(pk__in=RawSQL(HITS[connection.vendor], [search.in_index()]))  # noqa: S611 -- ours
    else:
        for word in search.words:
            versions = versions.filter(_stands("icontains", word), _stands("iregex", rf"(^|\W|_){word}"))
    for run in search.runs:
        versions = versions.filter(_stands("icontains", run))
    return versions


def has_whole_index(collection: Collection) -> bool:
    return DocumentIndex.objects.filter(collection=collection, is_whole=True).exists()


def _stands(lookup: str, value: str) -> Q:
    paths = ("document__docno", "title", "text")
    return Q(*((f"{path}__{lookup}", value) for path in paths), _connector=Q.OR)
