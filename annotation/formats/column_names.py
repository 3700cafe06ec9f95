"""What columns and keys of files are called elsewhere, the likeliest name first. Compared by `mapping.plain`."""

from annotation.formats.mapping import Meaning

_NUMBER = "number query_id topic_id topic_number query_number qid topic num query"
_DOCNO = "docno doc_id document_id corpus_id docid did passage_id pid document doc item_id item"
_ANNOTATOR = (
    "annotator annotator_id worker_id workerid worker assessor assessor_id rater rater_id judge user_id username user"
)
_GRADE = "grade relevance label judgment judgement rating score gold rel relevance_label"
_AT = "at time timestamp created_at submitted_at submittime datetime date"


def _meaning(name: str, names: str, *, needed: bool = True) -> Meaning:
    return Meaning(name, tuple(names.split()), needed)


NUMBER = _meaning("number", _NUMBER)
DOCNO = _meaning("docno", _DOCNO)
ANNOTATOR = _meaning("annotator", _ANNOTATOR)
GRADE = _meaning("grade", _GRADE)
AT = _meaning("at", _AT, needed=False)
STARTED = _meaning(
    "started", "started_at started start_time time_started accepted_at accept_time accepttime", needed=False
)
ENDED = _meaning("ended", "ended_at ended end_time time_ended finished_at completed_at", needed=False)
SECONDS = _meaning(
    "seconds",
    "seconds duration duration_seconds duration_s time_spent seconds_spent elapsed_seconds lead_time work_time "
    "worktimeinseconds",
    needed=False,
)
DURATION = (STARTED, ENDED, SECONDS)
COMMENT = _meaning("comment", "comment comments note notes remark remarks", needed=False)
MILLISECONDS = tuple(_meaning(name, name, needed=False) for name in ("active_ms", "wall_ms"))  # of our own files
KIND = _meaning("kind", "kind", needed=False)
EVIDENCE = (
    _meaning("evidence_start", "evidence_start", needed=False),
    _meaning("evidence_end", "evidence_end", needed=False),
)
REASON = _meaning("reason", "reason comment note", needed=False)
EXPLANATION = _meaning("explanation", "explanation explanations feedback", needed=False)
ACCEPTED = _meaning("accepted", "accepted accepted_grades also_accepted", needed=False)

PAIR = (NUMBER, DOCNO)
JUDGED_PAIR = (NUMBER, DOCNO, GRADE)
GOLD = (NUMBER, DOCNO, GRADE, REASON, EXPLANATION, ACCEPTED)
JUDGMENT = (NUMBER, DOCNO, ANNOTATOR, GRADE, AT, *DURATION, COMMENT)
