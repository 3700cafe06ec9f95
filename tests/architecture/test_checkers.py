"""Every checker on sources made to break its law, and on sources that keep it."""

import pytest

from tests.architecture import laws, never, sizes, words
from tests.architecture.tree import Import, Module, imports, module_of


def reasons(path: str, source: str, *others: str) -> list[str]:
    written = [module_of(path, source), *(module_of(other, "") for other in others)]
    return [found.split(": ", 1)[1] for found in laws.broken_imports(written)]


@pytest.mark.parametrize(
    ("path", "source", "reason"),
    [
        ("annotation/models/a.py", "import annotation.forms", "models may not import forms (annotation.forms)"),
        ("annotation/models/a.py", "from ..queries import b", "models may not import queries (annotation.queries)"),
        ("annotation/queries/a.py", "import annotation.access", "queries may not import access (annotation.access)"),
        ("annotation/workflow/a.py", "import annotation", "workflow may not import the app itself (annotation)"),
        ("annotation/workflow/a.py", "import annotation.forms", "workflow may not import forms (annotation.forms)"),
        ("annotation/views/a.py", "import annotation.api.b", "views may not import api (annotation.api.b)"),
        ("annotation/urls.py", "import annotation.workflow.a", "urls may not import workflow (annotation.workflow.a)"),
        ("annotation/views/a.py", "import evaluation.models", "annotation never imports evaluation"),
        ("annotation/views/a.py", "import touchstone.settings", "an app never imports touchstone"),
        ("evaluation/views/a.py", "import annotation.forms", "evaluation may not use annotation.forms"),
        ("evaluation/workflow/a.py", "import annotation.workflow.a", "evaluation may not use annotation.workflow.a"),
        ("evaluation/models/a.py", "import annotation.access", "models may not import access (annotation.access)"),
        ("annotation/cellar/a.py", "import json", "there is no room 'cellar' in the house"),
        ("annotation/quality/a.py", "from django.db import models", "a pure room may not import django.db"),
        ("annotation/quality/a.py", "import annotation.models", "quality may not import models (annotation.models)"),
        ("evaluation/engine/a.py", "import torch", "torch is imported only inside functions"),
        ("annotation/quality/a.py", "def f():\n import torch", "torch belongs in evaluation/engine alone"),
        ("annotation/workflow/a.py", "import polars", "polars is slow to import: inside a function, or in a pure room"),
        ("touchstone/a.py", "from scipy import stats", "scipy is slow to import: inside a function, or in a pure room"),
    ],
)  # fmt: skip
def test_an_import_against_the_laws_is_found(path: str, source: str, reason: str) -> None:
    assert reasons(path, source) == [reason]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("annotation/workflow/a.py", "from annotation.models import Topic\nfrom annotation.quality.table import Table"),
        ("annotation/views/a.py", "from annotation import access\nfrom annotation.forms.b import C"),
        ("annotation/quality/a.py", "import json\nimport numpy as np\nfrom annotation.quality import b"),
        ("evaluation/engine/a.py", "def f():\n import torch"),
        (
            "evaluation/workflow/a.py",
            "from annotation.workflow import jobs\nfrom annotation.workflow.audit import record",
        ),
        ("touchstone/urls.py", "import annotation.urls\nimport evaluation.models"),
        ("annotation/urls.py", "from annotation.views import a"),
    ],
)
def test_an_import_within_the_laws_passes(path: str, source: str) -> None:
    others = ("annotation/access.py", "annotation/quality/b.py", "annotation/workflow/jobs.py")
    assert reasons(path, source, *others) == []


def test_imports_know_relative_names_and_what_waits() -> None:
    module = module_of(
        "annotation/views/a.py",
        "from . import b\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n import torch\n"
        "def f():\n from .. import access",
    )
    known = frozenset({"annotation.views.b", "annotation.access"})
    assert imports(module, known) == [
        Import("annotation.views.b", 1, deferred=False),
        Import("typing", 2, deferred=False),
        Import("torch", 4, deferred=True),
        Import("annotation.access", 6, deferred=True),
    ]


def test_circles_are_found_even_when_deferred() -> None:
    a = module_of("annotation/models/a.py", "from annotation.models import b")
    b = module_of("annotation/models/b.py", "def f():\n from annotation.models.c import x")
    c = module_of("annotation/models/c.py", "import annotation.models.a")
    assert laws.circles([a, b]) == []
    assert laws.circles([a, b, c]) == ["annotation.models.a <-> annotation.models.b <-> annotation.models.c"]


def test_circles_between_rooms_are_found() -> None:
    text = [module_of("annotation/text/a.py", "import annotation.formats.a"), module_of("annotation/text/b.py", "")]
    formats = [
        module_of("annotation/formats/a.py", ""),
        module_of("annotation/formats/b.py", "import annotation.text.b"),
    ]
    assert laws.circles([*text, *formats]) == ["annotation.formats <-> annotation.text"]


def test_a_model_named_in_a_string_is_found() -> None:
    fields = 'run = ForeignKey("evaluation.Run")\nverb = "evaluation.requested"'
    assert laws.strings_across([module_of("annotation/models/a.py", fields)]) == [
        'annotation/models/a.py:1: names "evaluation.Run"'
    ]


@pytest.mark.parametrize(
    "source",
    ["label = 1", "def f(metric): pass", "class GoldHandler: pass", "self.helpers = 1", "def utils(): pass",
     "import numpy as common", "for ground_truth in x: pass", "class RunManager: pass", "judgement_count = 1"],
)  # fmt: skip
def test_a_refused_word_is_found(source: str) -> None:
    assert len(words.refused_names([module_of("annotation/models/a.py", source)])) == 1


@pytest.mark.parametrize(
    "source",
    ["class UserManager(BaseUserManager): pass", "handler404 = 'x'", "class Meta:\n labels = {}", "f(label='x')",
     "from x import metric", "def management(): pass", "topic_id = 1",
     "def test_that_they_have_it_in_common(): pass"],
)  # fmt: skip
def test_names_that_are_not_ours_pass(source: str) -> None:
    assert words.refused_names([module_of("annotation/models/a.py", source)]) == []


def test_a_module_name_and_a_foreign_keys_name_are_found() -> None:
    found = words.refused_names(
        [module_of("annotation/utils.py", ""), module_of("annotation/formats/a.py", "topic_id = 1")]
    )
    assert [line.split(": ", 1)[1] for line in found] == [
        "a module called utils",
        "topic_id: foreign keys own this name; say number or docno",
    ]


def test_long_files_and_functions_are_found() -> None:
    body = "def f():\n" + '    """one\n    two"""\n' + "    x = 1\n" * sizes.FUNCTION_LIMIT
    lengths = sizes.function_lengths([module_of("annotation/a.py", body)])
    assert lengths == {"annotation/a.py:1 f": sizes.FUNCTION_LIMIT + 1}
    assert len(sizes.long_functions(lengths)) == 1
    assert sizes.long_functions({"f": sizes.FUNCTION_LIMIT}) == []
    assert sizes.long_files([("a", "x\n" * 401), ("b", "x\n" * 400)]) == ["a: 401 lines, 400 at most"]


@pytest.mark.parametrize(
    "source",
    ["from django.utils.safestring import mark_safe", "import pickle", "from pickle import loads",
     "@csrf_exempt\ndef f(): pass",
     "np.load(f, allow_pickle=True)", "subprocess.run(x, shell=flag)", "decorators.cache_page(1)", "eval('1')"],
)  # fmt: skip
def test_a_refused_call_is_found(source: str) -> None:
    assert len(never.refused_calls([module_of("annotation/views/a.py", source)])) == 1


def test_what_resembles_a_refused_call_passes() -> None:
    source = "np.load(f, allow_pickle=False)\nmodel.eval()\nsubprocess.run(x, shell=False)"
    assert never.refused_calls([module_of("annotation/views/a.py", source)]) == []


@pytest.mark.parametrize(
    "source", ["from django.dispatch import receiver", "from django.db.models import signals", "import django.dispatch"]
)
def test_signals_are_found(source: str) -> None:
    assert len(never.signals([module_of("annotation/apps.py", source)])) == 1


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("{{ text|safe }}", "the filter safe"),
        ("{% autoescape off %}", "autoescape off"),
        ('<p style="color: red">', "a style attribute"),
        ("<style>p {}</style>", "a style element"),
        ('<button onclick="go()">', "an event attribute"),
        ('<a {% if a > 1 %}x{% endif %} onclick="go()">', "an event attribute"),
        ('<p hx-on:click="go()">', "an hx-on attribute"),
        ('<a href="javascript:go()">', "a javascript: address"),
        ('<script src="a.js">go()</script>', "an inline script"),
        ("<script></script>", "a script without src"),
        ('<td class="num" title="why">', "a title that only a mouse finds"),
    ],
)
def test_refused_markup_is_found(markup: str, reason: str) -> None:
    assert never.refused_markup([("a.html", f"\n{markup}")]) == [f"a.html:2: {reason}"]


def test_plain_markup_passes() -> None:
    markup = (
        '<script src="{% static "js/a.js" %}" defer></script><a href="/" title="home">Home</a>'
        '<p>On x<p class="safe">{{ a|default:"on=1" }}'
    )
    assert never.refused_markup([("a.html", markup)]) == []


def test_gold_is_found_on_the_judging_path_and_only_there() -> None:
    files = [
        ("annotation/views/judge.py", "x\nis_gold = 1"),
        ("annotation/views/gold.py", "gold"),
        ("static/js/judge.js", "Gold"),
    ]
    assert never.gold_named(files) == ["annotation/views/judge.py:2: is_gold = 1", "static/js/judge.js:1: Gold"]


def test_rooms_read_off_a_path() -> None:
    assert module_of("annotation/models/__init__.py", "") == Module(
        "annotation.models", "annotation/models/__init__.py", "", True
    )
    assert [module_of(path, "").room for path in ("annotation/access.py", "annotation/__init__.py")] == ["access", ""]
