"""Pages as tests read them: where a template breaks its lines is its own affair."""

import re

from django.http import HttpResponse

BLOCKS = (
    "article|aside|br|button|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr"
    "|legend|li|main|nav|ol|option|p|section|select|summary|table|tbody|td|template|tfoot|th|thead|title|tr|ul"
)
KEPT = re.compile(r"(<(?:pre|textarea)\b.*?</(?:pre|textarea)>)", re.DOTALL)
AROUND_BLOCK = re.compile(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?")
BEFORE_BRACKET = re.compile(r"(<[^<>]*) >")


def text_of(response: HttpResponse) -> str:
    """What `response.text` is in tests; `response.content` has every byte."""
    text = response.content.decode(response.charset or "utf-8")
    return compact(text) if response.get("Content-Type", "").startswith("text/html") else text


def compact(page: str) -> str:
    """HTML with one blank where it has any, and none beside the tags of blocks or before the end of a tag.

    So a sentence is found however it is wrapped, and one that must not be there is not missed because it is.
    """
    return "".join(part if place % 2 else _compact(part) for place, part in enumerate(KEPT.split(page)))


def _compact(part: str) -> str:
    line = BEFORE_BRACKET.sub(r"\1>", re.sub(r"[ \t\n\r\f]+", " ", part))
    return AROUND_BLOCK.sub(r"\1", line)
