"""Every page that changes something, as commands: which, and what a good call says.

In a call, `{docno}` stands for the id of a thing of the collection called, as in `table`.
"""

from collections.abc import Mapping

# The page, and the commands that do the same.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    # Collections
    "collection_new": ("collection new",),
    "collection_edit": ("collection edit",),
    "collection_delete": ("collection delete",),
    "scale": ("collection edit",),
    "guideline_edit": ("collection edit",),
    "information_new": ("collection edit",),
    "information_edit": ("collection edit",),
    # People
    "people_person": ("people role",),
    "people_remove": ("people remove",),
    "people_password_link": ("people password-link",),
    "invitations": ("people invite",),
    "invitation_withdraw": ("people withdraw",),
    "annotator_kind": ("annotator kind",),
    # Whole collections and files
    "collection_bring": ("import bundle",),
    "bundle": ("export bundle",),
    "import_new": ("import topics", "import documents", "import judgments"),
    "runs_new": ("import run",),
    "runs_fuse": ("fuse", "import run"),
    "judgments_named": ("export judgments",),
    "run_delete": ("delete run",),
    "snapshot_delete": ("delete snapshot",),
    # Pools
    "pool_file": ("pool", "import pairs"),
    "pool_runs": ("pool",),
    "pooling_new": ("growing_pool new",),
    "pooling_portion": ("growing_pool next",),
    "pooling_next": ("leaderboard judge-next",),
    "pool_delete": ("delete pool",),
    # Gold
    "gold_set": ("gold set",),
    "gold_withdraw": ("gold withdraw",),
    "gold_snapshot": ("gold from-qrels",),
    "gold_file": ("import gold",),
    "gold_appeal": ("objection answer",),
    # Qualification
    "qualification_new": ("qualification new",),
    "qualification_edit": ("qualification edit",),
    "qualification_step": ("qualification open", "qualification close", "qualification redraft"),
    "qualification_delete": ("qualification delete",),
    "qualification_pair_new": ("qualification add",),
    "qualification_gold": ("qualification add",),
    "qualification_pair": ("qualification change",),
    "qualification_pair_move": ("qualification move",),
    "qualification_pair_remove": ("qualification remove",),
    # Whom to believe
    "annotator_exclude": ("annotator exclude",),
    "annotator_reinstate": ("annotator reinstate",),
    "annotator_pause": ("annotator pause",),
    "annotator_resume": ("annotator resume",),
    "policy_new": ("policy store",),
    "batch_alert": ("alert aside", "alert show-again"),
    # The last word
    "adjudication_next": ("adjudicate next",),
    "adjudicate_open": ("adjudicate open",),
    "adjudicate_blind": ("adjudicate blind",),
    "adjudicate_look": ("adjudicate look",),
    "adjudicate_leave": ("adjudicate leave",),
    "adjudicate": ("adjudicate decide",),
    "adjudicate_withdraw": ("adjudicate withdraw",),
    # Evaluation
    "leaderboard_evaluate": ("leaderboard evaluate",),
    "evaluation_unjudged": ("leaderboard unjudged",),
    # Batches
    "batch_new": ("batch new",),
    "batch_edit": ("batch edit",),
    "batch_delete": ("batch delete",),
    "batch_plan": ("batch dry-run",),
    "batch_lay_out": ("batch lay-out",),
    "batch_step": ("batch open", "batch pause", "batch reopen", "batch close"),
    "batch_assign": ("batch assign",),
    "batch_unassign": ("batch assign",),
    "batch_feedback": ("batch feedback",),
    "batch_release": ("batch release",),
    "batch_replace": ("batch replace",),
    "batch_withdraw": ("batch withdraw",),
    "batch_cost": ("batch cost",),
    # Rules, snapshots, accounting
    "quality_watch": ("settings watch",),
    "quality_pausing": ("settings pausing",),
    "alerts_settings": ("settings alerts",),
    "snapshot_new": ("snapshot",),
    "snapshot_verify": ("snapshot",),
    "accounting_ask": ("accounting",),
    "accounting_policies": ("accounting",),
    "sensitivity": ("sensitivity",),
    "report_new": ("report",),
    "beyond_new": ("describe_recommendations", "evaluate_alarms", "describe_drift"),
    # Vectors
    "vectors_search": ("vectors search",),
    "vectors_space": ("vectors describe",),
    "vectors_delete": ("vectors delete",),
    # Tokens
    "api_tokens": ("token make",),
    "api_token_revoke": ("token revoke",),
}

ONE_STEP = "A command reads, checks and publishes a file in one step, and stores nothing where that is refused."
OWN = "An annotator's own work: done on the page, or by their own program with their own token."

# Pages without a command, and why.
PAGES_ALONE: Mapping[str, str] = {
    **dict.fromkeys(("arrival_publish", "arrival_discard"), ONE_STEP),
    **dict.fromkeys(("import_check", "import_publish", "imports_publish", "import_cancel"), ONE_STEP),
    "job_cancel": "A command does its own work, and Ctrl-C stops it.",
    **dict.fromkeys(("judge_start", "judge_grade", "judge_skip", "judge_later", "judge_undo", "judge_keep"), OWN),
    **dict.fromkeys(("judge_consent", "judge_decline", "judge_acknowledge", "judge_heartbeat", "judge_release"), OWN),
    **dict.fromkeys(("judge_qualify_begin", "judge_qualify_pair", "judge_choices", "judge_terms"), OWN),
    **dict.fromkeys(("own_results_read", "own_object"), OWN),
}

PAIR, SMALL, GOLD = "{number} {docno}", "{number:small} {docno:small}", "{number:gold} {docno:gold}"
DRAFT, REASON = "{slug} Basics", "--reason 'Looked at it again'"
LEAD = "--as {lead}"  # the collection has two admins

# Good calls of the commands that only look, and of those that change something; of one deed several.
LOOKS: tuple[str, ...] = (
    "annotator list {slug}",
    "settings show {slug}",
    "alert list {slug}",
    "adjudicate list {slug} --policy default " + LEAD,
    f"adjudicate show {{slug}} {PAIR} {LEAD}",
    "adjudicate decisions {slug}",
    "objection list {slug}",
    "objection show {slug} {objection} " + LEAD,
    "qualification list {slug}",
    f"qualification show {DRAFT}",
    "batch withheld {slug} open",
    "batch missing {slug}",
    "leaderboard show {slug} {snapshot} -m AP --run {tag}",
)
CHANGES: tuple[str, ...] = (
    f"annotator exclude {{slug}} {{pseudonym}} {REASON} --rule accuracy",
    f"annotator reinstate {{slug}} Cedar {REASON}",
    f"annotator pause {{slug}} Amber {REASON} --told 'Write to us'",
    f"annotator resume {{slug}} A-1 {REASON}",
    f"annotator kind {{slug}} Machine machine {REASON}",
    f"settings alerts {{slug}} quiet_hours=12 accuracy=0.6 cost_per_judgment=0.05 {LEAD}",
    f"settings watch {{slug}} good=0.9 {LEAD}",
    f"settings pausing {{slug}} stop=pause 'note=Write to us' {LEAD}",
    f"alert aside {{slug}} {{worked}} accuracy --about Birch --note Seen {LEAD}",
    f"adjudicate next {{slug}} {LEAD}",
    f"adjudicate open {{slug}} {PAIR} {LEAD}",
    f"adjudicate blind {{slug}} {PAIR} 1 {LEAD}",
    f"adjudicate look {{slug}} {PAIR} {LEAD}",
    f"adjudicate leave {{slug}} {{number}} {{docno:blind}} {LEAD}",
    f"adjudicate decide {{slug}} {{number}} {{docno:blind}} 1 --based-on 0 {REASON} {LEAD}",
    f"adjudicate withdraw {{slug}} {{number}} {{docno:decided}} --based-on 1 {REASON} {LEAD}",
    f"objection answer {{slug}} {{objection}} decline --answer 'It says so in line 2' {LEAD}",
    f"gold set {{slug}} {SMALL} 2 --accepted 1",
    f"gold withdraw {{slug}} {{number:small}} {{docno:known}} {REASON}",
    "gold from-qrels {slug} {slug}-snapshot --seed 1",
    "qualification new {slug} New --pass-mark 0.8",
    f"qualification edit {DRAFT} --most-attempts 3",
    f"qualification add {DRAFT} {SMALL} --accepted 1 --hint Look",
    f"qualification add {DRAFT} {GOLD} --gold",
    f"qualification change {DRAFT} Q1 QD1 --hint 'Look at the date'",
    f"qualification move {DRAFT} Q1 QD1 down",
    f"qualification remove {DRAFT} Q1 QD1",
    f"qualification open {DRAFT}",
    "qualification close {slug} {slug}-round",
    "qualification redraft {slug} {slug}-round",
    f"qualification delete {DRAFT}",
    "batch edit {slug} draft --judgments-per-item 3 --gold-share 15 --topic {number:small} --annotator {pseudonym}",
    "batch feedback {slug} open delayed --hours 2",
    f"batch cost {{slug}} open 0.25 {LEAD}",
    "batch release {slug} open {number:withheld} {docno:withheld}",
    "batch replace {slug} {short} 4",
    "delete run {slug} {slug}-run",
    "delete pool {slug} {slug}-pool",
    "delete snapshot {slug} {slug}-snapshot",
    "leaderboard evaluate {slug} {snapshot} --run {tag} -m P@5",
    "leaderboard unjudged {slug} {snapshot} {tag} unjudged --depth 10",
    "growing_pool new {slug} another --method rrf --run {tag} --portion 1",
    "growing_pool next {slug} growing",
    "leaderboard judge-next {slug} {snapshot} next --pairs 3",
)
