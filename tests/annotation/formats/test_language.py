"""Language tags: what is one, and how it is spelt."""

import pytest

from annotation.formats.language import language_tag


@pytest.mark.parametrize(
    ("tag", "spelt"),
    [
        ("", ""),
        ("  ", ""),
        ("en", "en"),
        (" DE ", "de"),
        ("pt-br", "pt-BR"),
        ("ZH-HANT", "zh-Hant"),
        ("sr-latn-rs", "sr-Latn-RS"),
        ("es-419", "es-419"),
        ("gsw", "gsw"),
        ("zh-yue", "zh-yue"),
        ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("de-ch-1996", "de-CH-1996"),
        ("de-u-co-phonebk", "de-u-co-phonebk"),
        ("en-x-lab", "en-x-lab"),
    ],
)
def test_a_tag_in_its_usual_spelling(tag: str, spelt: str) -> None:
    assert language_tag(tag) == spelt
    assert language_tag(spelt) == spelt


NONE = "English german e en_US en- -en en--US x-lab äö e1".split()  # noqa: SIM905 -- as they are typed


@pytest.mark.parametrize("tag", [*NONE, "en US", "en\n-US", "en-US\0", "en" + "-aaaaaaaa" * 4])
def test_what_is_none(tag: str) -> None:
    with pytest.raises(ValueError, match="no language tag"):
        language_tag(tag)


@pytest.mark.parametrize("tag", ["jp", "gr", "xx", "cz-CZ"])
def test_countries_are_no_languages(tag: str) -> None:
    with pytest.raises(ValueError, match=f"no language has the code '{tag[:2]}'"):
        language_tag(tag)
