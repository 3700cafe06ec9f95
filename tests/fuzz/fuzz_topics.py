"""python -m tests.fuzz.fuzz_topics FOLDER [-runs=N] [-max_total_time=SECONDS]: any bytes as topics."""

import atheris

with atheris.instrument_imports(include=["annotation.formats"]):
    from tests.corpus.texts import check_topics
    from tests.corpus.topics import MALFORMED
    from tests.fuzz.harness import fuzz


if __name__ == "__main__":
    fuzz(check_topics, [case.data for case in MALFORMED])
