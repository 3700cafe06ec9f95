"""What comes before the second batch of the demo: a text to agree to, a round of training, a guideline that changes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter

import numpy as np

from annotation.batches.steps.qualifications import (
    QualificationSettings,
    add_pair,
    create_qualification,
    open_qualification,
)
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.corpus.steps.guidelines import revise_guideline
from annotation.judging.read.qualifying import pairs_in_order
from annotation.judging.steps.gates import acknowledge_guideline, give_consent
from annotation.judging.steps.qualifying import answer_pair, begin_attempt
from annotation.models import (
    Annotator,
    Batch,
    Collection,
    InformationVersion,
    Participation,
    Qualification,
    User,
)
from annotation.people.steps.information import revise_information
from touchstone.demo.annotators import Behaviour
from touchstone.demo.content import demo_cases, demo_guideline, demo_information, demo_round

ROUND = "Almanac basics"
LAST_RULE = "\n- **Between two grades.**"  # what the guideline does not say at first


def write_guideline(collection: Collection, *, actor: User, is_first: bool) -> None:
    """At first without worked examples and the last of the edge cases; then as it is."""
    guideline, cases = demo_guideline(), [] if is_first else demo_cases()
    revise_guideline(
        collection,
        introduction=guideline.introduction,
        examples=guideline.examples,
        edge_cases=guideline.edge_cases.partition(LAST_RULE)[0] if is_first else guideline.edge_cases,
        cases=cases,
        actor=actor,
    )


def write_information(collection: Collection, *, actor: User) -> InformationVersion:
    return revise_information(collection, text=demo_information(), based_on=0, actor=actor)


def make_round(collection: Collection, *, actor: User) -> Qualification:
    """Open, with the pairs of `content/round.jsonl`."""
    settings = QualificationSettings(name=ROUND, pass_mark=0.6, most_attempts=3)
    qualification = create_qualification(collection, settings=settings, actor=actor)
    topics, documents = current_topic_versions(collection), current_document_versions(collection)
    for lesson in demo_round():
        add_pair(
            qualification,
            topic=topics.get(topic__number=lesson.number),
            document=documents.get(document__docno=lesson.docno),
            accepted=lesson.accepted,
            hint=lesson.hint,
            explanation=lesson.explanation,
        )
    open_qualification(qualification, actor=actor)
    return qualification


def prepare(
    batch: Batch,
    people: Sequence[Annotator],
    simulated: Mapping[Annotator, Behaviour],
    *,
    actor: User,
    rng: np.random.Generator,
    moment: datetime,
) -> None:
    """Bring everybody to where a visitor finds them.

    Of the visitors the first can begin, the second has text and round before them, the third is told what changed in
    the guideline; there may be none. The simulated ones try the round, each in their way; who fails it stays out.
    """
    begins = [batch.participations.get(annotator=person) for person in people][::2]
    for participation in begins:
        _pass_all(participation, moment)
    write_guideline(batch.collection, actor=actor, is_first=False)
    for participation in begins[:1]:
        _read_guideline(participation, moment)
    for person, behaviour in simulated.items():
        participation = batch.participations.get(annotator=person)
        _try_round(participation, behaviour, rng, moment)
        _read_guideline(participation, moment)


def _pass_all(participation: Participation, moment: datetime) -> None:
    """Agree, answer every pair of the round right, and take note of the guideline."""
    _agree(participation, moment)
    attempt = begin_attempt(participation, moment=moment)
    for item in pairs_in_order(attempt) if attempt else ():
        answer_pair(participation, token=item.token, grade=item.accepted[0], moment=moment)
    _read_guideline(participation, moment)


def _try_round(participation: Participation, behaviour: Behaviour, rng: np.random.Generator, moment: datetime) -> None:
    """Agree, and go through the round as somebody who behaves so, until it is passed or no try is left."""
    _agree(participation, moment)
    while attempt := begin_attempt(participation, moment=moment):
        pairs = list(pairs_in_order(attempt))  # in an order that is another one each time: the answers are not
        grade_of = {item.pk: behaviour.grade(item.accepted[0], rng) for item in sorted(pairs, key=attrgetter("pk"))}
        for item in pairs:
            answer_pair(participation, token=item.token, grade=grade_of[item.pk], moment=moment)


def _read_guideline(participation: Participation, moment: datetime) -> None:
    """Take note of the guideline that is in force."""
    guideline = Collection.objects.select_related("guideline").get(pk=participation.batch.collection_id).guideline
    assert guideline is not None
    acknowledge_guideline(participation, number=guideline.number, moment=moment)


def _agree(participation: Participation, moment: datetime) -> None:
    information = participation.batch.information
    assert information is not None
    give_consent(participation, number=information.number, moment=moment)
