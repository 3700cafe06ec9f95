"""Addresses of the queue and of its pairs: what was chosen in the queue goes along from pair to pair."""

from django.http import QueryDict
from django.urls import reverse

from annotation.kernel.request import Request
from annotation.models import Item

OF_THE_QUEUE = ("batch", "policy", "posterior", "below", "wide", "reason", "topic", "q", "sort")


def queue_query(request: Request) -> str:
    """What was chosen in the queue, as a query; only ever that, never an address."""
    return _chosen(request).urlencode()


def queue_address(request: Request, slug: str) -> str:
    return f"{reverse('adjudication', kwargs={'slug': slug})}?{queue_query(request)}"


def way_back(request: Request, slug: str) -> str:
    """Where the person came from: the queue, or with `back` the list of pairs that drop with its query."""
    if "back" not in request.GET:
        return queue_address(request, slug)
    return f"{reverse('quality_pairs', kwargs={'slug': slug})}?{QueryDict(request.GET['back']).urlencode()}"


def pair_address(request: Request, item: Item) -> str:
    query = _chosen(request)
    query["number"], query["docno"] = item.topic.number, item.document.docno
    for name in ("view", "back"):
        if name in request.GET and request.GET.get("docno") == item.document.docno:
            query[name] = request.GET[name]
    return f"{reverse('adjudicate', kwargs={'slug': item.collection.slug})}?{query.urlencode()}"


def _chosen(request: Request) -> QueryDict:
    query = QueryDict(mutable=True)
    for name in OF_THE_QUEUE:
        if name in request.GET:
            query.setlist(name, request.GET.getlist(name))
    return query
