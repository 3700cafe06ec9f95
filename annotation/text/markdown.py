"""Guidelines: a subset of Markdown → sanitised HTML.

Paragraphs, headings, emphasis, lists, quotes, code, rules, tables, links. No raw HTML (it is shown
as text), no images, no styles, no classes. Headings begin two levels down: a guideline stands in a
panel of a page that has its own.
"""

from functools import cache, lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from annotation.text.safe import SafeHtml

MAX_LENGTH = 30_000  # characters; hostile emphasis takes the parser quadratic time, here under a second
MAX_NESTING = 20  # lists in quotes in lists …: sanitisers take quadratic time on deep nesting
_HEADING_SHIFT = 2

_TAGS = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "strong", "em", "s", "ul", "ol", "li", "blockquote", "code", "pre"),
    *("a", "table", "thead", "tbody", "tr", "th", "td"),
}


@lru_cache(maxsize=64)  # every page of judging shows the same guideline
def render_markdown(text: str) -> SafeHtml:
    """HTML to print as it stands. Links lead to http, https or mailto and get rel="noopener noreferrer nofollow".

    Raises `ValueError` for a text of more than `MAX_LENGTH` characters.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"the text has {len(text)} characters, at most {MAX_LENGTH} are allowed")
    parser = _parser()
    tokens = [_shifted(token) for token in parser.parse(text)]
    return _cleaned(parser.renderer.render(tokens, parser.options, {}))


def plain_text(text: str) -> str:
    """What is read, without the marks: a line for each paragraph, heading, item and row; items with bullet or number.

    For comparing what two texts say. Raises `ValueError` as `render_markdown` does.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"the text has {len(text)} characters, at most {MAX_LENGTH} are allowed")
    lines, bullet, row = list[str](), "", list[str]()
    in_row = False
    for token in _parser().parse(text):
        if token.type == "list_item_open":
            bullet = f"{'  ' * (token.level // 2)}{token.info + '.' if token.info else '•'} "
        elif token.type in {"tr_open", "tr_close"}:
            in_row = token.type == "tr_open"
            lines += [] if in_row else [" | ".join(row)]
            row = []
        elif token.type == "inline" and in_row:
            row.append(_words(token))
        elif token.type == "inline":
            lines.append(bullet + _words(token))
            bullet = ""
        elif token.type in {"code_block", "fence"}:
            lines += token.content.splitlines()
    return "\n".join(lines)


def _words(inline: Token) -> str:
    breaks = {"softbreak": " ", "hardbreak": "\n"}
    return "".join(breaks.get(part.type, part.content) for part in inline.children or [])


def _cleaned(html: str) -> SafeHtml:
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )
    return SafeHtml(clean)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    return parser.enable(["table", "strikethrough"]).disable(["image", "html_block", "html_inline"])


def _shifted(token: Token) -> Token:
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(6, int(token.tag[1]) + _HEADING_SHIFT)}"
    return token
