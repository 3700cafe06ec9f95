"""A server of the tests finds its static files, collected once for all of them."""

from pathlib import Path

import pytest

from tests.live import Server

pytestmark = pytest.mark.pure


def test_static_files_are_collected_once_for_all_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collected = list[Path]()

    def collect(server: Server, *_words: str) -> str:
        collected.append(server.var)
        (server.var / "static").mkdir()
        (server.var / "static" / "page.css").write_text(f"{len(collected)}")
        return ""

    monkeypatch.setattr(Server, "_manage", collect)
    monkeypatch.setattr(Server, "statics", tmp_path / "shared")
    servers = [Server(tmp_path / name) for name in ("one", "two", "three")]
    assert collected == [servers[0].var]
    assert {(each.var / "static" / "page.css").read_text() for each in servers} == {"1"}
    (servers[0].var / "static" / "page.css").unlink()
    assert (Server(tmp_path / "four").var / "static" / "page.css").read_text() == "1"
