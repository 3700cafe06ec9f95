"""What the apps bring, by name: each kind of job, import, sweep and part of a bundle, and what is behind it.

Settings take these tables over, so that neither app need know what the other brings.
"""

# What each kind of job runs. Either app may bring work without the other knowing.
TOUCHSTONE_JOBS: dict[str, str] = {
    "account_policies": "evaluation.accounting.steps.jobs.account_policies",
    "account_snapshot": "evaluation.accounting.steps.jobs.account_snapshot",
    "analyse_experiment": "evaluation.ab_tests.steps.analysing.analyse_in_job",
    "apply_rules": "annotation.trust.steps.rules.apply_rules",
    "check_bundle": "annotation.exchange.steps.bundles.run_collection_check",
    "check_import": "annotation.exchange.steps.importing.check_import",
    "compare_many_runs": "evaluation.leaderboard.steps.comparing.compare_in_job",
    "compare_models": "evaluation.vectors.steps.comparing.compare_in_job",
    "delete_collection": "annotation.exchange.steps.deletion.run_deletion",
    "deliver_message": "annotation.outgoing.steps.delivering.deliver_in_job",
    "describe_beyond": "evaluation.beyond.steps.describing.describe_in_job",
    "describe_space": "evaluation.vectors.steps.describing.describe_in_job",
    "evaluate_runs": "evaluation.leaderboard.steps.evaluating.evaluate_in_job",
    "export_bundle": "annotation.exchange.steps.bundles.run_export",
    "freeze_snapshot": "annotation.trust.steps.snapshots.run_freezing",
    "fuse_runs": "evaluation.runs.steps.fusing.fuse_in_job",
    "give_feedback": "annotation.gold.steps.feedback.give_feedback",
    "grow_pool": "evaluation.pooling.steps.growing.grow_in_job",
    "import_bundle": "annotation.exchange.steps.bundles.run_collection_import",
    "lay_out": "annotation.batches.steps.layout.job.run_layout",
    "load_demo": "touchstone.demo.loading.load_in_job",
    "make_report": "evaluation.reports.steps.make_report",
    "measure_series": "evaluation.series.steps.schedule.measure_in_job",
    "plan_layout": "annotation.batches.steps.layout.rehearsal.run_rehearsal",
    "pool_without_runs": "evaluation.pooling.steps.without_runs.make_in_job",
    "rank_pairs": "evaluation.pooling.steps.next_pairs.rank_in_job",
    "replay_pooling": "evaluation.pooling.steps.replaying.replay_in_job",
    "search_vectors": "evaluation.vectors.steps.searching.search_in_job",
    "steer_overlap": "annotation.batches.steps.overlap.steer_overlap",
    "store_import": "annotation.exchange.steps.importing.store_import",
    "study_sensitivity": "evaluation.sensitivity.steps.study_in_job",
}
# What people read of a kind of job whose name does not say it.
TOUCHSTONE_JOB_WORDS: dict[str, str] = {
    "account_policies": "Compare what policies do to the runs",
    "account_snapshot": "Work out what dropped pairs could change",
    "describe_beyond": "Measure beyond ranking",
    "plan_layout": "Dry run",
    "steer_overlap": "Add judgments where a grade is in doubt",
}
# What the worker looks at now and then besides, and after how many seconds again.
TOUCHSTONE_SWEEPS: dict[str, float] = {
    "annotation.batches.steps.deletion.sweep_deleted": 30.0,
    "annotation.batches.steps.layout.job.sweep_layouts": 60.0,
    "annotation.corpus.steps.document_index.sweep_document_index": 5.0,
    "annotation.home.steps.inbox.sweep_inbox": 3600.0,
    "annotation.home.steps.waiting.sweep_waiting": 10.0,
    "annotation.kernel.judged.keeping.sweep_columns": 30.0,
    "annotation.outgoing.steps.delivering.sweep_deliveries": 10.0,
    "annotation.trust.steps.results.sweep_results_apart": 2.0,
    "evaluation.pooling.steps.growing.sweep_growing": 30.0,
    "evaluation.series.steps.schedule.sweep_series": 30.0,
}
# What the worker keeps of the judgments of large batches, for the pages of all processes (annotation/kernel/results/).
TOUCHSTONE_RESULTS: dict[str, str] = {
    "contested": "annotation.review.read.adjudication.contested.CONTESTED",
    "couples": "annotation.trust.pages.couples.ALL_COUPLES",
    "everybody": "annotation.trust.pages.annotator.everybody.EVERYBODY",
    "health": "annotation.health.pages.cached.HEALTH",
    "policies": "annotation.trust.read.comparison.COMPARISON",
    "progress": "annotation.batches.read.progress.PROGRESS",
    "quality": "annotation.trust.pages.report.QUALITY",
    "reasons": "annotation.trust.read.proposals.REASONS",
    "suspects": "annotation.review.read.suspects.SUSPECTS",
    "gold": "annotation.review.pages.gold_figures.GOLD",  # after suspects, which this and supply read
    "supply": "annotation.review.read.supply.SUPPLY",
}
# What reads each kind of file on its way in.
TOUCHSTONE_IMPORTERS: dict[str, str] = {
    "clicks": "evaluation.clicks.steps.ClickLogImporter",
    "collection": "annotation.exchange.steps.importing.beir_folder.BeirFolderImporter",
    "documents": "annotation.exchange.steps.importing.documents.DocumentImporter",
    "experiment": "evaluation.ab_tests.steps.importing.ExperimentImporter",
    "gold": "annotation.exchange.steps.importing.gold.GoldImporter",
    "pairs": "annotation.exchange.steps.importing.pairs.PairImporter",
    "judgments": "annotation.exchange.steps.importing.judgments.JudgmentImporter",
    "qrels": "annotation.exchange.steps.importing.qrels.QrelsImporter",
    "queries": "evaluation.planning.steps.QueryLogImporter",
    "run": "evaluation.runs.steps.importing.RunImporter",
    "topics": "annotation.exchange.steps.importing.topics.TopicImporter",
    "vectors": "evaluation.vectors.steps.importing.VectorImporter",
}
# Steps of the way from topics to a leaderboard that the other app knows of: whether a collection has come so far.
TOUCHSTONE_STEPS_DONE: dict[str, str] = {
    "runs": "evaluation.runs.read.has_runs",
    "leaderboard": "evaluation.leaderboard.read.evaluations.has_evaluations",
}
# What waits for people in a collection, on its overview, that the other app knows of: for a collection and the roles of
# whoever reads it, tasks of annotation/kernel/tasks.py.
TOUCHSTONE_WAITING: list[str] = ["evaluation.series.pages.waiting.open_alerts_waiting"]
# What waits behind an entry of the navigation, by the entry's name: for a collection, a count that the database works
# out (annotation/kernel/waiting.py).
TOUCHSTONE_COUNTS: dict[str, str] = {
    "adjudication": "annotation.home.read.waiting.contested_waiting",
    "alerts": "annotation.home.read.waiting.alerts_waiting",
    "batches": "annotation.home.read.waiting.batches_waiting",
    "gold": "annotation.home.read.waiting.gold_waiting",
    "imports": "annotation.home.read.waiting.imports_waiting",
    "quality": "annotation.home.read.waiting.paused_waiting",
    "series_list": "evaluation.series.read.series.alerts_waiting",
}
# What hears of each notice to those who lead, in its transaction (annotation/kernel/notices.py).
TOUCHSTONE_TOLD: list[str] = ["annotation.outgoing.steps.messages.pass_on"]
# Figures on the overview of a collection that the other app knows of, or None where there is nothing to tell.
TOUCHSTONE_FIGURES: list[str] = ["evaluation.leaderboard.pages.best.best_run"]
# What *Find* finds of the other app: by kind, what gives the places of a collection for the words.
TOUCHSTONE_FINDERS: dict[str, str] = {
    "Runs": "evaluation.runs.read.places_of_runs",
    "Series": "evaluation.series.read.series.places_of_series",
}
# The kinds of rows of a bundle, what is referred to before what refers to it.
TOUCHSTONE_BUNDLE_PARTS: list[str] = [
    "annotation.exchange.steps.bundles.parts.rules.ScaleVersions",
    "annotation.exchange.steps.bundles.parts.rules.GuidelineVersions",
    "annotation.exchange.steps.bundles.parts.people.InformationVersions",
    "annotation.exchange.steps.bundles.parts.texts.Topics",
    "annotation.exchange.steps.bundles.parts.texts.TopicVersions",
    "annotation.exchange.steps.bundles.parts.texts.Documents",
    "annotation.exchange.steps.bundles.parts.texts.DocumentVersions",
    "annotation.exchange.steps.bundles.parts.people.Annotators",
    "annotation.exchange.steps.bundles.parts.people.Consents",
    "annotation.exchange.steps.bundles.parts.people.GuidelineReadings",
    "annotation.exchange.steps.bundles.parts.qualifications.Qualifications",
    "annotation.exchange.steps.bundles.parts.qualifications.QualificationPairs",
    "annotation.exchange.steps.bundles.parts.qualifications.QualificationAttempts",
    "annotation.exchange.steps.bundles.parts.qualifications.QualificationAnswers",
    "annotation.exchange.steps.bundles.parts.rules.Policies",
    "annotation.exchange.steps.bundles.parts.batches.Pools",
    "annotation.exchange.steps.bundles.parts.batches.PoolPairs",
    "annotation.exchange.steps.bundles.parts.batches.Batches",
    "annotation.exchange.steps.bundles.parts.batches.Participations",
    "annotation.exchange.steps.bundles.parts.batches.Items",
    "annotation.exchange.steps.bundles.parts.batches.Slots",
    "annotation.exchange.steps.bundles.parts.judging.Assignments",
    "annotation.exchange.steps.bundles.parts.judging.Judgments",
    "annotation.exchange.steps.bundles.parts.judging.Feedbacks",
    "annotation.exchange.steps.bundles.parts.gold_and_decisions.GoldEvents",
    "annotation.exchange.steps.bundles.parts.gold_and_decisions.Adjudications",
    "annotation.exchange.steps.bundles.parts.objections.Appeals",
    "annotation.exchange.steps.bundles.parts.objections.AlertEvents",
    "annotation.exchange.steps.bundles.parts.people.Exclusions",
    "annotation.exchange.steps.bundles.parts.people.Pauses",
    "annotation.exchange.steps.bundles.parts.snapshots.Snapshots",
    "evaluation.runs.steps.bundle_part.Runs",
    "evaluation.series.steps.bundle_part.ManySeries",
    "evaluation.series.steps.bundle_part.SeriesPoints",
    "evaluation.series.steps.bundle_part.SeriesAlerts",
    "evaluation.series.steps.bundle_part.SeriesNotes",
]
