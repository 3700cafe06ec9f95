"""What a person may send of this subject, where others take it in."""

from annotation.corpus.pages.api_collection import (
    DescriptionEntries,
    GradeSerializer,
    NewCollectionEntries,
    entered_collection,
    entered_description,
)
from annotation.corpus.pages.api_pools import PoolSerializer

__all__ = [
    "DescriptionEntries",
    "GradeSerializer",
    "NewCollectionEntries",
    "PoolSerializer",
    "entered_collection",
    "entered_description",
]
