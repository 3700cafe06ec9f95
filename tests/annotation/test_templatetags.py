"""What templates may call."""

from django.template import Context, Template


def test_words_over_several_lines_are_one_line_of_plain_text() -> None:
    lines = "{% load texts %}{% words as note %}\n  less than\n  {{ n }} & more\n{% endwords %}{{ note }}"
    assert Template(lines).render(Context({"n": 3})) == "less than 3 &amp; more"
