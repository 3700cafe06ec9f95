"""python -m tests.fuzz.fuzz_forms FOLDER [-runs=N] [-max_total_time=SECONDS]: any bytes in any form."""

import atheris

with atheris.instrument_imports(include=["annotation.formats", "evaluation.formats"]):
    from tests.corpus.checking_forms import check_forms
    from tests.corpus.forms import FILES
    from tests.fuzz.harness import fuzz


if __name__ == "__main__":
    fuzz(check_forms, FILES)
