"""A BEIR folder in one file: `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv` in a zip or a tar."""

from annotation.formats.folder.opening import Folder, Member, is_folder, open_folder, pack_folder

__all__ = ["Folder", "Member", "is_folder", "open_folder", "pack_folder"]
