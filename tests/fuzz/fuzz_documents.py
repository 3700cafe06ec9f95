"""python -m tests.fuzz.fuzz_documents FOLDER [-runs=N] [-max_total_time=SECONDS]: any bytes as documents."""

import atheris

with atheris.instrument_imports(include=["annotation.formats", "annotation.text"]):
    from tests.corpus.documents import MALFORMED
    from tests.corpus.texts import check_documents
    from tests.fuzz.harness import fuzz


if __name__ == "__main__":
    fuzz(check_documents, [case.data for case in MALFORMED])
