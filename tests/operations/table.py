"""Every operation of the API in one line: who may, and what a call sends that ends well.

`$docno` stands for the id of a thing of the collection called; `$docno:gold` for one in a state that the call wants.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ANYBODY = ("outsider", "elsewhere", "annotator", "researcher", "admin", "lead")  # who has an account
CALLING = ("lead", "researcher", "annotator")  # whose calls are held against the schema
MAKERS = ("lead",)  # who may create collections
OWNER = ("lead",)  # whose the thing is: others do not learn that it is there
JUDGES = ("annotator", "lead")  # who takes part in the batch: others do not learn that it is there
RESEARCH = ("researcher", "admin", "lead")
MEMBERS = ("annotator", *RESEARCH)
ADMINS = ("admin", "lead")


@dataclass(frozen=True)
class Line:
    """`after`: the operation that the same person calls before it.

    `refusal`: the status for others with an account, where it does not follow from `who`.
    """

    who: tuple[str, ...]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, str | list[str]] = field(default_factory=dict)
    after: str = ""
    refusal: int = 0


PAIR = {"number": "$number", "docno": "$docno"}
GOLD = {"number": "$number:gold", "docno": "$docno:gold"}
SMALL = {"number": "$number:small", "docno": "$docno:small"}
PAIR_QUERY = {"batch": "$batch", "policy": "$policy"}
CARD = {"token": "$card"}
PREFERENCES = {"theme": "dark", "text_size": "large", "table_rows": "compact", "time_zone": "Europe/Vienna"}
REASON = {"reason": "Looked at it again."}
ITEMS_FILE = b"item,category\nd1,a\nd2,b\n"
LISTS_FILE = (
    b'{"number":"1","list":1,"method":"team_draft","rankers":["A","B"],"docnos":["d1","d2"],"teams":["A","B"]}\n'
)
CLICKS_FILE = b"number,list,position\n1,1,1\n"
SCORES_FILE = b"score,positive\n0.9,1\n0.1,0\n"
RUN_FILE = b"1 Q0 d1 1 9.5 new\n1 Q0 d2 2 8.5 new\n"
TOPICS_FILE = b"70\tWhich birds sing at night\n"
GRADES = [{"name": "No"}, {"name": "Yes"}]
ALERT = {"rule": "accuracy", "about": "Birch", "note": "Seen."}

TABLE: Mapping[str, Line] = {
    # Whole collections
    "POST demo_load": Line(MAKERS),
    "POST collection_bring": Line(MAKERS, {"file": b"PK", "slug": "new"}),
    "GET arrival": Line(OWNER),
    "POST arrival_discard": Line(OWNER),
    "POST arrival_publish": Line(OWNER, {"slug": "published"}, refusal=403),  # asks first who may create collections
    "GET collections": Line(ANYBODY),
    "POST collections": Line(MAKERS, {"name": "New", "slug": "new"}),
    "GET saved_views": Line(RESEARCH),
    "POST saved_views": Line(RESEARCH, {"page": "runs", "name": "Largest first", "query": "sort=-rows"}),
    "PATCH saved_view": Line(OWNER, {"name": "By size"}),
    "DELETE saved_view": Line(OWNER),
    "GET collection": Line(RESEARCH),
    "PATCH collection": Line(ADMINS, {"description": "Of birds"}),
    "POST collection_delete": Line(ADMINS, {"name": "$name"}),
    "POST bundles": Line(ADMINS),
    "GET bundle": Line(ADMINS),
    # Texts, scale, guideline, information
    "GET topics": Line(RESEARCH),
    "GET topic": Line(RESEARCH),
    "GET documents": Line(RESEARCH),
    "GET document": Line(RESEARCH),
    "GET scale": Line(RESEARCH),
    "PUT scale": Line(ADMINS, {"grades": GRADES}),
    "GET guideline": Line(MEMBERS),
    "GET guideline_versions": Line(RESEARCH),
    "POST guideline_versions": Line(ADMINS, {"based_on": "$guideline", "introduction": "Judge what it says."}),
    "GET guideline_version": Line(RESEARCH),
    "GET information": Line(RESEARCH),
    "POST information": Line(ADMINS, {"text": "What is kept of you."}),
    "GET information_version": Line(RESEARCH),
    "POST information_revise": Line(ADMINS, {"text": "What is kept of you."}),
    # People
    "GET people": Line(ADMINS),
    "GET person": Line(ADMINS),
    "PUT person": Line(ADMINS, {"roles": ["researcher", "annotator"]}),
    "DELETE person": Line(ADMINS),
    "POST person_password_link": Line(ADMINS),
    "GET invitations": Line(ADMINS),
    "POST invitations": Line(ADMINS, {"role": "annotator", "count": 2, "days": 3}),
    "POST invitation_withdraw": Line(ADMINS),
    "GET inbox": Line(ANYBODY, query={"unread": "true"}),
    "POST inbox_read": Line(OWNER),
    "POST inbox_read_all": Line(OWNER),
    "GET preferences": Line(ANYBODY),
    "PUT preferences": Line(ANYBODY, PREFERENCES),
    "GET own_tokens": Line(ANYBODY),
    "POST own_tokens": Line(ANYBODY, {"name": "a script"}),
    "POST own_token_revoke": Line(OWNER),
    # Files on their way in and out
    "GET imports": Line(RESEARCH),
    "POST imports": Line(ADMINS, {"kind": "topics", "file": TOPICS_FILE}),
    "GET import": Line(RESEARCH),
    "GET import_problems": Line(RESEARCH),
    "POST import_check": Line(ADMINS, {"format": "tsv"}),
    "POST import_publish": Line(ADMINS, {}),
    "POST import_cancel": Line(ADMINS),
    "GET judgments": Line(RESEARCH, query={"form": "csv"}),
    "POST judgments_named": Line(ADMINS, {"form": "csv"}),
    "GET job": Line(RESEARCH),
    "POST job_cancel": Line(RESEARCH),
    # Pools
    "GET pools": Line(RESEARCH),
    "POST pools": Line(RESEARCH, {"name": "New", "pairs": [PAIR]}),
    "GET pool": Line(RESEARCH),
    "DELETE pool": Line(ADMINS),
    "POST pool_from_runs": Line(RESEARCH, {"name": "tops", "runs": ["$tag"], "depth": 2, "numbers": ["$number"]}),
    # Batches
    "GET batches": Line(RESEARCH),
    "POST batches": Line(
        ADMINS,
        {
            "name": "New",
            "pool": "$pool",
            "topics": ["$number:small"],
            "annotators": ["$pseudonym"],
            "information": "$version",
            "qualification": "$qualification",
        },
    ),
    "GET batch": Line(RESEARCH),
    "PATCH batch": Line(
        ADMINS,
        {
            "pool": "$pool",
            "topics": ["$number:small"],
            "annotators": ["$pseudonym"],
            "information": "$version",
            "qualification": "$qualification",
        },
    ),
    "DELETE batch": Line(ADMINS),
    "POST batch_assign": Line(ADMINS, {"annotators": ["$pseudonym"]}),
    "POST batch_unassign": Line(ADMINS, {"annotator": "$pseudonym:assigned"}),
    "GET batch_dry_run": Line(ADMINS),
    "POST batch_dry_run": Line(ADMINS),
    "POST batch_lay_out": Line(ADMINS),
    "POST batch_open": Line(ADMINS),
    "POST batch_pause": Line(ADMINS),
    "POST batch_reopen": Line(ADMINS),
    "POST batch_close": Line(ADMINS),
    "POST batch_cost": Line(ADMINS, {"cost_per_judgment": "0.25"}),
    "POST batch_due": Line(ADMINS, {"due": "2030-12-24"}),
    "POST batch_feedback": Line(ADMINS, {"feedback": "closed", "feedback_hours": 2}),
    "GET batch_hours": Line(RESEARCH),
    "GET batch_overlap": Line(RESEARCH),
    "GET batch_withheld": Line(RESEARCH),
    "POST batch_release": Line(ADMINS),
    "GET replacements": Line(RESEARCH),
    "POST batch_replace": Line(ADMINS, {"n": 4}),
    "POST batch_withdraw": Line(ADMINS),
    # Qualification
    "GET qualifications": Line(RESEARCH),
    "POST qualifications": Line(ADMINS, {"name": "New"}),
    "GET qualification": Line(RESEARCH),
    "PATCH qualification": Line(ADMINS, {"pass_mark": 0.5}),
    "DELETE qualification": Line(ADMINS),
    "POST qualification_open": Line(ADMINS),
    "POST qualification_close": Line(ADMINS),
    "POST qualification_redraft": Line(ADMINS),
    "POST qualification_pairs": Line(ADMINS, {**SMALL, "accepted": [1]}),
    "POST qualification_gold": Line(ADMINS, {"pairs": [GOLD]}),
    "PATCH qualification_pair": Line(ADMINS, {"hint": "Look at the date."}),
    "POST qualification_pair_move": Line(ADMINS, {"step": "down"}),
    "DELETE qualification_pair": Line(ADMINS),
    # Gold
    "GET gold": Line(RESEARCH),
    "POST gold_set": Line(ADMINS, {**SMALL, "grade": 2, "dry_run": True}),
    "POST gold_withdraw": Line(ADMINS, {**GOLD, **REASON, "dry_run": True}),
    "POST gold_from_qrels": Line(ADMINS, {"snapshot": "$snapshot_id"}),
    "GET objections": Line(ADMINS),
    "GET objection": Line(ADMINS),
    "POST objection": Line(ADMINS, {"decision": "decline", "answer": "It says so in line 2."}),
    # Whom to believe
    "GET quality": Line(RESEARCH, query=PAIR_QUERY),
    "GET annotators": Line(RESEARCH, query=PAIR_QUERY),
    "POST annotator_exclude": Line(ADMINS, REASON),
    "POST annotator_reinstate": Line(ADMINS, REASON),
    "POST annotator_pause": Line(ADMINS, REASON),
    "POST annotator_resume": Line(ADMINS, REASON),
    "POST annotator_kind": Line(ADMINS, {**REASON, "is_machine": True}),
    "GET pausing": Line(RESEARCH),
    "PATCH pausing": Line(ADMINS, {"stop": "propose"}),
    "GET watch": Line(RESEARCH),
    "PATCH watch": Line(ADMINS, {"good": 0.9}),
    "GET alerts": Line(RESEARCH, query={"batch": "$batch"}),
    "GET alerts_settings": Line(ADMINS),
    "PATCH alerts_settings": Line(ADMINS, {"quiet_hours": 12}),
    "POST alert_aside": Line(ADMINS, ALERT),
    "POST alert_show": Line(ADMINS, ALERT, after="POST alert_aside"),
    "GET policies": Line(RESEARCH),
    "POST policies": Line(RESEARCH, {"name": "strict", "parameters": {}}),
    "GET policies_compare": Line(RESEARCH, query=PAIR_QUERY),
    # The last word
    "GET contested": Line(RESEARCH, query={**PAIR_QUERY, "topic": "$number"}),
    "GET decisions": Line(RESEARCH),
    "POST pairs_send": Line(ADMINS, {"pairs": [PAIR], **REASON}),
    "POST pair_next": Line(ADMINS, query=PAIR_QUERY),
    "GET pair": Line(ADMINS, query=PAIR),
    "POST pair_open": Line(ADMINS, PAIR),
    "POST pair_blind": Line(ADMINS, {**PAIR, "grade": 1}),
    "POST pair_look": Line(ADMINS, PAIR),
    "POST pair_leave": Line(ADMINS, PAIR),
    "POST pair_decide": Line(ADMINS, {**PAIR, "docno": "$docno:blind", **REASON, "grade": 1, "based_on": 0}),
    "POST pair_withdraw": Line(ADMINS, {**PAIR, "docno": "$docno:decided", **REASON, "based_on": 1}),
    # Snapshots
    "GET snapshots": Line(RESEARCH),
    "POST snapshots": Line(RESEARCH, {"name": "new", "batches": ["$batch"], "policy": "$policy"}),
    "GET snapshot_dry_run": Line(RESEARCH, query=PAIR_QUERY),
    "GET snapshot": Line(RESEARCH),
    "DELETE snapshot": Line(ADMINS),
    "GET snapshot_changed": Line(RESEARCH),
    "GET snapshot_dropped": Line(RESEARCH),
    "GET snapshot_pairs": Line(RESEARCH),
    "GET snapshot_qrels": Line(RESEARCH),
    "POST snapshot_verify": Line(RESEARCH),
    "GET snapshot_accounting": Line(RESEARCH),
    "POST snapshot_accounting": Line(RESEARCH, {"runs": ["$tag"], "measures": ["AP"], "k": 5}),
    # Runs and their values
    "GET runs": Line(RESEARCH),
    "POST runs": Line(RESEARCH, {"file": RUN_FILE}),
    "GET run": Line(RESEARCH),
    "DELETE run": Line(ADMINS),
    "GET run_file": Line(RESEARCH),
    "POST fused_runs": Line(RESEARCH, {"tag": "fused", "runs": ["$tag", "$tag:baseline"], "method": "rrf", "depth": 9}),
    "GET vectors": Line(RESEARCH),
    "GET vectors_set": Line(RESEARCH),
    "DELETE vectors_set": Line(ADMINS),
    "POST searched_runs": Line(RESEARCH, {"tag": "searched", "model": "$model", "depth": 9}),
    "GET space": Line(RESEARCH),
    "POST space": Line(RESEARCH, {"snapshot": "$snapshot"}),
    "GET ab_tests": Line(RESEARCH),
    "GET ab_test": Line(RESEARCH),
    "DELETE ab_test": Line(ADMINS),
    "GET ab_test_analyses": Line(RESEARCH),
    "POST ab_test_analyses": Line(RESEARCH, {"control": "A", "measures": ["bought"]}),
    "GET ab_test_analysis": Line(RESEARCH),
    "GET model_comparisons": Line(RESEARCH),
    "POST model_comparisons": Line(
        RESEARCH,
        {"reference": "$model", "models": ["$model:small"], "k": [1, 3], "documents_alone": True},
    ),
    "GET model_comparison": Line(RESEARCH),
    "GET evaluations": Line(RESEARCH, query={"snapshot": "$snapshot", "run": "$tag"}),
    "POST evaluations": Line(RESEARCH, {"snapshot": "$snapshot", "runs": ["$tag"]}),
    "GET evaluation": Line(RESEARCH),
    "POST evaluation_pool": Line(RESEARCH, {"name": "unjudged", "depth": 10}),
    "GET recipients": Line(ADMINS),
    "POST recipients": Line(ADMINS, {"kind": "webhook", "address": "https://hooks.example.org/new"}),
    "POST recipient_end": Line(ADMINS),
    "POST recipient_test": Line(ADMINS),
    "GET deliveries": Line(ADMINS),
    "GET series_list": Line(RESEARCH),
    "POST series_list": Line(RESEARCH, {"name": "new", "rule": "limits", "low": 0.5}),
    "GET series": Line(RESEARCH),
    "PATCH series": Line(RESEARCH, {"name": "every night", "schedule": "weekly"}),
    "GET series_points": Line(RESEARCH),
    "POST series_points": Line(RESEARCH, {"points": [{"value": 0.4}]}),
    "POST series_measure": Line(RESEARCH),
    "POST series_notes": Line(RESEARCH, {"text": "A new tokenizer"}),
    "POST series_see": Line(RESEARCH),
    "POST series_close": Line(RESEARCH, {"note": "The crawl was old"}),
    "POST series_end": Line(RESEARCH),
    "POST pool_without_runs": Line(RESEARCH, {"name": "all of them", "way": "all", "numbers": ["$number"]}),
    "POST pooling_new": Line(RESEARCH, {"name": "more", "method": "rrf", "runs": ["$tag"], "depth": 2, "portion": 1}),
    "GET pooling_portion": Line(RESEARCH),
    "POST pooling_portion": Line(RESEARCH),
    "GET pooling_sample": Line(RESEARCH, query={"snapshot": "$snapshot"}),
    "GET pooling_replays": Line(RESEARCH),
    "POST pooling_replays": Line(
        RESEARCH, {"snapshot": "$snapshot", "methods": ["depth"], "measure": "AP", "depth": 2, "n_seeds": 1}
    ),
    "GET pooling_replay": Line(RESEARCH),
    "GET pooling_next": Line(RESEARCH, query={"snapshot": "$snapshot", "pairs": "3"}),
    "POST pooling_next_ranking": Line(RESEARCH, {"snapshot": "$snapshot", "measure": "AP", "pairs": 3}),
    "POST pooling_next": Line(RESEARCH, {"name": "next", "snapshot": "$snapshot", "measure": "AP", "pairs": 3}),
    "GET evaluations_compare": Line(
        RESEARCH, query={"snapshot": "$snapshot", "measure": "AP", "run": ["$tag", "$tag:baseline"], "baseline": "$tag"}
    ),
    "GET evaluations_compare_topic": Line(
        RESEARCH,
        query={
            "snapshot": "$snapshot",
            "first": "$tag",
            "second": "$tag:baseline",
            "measure": "AP",
            "number": "$number",
        },
    ),
    "GET evaluations_compare_many": Line(RESEARCH, query={"snapshot": "$snapshot", "measure": "AP", "draws": "99"}),
    "POST evaluations_compare_many": Line(RESEARCH, {"snapshot": "$snapshot", "measure": ["AP"], "draws": 99}),
    "GET sensitivity": Line(RESEARCH),
    "POST sensitivity": Line(RESEARCH, {"snapshot": "$snapshot", "measure": "AP", "runs": ["$tag", "$tag:baseline"]}),
    "GET sensitivity_study": Line(RESEARCH),
    "GET sensitivity_shares": Line(
        RESEARCH, query={"snapshot": "$snapshot", "first": "$tag", "second": "$tag:baseline", "measure": "AP"}
    ),
    "GET reports": Line(RESEARCH),
    "POST reports": Line(RESEARCH, {"snapshot": "$snapshot", "runs": ["$tag"], "measures": ["AP"], "title": "First"}),
    "GET report": Line(RESEARCH),
    "GET report_file": Line(RESEARCH),
    "GET clicks": Line(RESEARCH),
    "GET click_comparison": Line(RESEARCH),
    "DELETE click_comparison": Line(ADMINS),
    "GET experiment_sample": Line(RESEARCH),
    "GET experiment_estimates": Line(RESEARCH, query={"snapshot": "$snapshot", "measure": "AP"}),
    "GET experiment_plan": Line(RESEARCH, query={"design": "groups", "rate": "0.15", "relative": "0.05"}),
    "GET descriptions": Line(RESEARCH),
    "GET description": Line(RESEARCH),
    "DELETE description": Line(ADMINS),
    "POST recommendations": Line(RESEARCH, {"run": "$tag", "items": ITEMS_FILE, "k": 5}),
    "POST alarm_scores": Line(RESEARCH, {"scores": SCORES_FILE, "false_rate": 0.1}),
    "POST drift": Line(RESEARCH, {"reference": "run/dense", "window": "run/sparse", "permutations": 99}),
    "POST interleaving": Line(RESEARCH, {"lists": LISTS_FILE, "log": CLICKS_FILE}),
    "POST interleaving_power": Line(
        RESEARCH,
        {"snapshot": "$snapshot", "first": "dense", "second": "sparse", "sizes": "10", "replications": 10},
    ),
    "GET interleaved_lists": Line(RESEARCH, query={"runs": ["dense", "sparse"], "lists": "2"}),
    "GET accountings": Line(RESEARCH),
    "POST accountings": Line(
        RESEARCH, {"runs": ["$tag"], "batches": ["$batch"], "policies": ["$policy"], "rules": ["median"], "k": 5}
    ),
    "GET accounting": Line(RESEARCH),
    "GET accounting_file": Line(RESEARCH),
    # Judging
    "GET judging": Line(ANYBODY),
    "GET judge_choices": Line(ANYBODY),
    "PATCH judge_choices": Line(ANYBODY, {"marks": False}),
    "GET judge": Line(JUDGES),
    "GET judge_information": Line(JUDGES),
    "POST judge_consent": Line(JUDGES, {"number": 1}),
    "POST judge_decline": Line(JUDGES),
    "GET judge_guideline": Line(JUDGES),
    "POST judge_acknowledge": Line(JUDGES, {"number": "$guideline"}),
    "GET judge_qualify": Line(JUDGES),
    "POST judge_qualify_begin": Line(JUDGES),
    "GET judge_qualify_pair": Line(JUDGES),
    "POST judge_qualify_pair": Line(JUDGES, {"grade": 1}),
    "POST judge_next": Line(JUDGES, {"ahead": 5}),
    "GET judge_document": Line(JUDGES, query=CARD),
    "POST judge_grade": Line(JUDGES, {**CARD, "grade": 1}),
    "POST judge_skip": Line(JUDGES, {**CARD, "reason": "unclear"}),
    "POST judge_later": Line(JUDGES, CARD),
    "POST judge_undo": Line(JUDGES, {"token": "$judged"}),
    "POST judge_keep": Line(JUDGES),
    "POST judge_heartbeat": Line(JUDGES, CARD),
    "POST judge_release": Line(JUDGES, CARD),
    "POST judge_terms": Line(JUDGES, {**CARD, "words": ["swift"]}),
    "GET judge_recent": Line(JUDGES),
    "GET own_work": Line(ANYBODY),
    "GET own_results": Line(JUDGES),
    "POST own_results_read": Line(JUDGES),
    "GET own_result": Line(OWNER),
    "POST own_object": Line(OWNER, REASON),
}
