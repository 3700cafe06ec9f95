"""The language of texts, as a tag of BCP 47: `de`, `pt-BR`, `zh-Hant`, `sr-Latn-RS`."""

import re

MAX_LANGUAGE = 35  # characters

# ISO 639-1. A third letter makes a code of ISO 639-3, of which there are too many to list.
_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et
eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk
kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny
oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_TWO = frozenset(_CODES.split())
_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-[a-z]{3})?"
    r"(?P<script>-[a-z]{4})?"
    r"(?P<region>-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    r"(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.ASCII,
)


def language_tag(text: str) -> str:
    """The tag in its usual spelling (`zh-hant-tw` is `zh-Hant-TW`); empty for nothing. `ValueError` for others."""
    stripped = text.strip()
    match = _TAG.fullmatch(stripped.lower())
    if not stripped:
        return ""
    if match is None or len(stripped) > MAX_LANGUAGE:
        raise ValueError("this is no language tag: expected something like en, pt-BR or zh-Hant")
    language = match["language"]
    if len(language) == 2 and language not in _TWO:
        raise ValueError(f"no language has the code {language!r}")
    return _spelt(match)


def _spelt(match: re.Match[str]) -> str:
    tag = match[0]
    for part, spell in (("script", str.title), ("region", str.upper)):
        if match[part]:
            tag = tag[: match.start(part)] + spell(match[part]) + tag[match.end(part) :]
    return tag
