"""Machine judges beside people, as lines that leave."""

from collections.abc import Sequence

from annotation.formats.quality_tables import MachineGradeLine, MachineLine
from annotation.trust.pages.machines import MachineRow


def machine_lines(machines: Sequence[MachineRow]) -> list[MachineLine]:
    return [_line(each) for each in machines]


def machine_grade_lines(machines: Sequence[MachineRow]) -> list[MachineGradeLine]:
    """Every cell, those without a pair, too."""
    return [
        MachineGradeLine(each.name, people, machine, int(n))
        for each in machines
        for people, row in zip(each.grades, each.compared.table, strict=True)
        for machine, n in zip(each.grades, row, strict=True)
    ]


def _line(machine: MachineRow) -> MachineLine:
    found, met = machine.compared, machine.compared.n_met > 0
    same_low, same_high = machine.same.ends
    right_low, right_high = machine.gold.ends
    return MachineLine(
        machine=machine.name,
        excluded=machine.excluded,
        judged=found.n_judged,
        compared=found.n_compared,
        same=machine.same.value,
        same_low=same_low,
        same_high=same_high,
        kappa=machine.kappa.value if machine.kappa.defined else None,
        kappa_quadratic=machine.weighted.value if machine.weighted.defined else None,
        met=found.n_met,
        with_people=found.with_people if met else None,
        among_people=found.among_people if met else None,
        bias=machine.mean_bias,
        gold=found.n_gold,
        right_on_gold=machine.gold.value,
        right_low=right_low,
        right_high=right_high,
        both=found.n_both,
        machine_right=found.n_machine_right,
        people_right=found.n_people_right,
    )
