"""What was chosen on the quality page, on pages that it leads to."""

from django.http import Http404, QueryDict

from annotation.kernel.request import Request
from annotation.models import Collection
from annotation.trust.pages.choice_form import ChoiceOfBatches
from annotation.trust.read.policies import policies_of
from annotation.trust.read.withheld import judged_batches


def choice_in(given: QueryDict, collection: Collection) -> ChoiceOfBatches:
    """What is given; unbound where that says nothing of batches or policy."""
    return ChoiceOfBatches(
        given if {"batch", "policy"} & given.keys() else None,
        batches=judged_batches(collection),
        policies=policies_of(collection),
    )


def choice_of(request: Request, collection: Collection) -> ChoiceOfBatches:
    """Batches and policy of the quality page that led here; what there is not is 404."""
    choice = choice_in(request.GET, collection)
    if choice.batches and choice.is_bound and not choice.is_valid():
        raise Http404("No such batch or policy.")
    return choice


def judged_choice(request: Request, collection: Collection) -> ChoiceOfBatches:
    """As `choice_of`; 404 where nothing has been judged."""
    choice = choice_of(request, collection)
    if not choice.batches:
        raise Http404("Nothing has been judged here.")
    return choice
