"""All topics and documents of the corpus: each refused with every reason, as itself and packed with gzip."""

import gzip

import pytest

from annotation.formats import documents as documents_format
from annotation.formats import topics as topics_format
from tests.corpus import Malformed, documents, topics
from tests.corpus.texts import read_whole


def test_names_are_told_apart() -> None:
    assert len({case.name for case in topics.MALFORMED}) == len(topics.MALFORMED) > 60
    assert len({case.name for case in documents.MALFORMED}) == len(documents.MALFORMED) > 60


@pytest.mark.parametrize("case", topics.MALFORMED, ids=lambda case: case.name)
def test_malformed_topics_are_refused_with_every_reason(case: Malformed) -> None:
    assert read_whole(topics_format.FORMATS, case.data).faults == case.faults


@pytest.mark.parametrize("case", documents.MALFORMED, ids=lambda case: case.name)
def test_malformed_documents_are_refused_with_every_reason(case: Malformed) -> None:
    assert read_whole(documents_format.FORMATS, case.data).faults == case.faults


@pytest.mark.parametrize("case", documents.TAR, ids=lambda case: case[0])
def test_a_tar_is_the_same_packed(case: tuple[str, bytes, str]) -> None:
    _, data, _ = case
    if not data.startswith(b"\x1f\x8b") and len(data) < 1 << 20:  # more of the same would be taken for a bomb
        assert read_whole(documents_format.FORMATS, gzip.compress(data)) == read_whole(documents_format.FORMATS, data)
