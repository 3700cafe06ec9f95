"""python -m tests.fuzz.fuzz_folders FOLDER [-runs=N] [-max_total_time=SECONDS]: any bytes in and as a BEIR folder."""

import atheris

with atheris.instrument_imports(include=["annotation.formats"]):
    from tests.corpus.archives import TEXTS, check_folder, zip_of
    from tests.corpus.documents import tar_of
    from tests.fuzz.harness import fuzz


if __name__ == "__main__":
    fuzz(check_folder, [zip_of(TEXTS), tar_of(*TEXTS.items()), *TEXTS.values()], longest=12_000)
