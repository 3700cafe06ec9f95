"""python -m tests.fuzz.fuzz_bundles FOLDER [-runs=N] [-max_total_time=SECONDS]: any bytes in and as a bundle."""

import atheris

with atheris.instrument_imports(include=["annotation.formats"]):
    from tests.corpus.archives import ROWS, bundle_of, check_bundle
    from tests.fuzz.harness import fuzz


if __name__ == "__main__":
    fuzz(check_bundle, [bundle_of(ROWS), *ROWS.values()], longest=4000)
