"""What *Find* finds in a collection: pages, deeds, and the things it holds, by how they begin or hold."""

from collections.abc import Callable, Iterable, Iterator

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from annotation.corpus.read.texts import found_topics, visible_documents
from annotation.kernel.access import ADMIN
from annotation.kernel.navigation import DEEDS, MOST_FOUND, NAVIGATION, Entry, Place, address_of, entries_for
from annotation.kernel.visible import visible_annotators, visible_batches, visible_pools
from annotation.models import Collection, Membership, Snapshot

# Docnos looked at from where the words sort. In most languages' orders signs and capitals count last: among docnos that
# begin with the words stand some that do not.
NEAR = 1000

Find = Callable[[Collection, str], list[Place]]


def found_places(collection: Collection, words: str, roles: frozenset[str]) -> list[tuple[str, list[Place]]]:
    """`(kind, places)` of each kind that has any, for people who lead. Without words pages and deeds alone."""
    pages = [entry for group in NAVIGATION for entry in group.entries]
    kinds = [("Pages", _named(pages, collection, words, roles)), ("Actions", _named(DEEDS, collection, words, roles))]
    if words:
        kinds += [(kind, find(collection, words)) for kind, find in _finders()]
    if words and roles & ADMIN:
        kinds.append(("People", _people(collection, words)))
    return [(kind, places) for kind, places in kinds if places]


def _named(entries: Iterable[Entry], collection: Collection, words: str, roles: frozenset[str]) -> list[Place]:
    """Entries, and parts of entries, of which each word of the search begins one; a part has its subject's, too."""
    begun = words.casefold().split()
    return [
        Place(entry.text, subject, address_of(entry, collection.slug))
        for entry, subject in _with_parts(entries_for(entries, roles))
        if all(any(word.startswith(each) for word in f"{entry.text} {subject}".casefold().split()) for each in begun)
    ]


def _with_parts(entries: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
    """Each entry and after it its parts, with the name of their subject. The first part is the entry itself."""
    for entry in entries:
        yield entry, ""
        yield from ((part, entry.text) for part in entry.parts[1:])


def _finders() -> Iterator[tuple[str, Find]]:
    yield "Topics", _topics
    yield "Documents", _documents
    yield "Batches", _batches
    yield "Annotators", _annotators
    yield "Snapshots", _snapshots
    yield "Pools", _pools
    for kind, path in settings.TOUCHSTONE_FINDERS.items():
        yield kind, import_string(path)


def _topics(collection: Collection, words: str) -> list[Place]:
    versions = found_topics(collection, words)[: MOST_FOUND * 4]
    first = sorted(versions, key=lambda each: each.topic.number != words)[:MOST_FOUND]
    return [Place(each.title, each.topic.number, _address("topic", collection, each.topic.number)) for each in first]


def _documents(collection: Collection, words: str) -> list[Place]:
    """By how the docno begins: read from its index, however many there are. Texts are searched on their own page.

    No `docno__startswith` of the database: for a docno that nothing else begins with it would read on to the last one.
    """
    docnos = visible_documents(collection).filter(docno__gte=words).order_by("docno").values_list("docno", flat=True)
    matching = [docno for docno in docnos[:NEAR] if docno.startswith(words)]
    return [Place(docno, "", _address("document", collection, docno)) for docno in matching[:MOST_FOUND]]


def _batches(collection: Collection, words: str) -> list[Place]:
    batches = visible_batches(collection).filter(name__icontains=words).order_by("-pk")[:MOST_FOUND]
    return [Place(each.name, each.get_state_display(), _address("batch", collection, each.token)) for each in batches]


def _annotators(collection: Collection, words: str) -> list[Place]:
    annotators = visible_annotators(collection).filter(pseudonym__icontains=words)
    names = annotators.order_by("pseudonym").values_list("pseudonym", flat=True)[:MOST_FOUND]
    return [Place(name, "", _address("annotator", collection, name)) for name in names]


def _people(collection: Collection, words: str) -> list[Place]:
    """Members by their account, which others may not know."""
    members = Membership.objects.filter(collection=collection, user__username__icontains=words)
    names = members.order_by("user__username").values_list("user__username", flat=True).distinct()[:MOST_FOUND]
    return [Place(name, "", _address("people_person", collection, name)) for name in names]


def _snapshots(collection: Collection, words: str) -> list[Place]:
    snapshots = Snapshot.objects.filter(collection=collection, name__icontains=words).order_by("-pk")[:MOST_FOUND]
    return [Place(each.name, "", _address("snapshot", collection, each.pk)) for each in snapshots]


def _pools(collection: Collection, words: str) -> list[Place]:
    pools = visible_pools(collection).filter(name__icontains=words).order_by("-pk")[:MOST_FOUND]
    return [Place(each.name, "", _address("pool", collection, each.pk)) for each in pools]


def _address(name: str, collection: Collection, value: object) -> str:
    return reverse(name, args=[collection.slug, value])
