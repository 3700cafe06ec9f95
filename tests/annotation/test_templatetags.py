"""What templates may call."""

from django.template import Context, Template

from annotation.templatetags.texts import code_pieces


def test_words_over_several_lines_are_one_line_of_plain_text() -> None:
    lines = "{% load texts %}{% words as note %}\n  less than\n  {{ n }} & more\n{% endwords %}{{ note }}"
    assert Template(lines).render(Context({"n": 3})) == "less than 3 &amp; more"


def test_what_stands_in_backticks_is_code() -> None:
    assert code_pieces("`a` and `b`.") == [(False, ""), (True, "a"), (False, " and "), (True, "b"), (False, ".")]
