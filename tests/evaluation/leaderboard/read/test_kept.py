"""What a process keeps has room for so many cells, however large an answer is."""

from evaluation.leaderboard.read.kept import kept


def test_the_latest_answers_are_kept_while_their_cells_have_room() -> None:
    asked = list[int]()

    @kept(most=10, cells=len)
    def row(n: int) -> list[int]:
        asked.append(n)
        return [0] * n

    for n in (4, 3, 4, 5, 4, 3, 11, 11, 5):
        assert len(row(n)) == n
    # 5 takes the room of 3, asked for longest ago; 3 that of 5, 5 that of 4; 11 has none at all
    assert asked == [4, 3, 5, 3, 11, 11, 5]


def test_an_answer_that_is_larger_than_all_room_drives_none_out() -> None:
    asked = list[int]()

    @kept(most=10, cells=len)
    def row(n: int) -> list[int]:
        asked.append(n)
        return [0] * n

    for n in (10, 11, 10):
        row(n)
    assert asked == [10, 11]
