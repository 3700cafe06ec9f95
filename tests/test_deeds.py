"""What a person changes on a page, a program changes under /api/v1/: each page that takes a POST has its operation."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

API = "api/v1/"
METHODS = ("get", "post", "put", "patch", "delete")

# The page, and the operations of the API that do the same: the method and the name of the address.
OPERATIONS: Mapping[str, tuple[str, ...]] = {
    # Collections
    "collection_new": ("POST api_collections",),
    "collection_edit": ("PATCH api_collection",),
    "collection_delete": ("POST api_collection_delete",),
    "scale": ("PUT api_scale",),
    "guideline_edit": ("POST api_guideline_versions",),
    "information_new": ("POST api_information",),
    "information_edit": ("POST api_information_revise",),
    # People
    "people_person": ("PUT api_person",),
    "people_remove": ("DELETE api_person",),
    "people_password_link": ("POST api_person_password_link",),
    "invitations": ("POST api_invitations",),
    "invitation_withdraw": ("POST api_invitation_withdraw",),
    "annotator_kind": ("POST api_annotator_kind",),
    # Whole collections and files
    "demo_load": ("POST api_demo_load",),
    "collection_bring": ("POST api_collection_bring",),
    "arrival_publish": ("POST api_arrival_publish",),
    "arrival_discard": ("POST api_arrival_discard",),
    "bundle": ("POST api_bundles",),
    "collection_start": ("POST api_imports",),
    "import_new": ("POST api_imports",),
    "import_check": ("POST api_import_check",),
    "import_publish": ("POST api_import_publish",),
    "imports_publish": ("POST api_import_publish",),
    "import_cancel": ("POST api_import_cancel",),
    "runs_new": ("POST api_runs", "POST api_imports"),
    "runs_fuse": ("POST api_fused_runs",),
    "vectors_search": ("POST api_searched_runs",),
    "vectors_space": ("POST api_space",),
    "vectors_compare": ("POST api_model_comparisons",),
    "vectors_delete": ("DELETE api_vectors_set",),
    "ab_test": ("POST api_ab_test_analyses",),
    "ab_test_delete": ("DELETE api_ab_test",),
    "judgments_named": ("POST api_judgments_named",),
    "job_cancel": ("POST api_job_cancel",),
    "run_delete": ("DELETE api_run",),
    "snapshot_delete": ("DELETE api_snapshot",),
    # Pools
    "pool_file": ("POST api_pools", "POST api_imports"),
    "pool_runs": ("POST api_pool_from_runs",),
    "pool_without_runs": ("POST api_pool_without_runs",),
    "pooling_new": ("POST api_pooling_new",),
    "pooling_portion": ("POST api_pooling_portion",),
    "pooling_next": ("POST api_pooling_next", "POST api_pooling_next_ranking"),
    "pooling_replays": ("POST api_pooling_replays",),
    "pool_delete": ("DELETE api_pool",),
    # Gold
    "gold_set": ("POST api_gold_set",),
    "gold_withdraw": ("POST api_gold_withdraw",),
    "gold_snapshot": ("POST api_gold_from_qrels",),
    "gold_file": ("POST api_imports",),
    "gold_appeal": ("POST api_objection",),
    # Qualification
    "qualification_new": ("POST api_qualifications",),
    "qualification_edit": ("PATCH api_qualification",),
    "qualification_step": (
        "POST api_qualification_open",
        "POST api_qualification_close",
        "POST api_qualification_redraft",
    ),
    "qualification_delete": ("DELETE api_qualification",),
    "qualification_pair_new": ("POST api_qualification_pairs",),
    "qualification_gold": ("POST api_qualification_gold",),
    "qualification_pair": ("PATCH api_qualification_pair",),
    "qualification_pair_move": ("POST api_qualification_pair_move",),
    "qualification_pair_remove": ("DELETE api_qualification_pair",),
    # Whom to believe
    "quality_pairs_pool": ("POST api_pools",),
    "annotators_together": ("POST api_annotator_exclude", "POST api_annotator_pause"),
    "annotator_exclude": ("POST api_annotator_exclude",),
    "annotator_reinstate": ("POST api_annotator_reinstate",),
    "annotator_pause": ("POST api_annotator_pause",),
    "annotator_resume": ("POST api_annotator_resume",),
    "policy_new": ("POST api_policies",),
    "batch_alert": ("POST api_alert_aside", "POST api_alert_show"),
    # The last word
    "adjudication_next": ("POST api_pair_next",),
    "adjudication_send": ("POST api_pairs_send",),
    "adjudicate_open": ("POST api_pair_open",),
    "adjudicate_blind": ("POST api_pair_blind",),
    "adjudicate_look": ("POST api_pair_look",),
    "adjudicate_leave": ("POST api_pair_leave",),
    "adjudicate": ("POST api_pair_decide",),
    "adjudicate_withdraw": ("POST api_pair_withdraw",),
    # Evaluation
    "leaderboard": ("POST api_evaluations_compare_many",),
    "leaderboard_compare_many": ("POST api_evaluations_compare_many",),
    "leaderboard_evaluate": ("POST api_evaluations",),
    "evaluation_unjudged": ("POST api_evaluation_pool",),
    "report_new": ("POST api_reports",),
    "outgoing": ("POST api_recipients",),
    "outgoing_end": ("POST api_recipient_end",),
    "outgoing_test": ("POST api_recipient_test",),
    "series_new": ("POST api_series_list",),
    "series_point": ("POST api_series_points",),
    "series_file": ("POST api_series_points",),
    "series_note": ("POST api_series_notes",),
    "series_alert": ("POST api_series_see", "POST api_series_close"),
    "series_measure": ("POST api_series_measure",),
    "series_edit": ("PATCH api_series",),
    "series_end": ("POST api_series_end",),
    # Batches
    "batch_new": ("POST api_batches",),
    "batch_edit": ("PATCH api_batch",),
    "batch_delete": ("DELETE api_batch",),
    "batch_plan": ("POST api_batch_dry_run",),
    "batch_lay_out": ("POST api_batch_lay_out",),
    "batch_close": ("POST api_batch_close", "POST api_snapshots"),
    "batch_step": ("POST api_batch_open", "POST api_batch_pause", "POST api_batch_reopen", "POST api_batch_close"),
    "batch_assign": ("POST api_batch_assign",),
    "batch_unassign": ("POST api_batch_unassign",),
    "batch_feedback": ("POST api_batch_feedback",),
    "batch_release": ("POST api_batch_release",),
    "batch_replace": ("POST api_batch_replace",),
    "batch_withdraw": ("POST api_batch_withdraw",),
    "batch_cost": ("POST api_batch_cost",),
    "batch_due": ("POST api_batch_due",),
    # Judging
    "judge_start": ("POST api_judge_next",),
    "judge_grade": ("POST api_judge_grade",),
    "judge_skip": ("POST api_judge_skip",),
    "judge_later": ("POST api_judge_later",),
    "judge_undo": ("POST api_judge_undo",),
    "judge_keep": ("POST api_judge_keep",),
    "judge_consent": ("POST api_judge_consent",),
    "judge_decline": ("POST api_judge_decline",),
    "judge_acknowledge": ("POST api_judge_acknowledge",),
    "judge_qualify_begin": ("POST api_judge_qualify_begin",),
    "judge_qualify_pair": ("POST api_judge_qualify_pair",),
    "judge_heartbeat": ("POST api_judge_heartbeat",),
    "judge_release": ("POST api_judge_release",),
    "judge_choices": ("PATCH api_judge_choices",),
    "judge_terms": ("POST api_judge_terms",),
    "own_results_read": ("POST api_own_results_read",),
    "own_object": ("POST api_own_object",),
    # Rules, snapshots, accounting
    "quality_watch": ("PATCH api_watch",),
    "quality_pausing": ("PATCH api_pausing",),
    "alerts_settings": ("PATCH api_alerts_settings",),
    "snapshot_new": ("POST api_snapshots",),
    "snapshot_verify": ("POST api_snapshot_verify",),
    "accounting_ask": ("POST api_snapshot_accounting",),
    "accounting_policies": ("POST api_accountings",),
    "sensitivity": ("POST api_sensitivity",),
    "beyond_new": (
        *("POST api_recommendations", "POST api_alarm_scores", "POST api_drift"),
        *("POST api_interleaving", "POST api_interleaving_power"),
    ),
    "beyond_delete": ("DELETE api_description",),
    "click_comparison_delete": ("DELETE api_click_comparison",),
    # Tokens
    "saved_view_new": ("POST api_saved_views",),
    "saved_view_rename": ("PATCH api_saved_view",),
    "saved_view_delete": ("DELETE api_saved_view",),
    "inbox_read": ("POST api_inbox_read",),
    "inbox_read_all": ("POST api_inbox_read_all",),
    "preferences": ("PUT api_preferences",),
    "api_tokens": ("POST api_own_tokens",),
    "api_token_revoke": ("POST api_own_token_revoke",),
}

# Pages without an operation, and why.
PAGES_ALONE: Mapping[str, str] = {
    "login": "A program has a token; a session is the browser's.",
    "logout": "A program has a token; a session is the browser's.",
    "password_change": "A password is chosen by a person, and asks for the old one: a token alone must not take over.",
    "password_link": "Opened by whoever holds the link, who has no token yet.",
    "sign_in_link": "Opened by whoever holds the link, who has no token yet.",
    "invitation": "Opened by whoever holds the link, who may have no account yet.",
    "batch_estimate": "Counts what a form would come to; nothing is stored. `api_batch_dry_run` says it of a draft.",
    "guideline_preview": "Shows how Markdown will look; nothing is stored.",
    "information_preview": "Shows how Markdown will look; nothing is stored.",
    "judge_keys": "The keys of one's own keyboard on the page.",
}


def test_every_page_that_changes_something_has_its_operation() -> None:
    pages = {name for name, view in named_views() if "POST" in methods_of(view)}
    assert sorted(pages - set(api_methods())) == sorted({*OPERATIONS, *PAGES_ALONE})


def test_a_page_stands_in_one_place() -> None:
    names = [*OPERATIONS, *PAGES_ALONE]
    assert len(names) == len(set(names))


def test_the_operations_are_there() -> None:
    wanted = {each for operations in OPERATIONS.values() for each in operations}
    present = {f"{method} {name}" for name, methods in api_methods().items() for method in methods}
    assert sorted(wanted - present) == []


def named_views() -> Iterator[tuple[str, Callable[..., Any]]]:
    for pattern, _ in all_patterns(get_resolver().url_patterns):
        if pattern.name:
            yield pattern.name, pattern.callback


def api_methods() -> dict[str, set[str]]:
    """The methods of each address of the API, by its name."""
    return {
        pattern.name or path: methods_of(pattern.callback)
        for pattern, path in all_patterns(get_resolver().url_patterns)
        if path.startswith(API)
    }


def all_patterns(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[tuple[URLPattern, str]]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from all_patterns(each.url_patterns, before + str(each.pattern))
        else:
            yield each, before + str(each.pattern)


def methods_of(view: Callable[..., Any] | None) -> set[str]:
    """What the decorators of a view allow, or what its class has; everything, where nobody said."""
    view_class = getattr(view, "view_class", None) or getattr(view, "cls", None)
    if view_class:
        return {method.upper() for method in METHODS if hasattr(view_class, method)}
    while view is not None:
        cells = dict(zip(view.__code__.co_freevars, view.__closure__ or (), strict=True))
        if "request_method_list" in cells:
            return set(cells["request_method_list"].cell_contents)
        view = getattr(view, "__wrapped__", None)
    return {method.upper() for method in METHODS}
