import numpy as np
import pytest

from evaluation.engine.significance.inputs import (
    checked_table,
    checked_values,
    generator,
    paired_difference,
)


def test_rounding_is_no_difference() -> None:
    difference = paired_difference([0.1 + 0.2, 0.5, 0.0], [0.3, 0.25, 0.0])
    assert difference.tolist() == [0.0, 0.25, 0.0]


def test_small_differences_stay() -> None:
    assert paired_difference([0.5 + 1e-9, 1e-15], [0.5, 0.0]).tolist() == [0.5 + 1e-9 - 0.5, 1e-15]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_values_are_finite(wrong: float) -> None:
    with pytest.raises(ValueError, match=r"\(1,\) is .*must be finite"):
        checked_values([0.1, wrong])
    with pytest.raises(ValueError, match=r"\(1, 0\) is .*must be finite"):
        checked_table([[0.1, 0.2], [wrong, 0.2]])


def test_shapes() -> None:
    with pytest.raises(ValueError, match="one value a topic"):
        checked_values([[0.1, 0.2]])
    with pytest.raises(ValueError, match="at least 2 topics needed, not 1"):
        checked_values([0.1])
    with pytest.raises(ValueError, match="at least 1 topic needed, not 0"):
        checked_values([], least=1)
    with pytest.raises(ValueError, match="a table of values"):
        checked_table([0.1, 0.2])
    with pytest.raises(ValueError, match="at least 2 runs are needed, not 1"):
        checked_table([[0.1], [0.2]])
    with pytest.raises(ValueError, match="same topics: 2 values against 3"):
        paired_difference([0.1, 0.2], [0.1, 0.2, 0.3])


def test_a_generator_is_itself_and_a_seed_repeats() -> None:
    own = np.random.default_rng(3)
    assert generator(own) is own
    assert generator(3).random() == generator(np.int64(3)).random()  # type: ignore[arg-type]


@pytest.mark.parametrize("rng", [None, True, 0.5, "seed"])
def test_nothing_else_is_an_rng(rng: object) -> None:
    with pytest.raises(ValueError, match="Generator or an integer seed"):
        generator(rng)  # type: ignore[arg-type]
