"""One person's way through all the pages an annotator meets, with the texts of the demo: a stop at each of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.batches.steps.qualifications import (
    QualificationSettings,
    add_pair,
    create_qualification,
    open_qualification,
)
from annotation.corpus.steps.guidelines import revise_guideline
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    Feedback,
    Participation,
    Pool,
    ScaleVersion,
    User,
    WorkSession,
)
from annotation.people.steps.information import revise_information
from annotation.trust.steps.pausing import pause_annotator, resume_annotator
from tests.browser.desk import SLIP
from tests.factories import (
    PRIME,
    make_annotator,
    make_collection,
    make_document,
    make_item,
    make_judgment,
    make_participation,
    make_topic,
    make_user,
)
from touchstone.demo.content import TrueGrade, demo_documents, demo_grades, demo_guideline, demo_scale, demo_topics

INFORMATION = """# What you are asked to do

You read short texts and say how well each of them answers a question. You may stop at any time and go on later.

# What is kept

Each grade with its time, your comments, and how long a text lay open. They are kept under your pseudonym; only those
who lead this collection can tell whose it is.

# Your choice

Taking part is voluntary. If you have a question, ask whoever invited you.
"""
CASES = (
    {"topic": "a stuck ring", "document": "Soap, cold water, a turn", "grade": 4, "reason": "It can be done at once."},
    {"topic": "a stuck ring", "document": "What rings cost", "grade": 0, "reason": "The same word, another question."},
)


@dataclass(frozen=True)
class Way:
    """A person and the batches in which they take part."""

    user: User
    cards: Batch
    last: Batch
    first_try: Batch
    informed: Batch
    trained: Batch

    @property
    def collection(self) -> Collection:
        return self.cards.collection


def make_way() -> Way:
    collection = make_collection("almanac")
    collection.name, collection.language = "Household almanac", "en"
    collection.save()
    ScaleVersion.objects.filter(collection=collection).update(grades=demo_scale())
    revise(collection, cases=CASES)
    collection.refresh_from_db()
    person = make_annotator(collection, make_user("annotator-7"), "Amber")
    pairs = sorted((pair for pair in demo_grades() if pair.number in {"101", "102"}), key=lambda pair: pair.number)
    texts = _Texts(collection)
    assert person.user is not None
    way = Way(
        user=person.user,
        cards=texts.batch(person, "Round two", pairs[:12]),
        last=texts.batch(person, "Round one", pairs[:1]),
        first_try=texts.batch(person, "A first try", pairs[:8], state=Batch.State.CLOSED),
        informed=texts.batch(person, "Round three", pairs[:2]),
        trained=texts.batch(person, "Round four", pairs[:2]),
    )
    _tell(way.first_try, person, pairs)
    _ask(way, texts, pairs)
    return way


def revise(collection: Collection, *, cases: tuple[object, ...], more: str = "") -> None:
    """The demo's guideline, with an addition."""
    text = demo_guideline()
    revise_guideline(
        collection,
        introduction=text.introduction + more,
        examples=text.examples,
        edge_cases=text.edge_cases,
        cases=cases,  # type: ignore[arg-type]
        actor=None,
    )


class _Texts:
    """Topics and documents of the demo in a collection, each made once."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self.topics = {
            topic.number: make_topic(
                collection, topic.number, title=topic.title, description=topic.description, narrative=topic.narrative
            )
            for topic in demo_topics()[:2]
        }
        self.documents = {
            text.docno: make_document(collection, text.docno, title=text.title, text=text.text)
            for text in demo_documents()
        }

    def batch(self, person: Annotator, name: str, pairs: list[TrueGrade], **settings: object) -> Batch:
        pool = Pool.objects.create(collection=self.collection, name=name, n_pairs=len(pairs))
        batch = Batch.objects.create(
            **{
                "collection": self.collection,
                "name": name,
                "pool": pool,
                "scale": self.collection.scale,
                "state": Batch.State.OPEN,
                "judgments_per_item": 1,
                "minimum_seconds": 0,
                "seed": 1,
                "n_expected": len(pairs),
                "laid_out_at": timezone.now(),
                **settings,
            }
        )
        for n, pair in enumerate(pairs):
            topic, document = self.topics[pair.number], self.documents[pair.docno]
            make_item(batch, topic, document, block=int(pair.number == "102"), shuffle=pow(48271, n + 2, PRIME))
        make_participation(batch, person, salt=5)
        return batch


def _tell(batch: Batch, person: Annotator, pairs: list[TrueGrade]) -> None:
    """Judged, mostly right, and told."""
    now = timezone.now()
    reasons = {pair.docno: pair for pair in pairs}
    items = list(batch.items.select_related("batch", "collection", "document").order_by("pk"))
    for n, item in enumerate(items):
        truth = reasons[item.document.docno].grade
        judgment = make_judgment(item, person, truth if n % 3 else abs(truth - 1), active_ms=41_000, wall_ms=58_000)
        judgment.__class__.objects.filter(pk=judgment.pk).update(created_at=now - timedelta(days=n % 4))
    Participation.objects.filter(batch=batch).update(n_judged=len(items))
    for assignment in Assignment.objects.filter(batch=batch).select_related("item__document"):
        known = reasons[assignment.item.document.docno]
        Feedback.objects.create(
            batch=batch, annotator=person, assignment=assignment, grade=known.grade, accepted=[known.grade],
            explanation=known.reason, created_at=now,
        )  # fmt: skip


def _ask(way: Way, texts: _Texts, pairs: list[TrueGrade]) -> None:
    """An information text before one batch, a round of training before another."""
    way.informed.information = revise_information(way.collection, text=INFORMATION, based_on=0, actor=None)
    way.informed.save()
    qualification = create_qualification(way.collection, settings=QualificationSettings(name="How we read"), actor=None)
    for pair in pairs[:2]:
        add_pair(
            qualification,
            topic=texts.topics[pair.number].versions.get(),
            document=texts.documents[pair.docno].versions.get(),
            accepted=[pair.grade],
            hint="Ask what somebody with this question could do once they have read it.",
            explanation=pair.reason,
        )
    open_qualification(qualification, actor=None)
    way.trained.qualification = qualification
    way.trained.save()


def walk(page: Page, way: Way) -> Iterator[str]:
    """Lead the page from stop to stop; gives the name of each."""
    page.goto("/")
    yield "home"
    yield from _judge(page, way)
    for name, path in (
        ("keys", "/judging/keys"),
        ("work", "/work/"),
        ("results", f"/work/{way.first_try.token}/"),
        ("result", f"/work/{way.first_try.token}/{way.first_try.judgments.earliest('pk').token}"),
        ("information", f"/judge/{way.informed.token}/"),
    ):
        page.goto(path)
        yield name
    yield from _train(page, way)
    revise(way.collection, cases=CASES, more="\nA price list is a document like any other.\n")
    page.goto(f"/judge/{way.cards.token}/")
    expect(page.get_by_role("heading", name="The guideline has changed")).to_be_visible()
    yield "guideline-changed"
    page.context.clear_cookies()
    page.goto("/login")
    yield "sign-in"


def _judge(page: Page, way: Way) -> Iterator[str]:
    _start(page, way.cards, press=False)
    yield "start"
    _start(page, way.cards)
    yield "judging"
    for name, key in (("guideline", "g"), ("comment", "c"), ("skip", "s"), ("all-keys", "?")):
        page.keyboard.press(key)
        yield f"judging-{name}"
        page.keyboard.press("Escape")
    _grade(page, "3")
    page.keyboard.press("r")
    expect(page.locator(".recent ol li").first).to_be_visible()
    yield "judging-recent"
    page.keyboard.press("Escape")
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=55))
    for digit in "12":  # the cards that are held may still be handed in
        _grade(page, digit)
    expect(page.get_by_role("heading", name="Time for a break")).to_be_visible()
    _forget_shifts(page)
    yield "break"
    WorkSession.objects.all().delete()
    _start(page, way.last)
    page.wait_for_timeout(SLIP * 1000)
    page.keyboard.press("4")
    expect(page.get_by_role("heading", name="That was the last one. Thank you.")).to_be_visible()
    _forget_shifts(page)
    yield "finished"
    yield from _pause(page, way)


def _pause(page: Page, way: Way) -> Iterator[str]:
    person = way.last.participations.get().annotator
    pause_annotator(person, reason="Too fast", actor=None, told="Please write to whoever invited you. " * 4)
    page.goto(f"/judge/{way.last.token}/")
    expect(page.get_by_role("heading", name="Judging is paused for you")).to_be_visible()
    yield "paused"
    resume_annotator(person, reason="Spoken with", actor=None)


def _start(page: Page, batch: Batch, *, press: bool = True) -> None:
    page.goto(f"/judge/{batch.token}/")
    button = page.get_by_role("button", name="Start judging")
    expect(button).to_be_visible()
    if press:
        button.click()
        expect(page.locator("#grades")).to_be_visible()
        page.wait_for_load_state()  # from then on keys are heard


def _grade(page: Page, digit: str) -> None:
    before = page.locator("#card").get_attribute("data-token")
    page.wait_for_timeout(SLIP * 1000)  # a press before that is none for this card
    page.keyboard.press(digit)
    expect(page.locator(f'#card:not([data-token="{before}"])')).to_be_visible()
    _forget_shifts(page)


def _forget_shifts(page: Page) -> None:
    """The answer to a key moves what is read. Browsers count that where it comes later than half a second after it."""
    frame = "await new Promise(requestAnimationFrame);"
    page.evaluate(f"async () => {{ {frame} {frame} window.shifts = 0 }}")
    expect(page.locator("#card .status, #bar:not([hidden]) .status")).to_contain_text("Saved")


def _train(page: Page, way: Way) -> Iterator[str]:
    page.goto(f"/judge/{way.trained.token}/")
    yield "training"
    page.get_by_role("button", name="Start training").click()
    expect(page.locator("#grades")).to_be_visible()
    yield "training-pair"
    for name in ("training-answer", ""):
        page.locator("#grades button").nth(3).click()
        expect(page.locator("#go-on")).to_be_visible()
        if name:
            yield name
        page.locator("#go-on").click()
    expect(page.get_by_role("heading", name="By right grade")).to_be_visible()
    yield "training-result"
