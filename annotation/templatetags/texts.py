"""Texts of documents on a page."""

from django import template
from django.utils.html import format_html

from annotation.models import Collection
from annotation.text import counted, sanitise
from annotation.text.legible import legible as make_legible
from annotation.text.safe import SafeHtml

register = template.Library()


@register.filter
def sanitised(html: str) -> SafeHtml:
    """HTML of a document, sanitised once more."""
    return sanitise.readable(html)


@register.filter
def legible(text: str) -> str:
    """Text of a document, with signs for what cannot be read as it is."""
    return make_legible(text)


@register.simple_tag
def lang(collection: Collection) -> str:
    """The attribute of what holds a text of the collection, where it says in which language they are."""
    return format_html(' lang="{}"', collection.language) if collection.language else ""


@register.simple_block_tag
def words(content: str) -> str:
    """Plain words over several lines as one: {% words as purpose %} … {% endwords %}, to hand to an include."""
    return " ".join(content.split())


@register.filter
def grouped(number: object) -> object:
    """12400 → 12,400. What is no number stays as it is."""
    return f"{number:,}" if isinstance(number, int | float) else number


@register.filter
def percent(share: float | None) -> str:
    """0.744 → 74 %; a dash where there is none."""
    return "–" if share is None else counted.percent(share)


@register.filter
def minus(number: str) -> str:
    """-0.25 → −0.25, with the sign that the pages write."""
    return str(number).replace("-", "−")


@register.filter
def seconds(milliseconds: int) -> str:
    """12400 → 12."""
    return f"{milliseconds / 1000:,.0f}"


@register.filter
def code_pieces(text: str) -> list[tuple[bool, str]]:
    """What stands in backticks and what does not, in turn; whether it is code comes first."""
    return [(turn % 2 == 1, piece) for turn, piece in enumerate(text.split("`"))]
