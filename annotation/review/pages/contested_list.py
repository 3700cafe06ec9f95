"""The list of contested pairs that wait for a decision."""

from annotation.kernel.list_columns import listed
from annotation.kernel.listing import Listing, Only
from annotation.kernel.tables import Shown
from annotation.review.pages.contested_tables import WAITING
from annotation.review.read.adjudication import QueueRow, WaitingPairs


def contested_list(waiting: WaitingPairs, *, may_decide: bool) -> Listing[QueueRow]:
    """Of `waiting`, which heeds reason and topic. No pair is a link: the pages of a topic and of a document show
    grades."""
    number, docno, why, people, held_by, sent_by, because = WAITING
    reasons = [(each.key, f"{each.words.capitalize()}: {each.n:,}") for each in waiting.reasons]
    topics = [(number, f"{number}: {n:,}") for number, n in waiting.topics]
    return Listing(
        "Contested",
        (
            listed(number, by="number", shown=Shown("Topic", is_numeric=False), look="code fit"),
            listed(docno, by="docno", shown=Shown("Document", is_numeric=False), look="docno"),
            listed(
                why, shown=Shown("Why", is_numeric=False), look="reason", part="annotation/review/contested_why.html"
            ),
            listed(people, by="n_people", shown=Shown("People")),
            listed(held_by, by="holder", shown=Shown("With", is_numeric=False), is_folded=True),
            listed(sent_by, by="sender", shown=Shown("Sent by", is_numeric=False), is_folded=True),
            listed(because, shown=Shown("Sent because", is_numeric=False), is_folded=True, is_long=True),
        ),
        search=("number", "docno", "because"),
        hint="Topic, document or note",
        filters=(Only("reason", "Reason", "", reasons), Only("topic", "Topic", "", topics)),
        kept_parameters=("batch", "policy", "posterior", "below", "wide"),
        nothing="No pair like this waits.",
        deeds="annotation/review/contested_read.html" if may_decide else "",
        deeds_named="Decide",
        heading_id="waiting",
    )
