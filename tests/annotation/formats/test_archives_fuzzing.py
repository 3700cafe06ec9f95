"""Any bytes as bundles and BEIR folders: what must hold stands in tests/corpus/archives.py; tests/fuzz goes on."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.archives import ROWS, TEXTS, bundle_of, check_bundle, check_folder, zip_of
from tests.corpus.documents import tar_of, tgz_of
from tests.corpus.mutations import changed

BUNDLES = [bundle_of(ROWS), *filter(None, ROWS.values())]
FOLDERS = [zip_of(TEXTS), tar_of(*TEXTS.items()), tgz_of(*TEXTS.items()), *TEXTS.values()]
NAMES = st.sampled_from([*TEXTS, "a/corpus.jsonl", "b/queries.jsonl", "qrels/b.tsv.gz", "../x", "/x", "a//b", "README"])


@settings(max_examples=60)
@given(changed(BUNDLES) | st.binary(max_size=60))
def test_any_bundle(data: bytes) -> None:
    check_bundle(data)


@settings(max_examples=60)
@given(changed(FOLDERS) | st.binary(max_size=60))
def test_any_folder(data: bytes) -> None:
    check_folder(data)


@settings(max_examples=40)
@given(st.dictionaries(NAMES, changed(list(TEXTS.values())), max_size=4))
def test_any_members_of_a_folder(members: dict[str, bytes]) -> None:
    check_folder(zip_of(members))
    check_folder(tar_of(*members.items()))
