"""Every checker on sources made to break its law, and on sources that keep it."""

import pytest

from tests.architecture import laws, never, sizes, words
from tests.architecture.tree import Import, Module, imports, module_of


def reasons(path: str, source: str, *others: str) -> list[str]:
    written = [module_of(path, source), *(module_of(other, "") for other in others)]
    return [line.split(": ", 1)[1] for line in laws.broken_imports(written)]


@pytest.mark.parametrize(
    ("path", "source", "reason"),
    [
        (
            "annotation/models/a.py",
            "import annotation.corpus.read",
            "models may not import a subject (annotation.corpus.read)",
        ),
        ("annotation/models/a.py", "from ..kernel import b", "models may not import kernel (annotation.kernel)"),
        (
            "annotation/kernel/a.py",
            "import annotation.people.read",
            "kernel may not import a subject (annotation.people.read)",
        ),
        (
            "annotation/gold/read/a.py",
            "import annotation.trust.read",
            "gold may not import trust, which stands above it (annotation.trust.read)",
        ),
        (
            "annotation/trust/read/a.py",
            "import annotation.gold.forms",
            "forms is not open to others (annotation.gold.forms)",
        ),
        (
            "annotation/trust/read/a.py",
            "import annotation.gold.read.b.c",
            "deeper than a module of read (annotation.gold.read.b.c)",
        ),
        (
            "annotation/trust/read/a.py",
            "import annotation.gold",
            "the subject itself is not open to others (annotation.gold)",
        ),
        (
            "annotation/gold/read/a.py",
            "import annotation.gold.steps",
            "read may not import steps, which stands above it (annotation.gold.steps)",
        ),
        (
            "annotation/gold/steps/a.py",
            "import annotation.gold.views",
            "steps may not import views, which stands above it (annotation.gold.views)",
        ),
        (
            "annotation/gold/views/a.py",
            "import annotation.gold.api.b",
            "views may not import api (annotation.gold.api.b)",
        ),
        ("annotation/gold/a.py", "import annotation.gold.cellar", "there is no layer 'cellar' in gold"),
        (
            "annotation/home/views/a.py",
            "import annotation.management.b",
            "nobody imports management (annotation.management.b)",
        ),
        ("annotation/home/views/a.py", "import evaluation.models", "annotation never imports evaluation"),
        ("annotation/home/views/a.py", "import touchstone.settings", "annotation never imports touchstone"),
        (
            "evaluation/runs/steps/a.py",
            "import annotation.corpus.forms",
            "forms is not open to others (annotation.corpus.forms)",
        ),
        (
            "evaluation/runs/steps/a.py",
            "import annotation.corpus.steps.pooling.b",
            "deeper than a module of steps (annotation.corpus.steps.pooling.b)",
        ),
        (
            "evaluation/runs/steps/a.py",
            "import evaluation.accounting.read",
            "runs may not import accounting, which stands above it (evaluation.accounting.read)",
        ),
        (
            "evaluation/models/a.py",
            "import annotation.kernel.access",
            "models may not import kernel (annotation.kernel.access)",
        ),
        ("annotation/cellar/a.py", "", "there is no room 'cellar' in the house"),
        ("annotation/quality/a.py", "from django.db import models", "a pure room may not import django.db"),
        ("annotation/quality/a.py", "import annotation.models", "quality may not import models (annotation.models)"),
        (
            "touchstone/a.py",
            "import annotation.corpus.read.texts.b",
            "deeper than a module of read (annotation.corpus.read.texts.b)",
        ),
        ("evaluation/engine/a.py", "import torch", "torch is imported only inside functions"),
        ("annotation/quality/a.py", "def f():\n import torch", "torch belongs in evaluation/engine alone"),
        (
            "annotation/corpus/steps/a.py",
            "import polars",
            "polars is slow to import: inside a function, or in a pure room",
        ),
        ("touchstone/a.py", "from scipy import stats", "scipy is slow to import: inside a function, or in a pure room"),
    ],
)
def test_an_import_against_the_laws_is_found(path: str, source: str, reason: str) -> None:
    assert reasons(path, source) == [reason]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("annotation/corpus/steps/a.py", "from annotation.models import Topic\nfrom annotation.quality.b import Table"),
        ("annotation/gold/views/a.py", "from annotation.kernel import access\nfrom annotation.gold.forms.b import C"),
        (
            "annotation/trust/steps/a.py",
            "from annotation.gold.read.b import C\nimport annotation.trust.read.c.d",
        ),
        ("annotation/quality/a.py", "import json\nimport numpy as np\nfrom annotation.quality import b"),
        ("annotation/management/commands/a.py", "from annotation.batches.forms.batches import BatchForm"),
        ("evaluation/engine/a.py", "def f():\n import torch"),
        ("evaluation/runs/steps/a.py", "from annotation.kernel import access\nfrom annotation.corpus.steps.b import c"),
        ("touchstone/urls.py", "import annotation.urls\nimport evaluation.models"),
        ("touchstone/management/commands/a.py", "from annotation.management.importing import b"),
    ],
)
def test_an_import_within_the_laws_passes(path: str, source: str) -> None:
    others = ("annotation/kernel/access.py", "annotation/quality/b.py", "annotation/urls.py")
    assert reasons(path, source, *others) == []


def test_imports_know_relative_names_and_what_waits() -> None:
    module = module_of(
        "annotation/home/views/a.py",
        "from . import b\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n import torch\n"
        "def f():\n from ...kernel import access",
    )
    known = frozenset({"annotation.home.views.b", "annotation.kernel.access"})
    assert imports(module, known) == [
        Import("annotation.home.views.b", 1, deferred=False),
        Import("typing", 2, deferred=False),
        Import("torch", 4, deferred=True),
        Import("annotation.kernel.access", 6, deferred=True),
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


def test_a_subject_or_layer_that_does_more_than_say_what_it_is_for_is_found() -> None:
    sources = {"gold": '"""Gold."""', "trust": '"""Trust."""\nx = 1', "home": "", "kernel/jobs": "x = 1"}
    sources |= {"gold/steps": '"""Verbs."""', "gold/api": "", "gold/read": "from annotation.gold.read.a import b"}
    packages = [module_of(f"annotation/{name}/__init__.py", source) for name, source in sources.items()]
    assert laws.talkative_packages(packages) == [
        "annotation/trust/__init__.py",
        "annotation/home/__init__.py",
        "annotation/gold/read/__init__.py",
    ]


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


@pytest.mark.parametrize(
    ("source", "n"),
    [("found = 1", 1), ("def f(told): pass", 1), ("for held, rows in x: pass", 1), ("f(y := 1, found=2)", 0),
     ("if (given := x): pass", 1), ("lambda said: said", 1), ("n_found = 1", 0), ("class A:\n    found: int", 0),
     ("class A:\n    told = CharField()", 0),
     ("class A:\n    def f(self):\n        made: int = 1", 1)],
)  # fmt: skip
def test_a_participle_is_no_variable(source: str, n: int) -> None:
    assert len(words.participles([module_of("annotation/models/a.py", source)])) == n


def test_a_module_name_and_a_foreign_keys_name_are_found() -> None:
    refusals = words.refused_names(
        [module_of("annotation/utils.py", ""), module_of("annotation/formats/a.py", "topic_id = 1")]
    )
    assert [line.split(": ", 1)[1] for line in refusals] == [
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


def test_long_lines_of_templates_are_found() -> None:
    longest = "–" * sizes.TEMPLATE_LINE_LIMIT
    assert sizes.long_lines([("a.html", f"{longest}\n<p>\n{longest}x\n")]) == ["a.html:3: 161 characters, 160 at most"]


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


def test_a_way_past_the_store_is_found() -> None:
    source = "from django.conf import settings\nroot = settings.TOUCHSTONE_FILES"
    places = [
        never.reaches_past_the_store([module_of(path, source)])
        for path in ("annotation/gold/read.py", "evaluation/runs/read.py")
    ]
    assert places == [["annotation/gold/read.py:2"], ["evaluation/runs/read.py:2"]]
    assert never.reaches_past_the_store([module_of("annotation/kernel/store/in_use.py", source)]) == []


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
        ('{% include "a.html"\n  with b=c %}', "a tag that goes on in the next line is printed as it is"),
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


def test_gold_is_found_in_judging_and_only_there_and_so_is_a_place_without_files() -> None:
    files = [
        ("annotation/judging/views/judge.py", "x\nis_gold = 1"),
        ("annotation/review/views/gold.py", "gold"),
        ("static/js/judge.js", "Gold"),
    ]
    assert never.gold_named(files) == [
        "annotation/judging/views/judge.py:2: is_gold = 1",
        "static/js/judge.js:1: Gold",
        "templates/annotation/judging/: no file",
    ]


def test_rooms_read_off_a_path() -> None:
    assert module_of("annotation/models/__init__.py", "") == Module(
        "annotation.models", "annotation/models/__init__.py", "", True
    )
    assert [module_of(path, "").room for path in ("annotation/kernel/access.py", "annotation/__init__.py")] == [
        "kernel",
        "",
    ]
