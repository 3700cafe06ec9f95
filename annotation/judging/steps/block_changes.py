"""What a step changes of the blocks' rows (`annotation.kernel.blocks`): collected on the way, written last.

They are written in the order of the blocks. So a row is held no longer than a commit takes, and no
two steps wait for each other. A card that is handed out or judged has its block written in any
case: how many statements a step takes does not say what the card was.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import BooleanField, Case, F, When

from annotation.kernel.blocks import recount_blocks
from annotation.models import Batch, Block, Slot
from annotation.models.prepared import KEY, Blank, Update, Values

# Asked once the slot is locked: an item may have been withheld since it was read.
_SLOT = Values(
    lambda: Slot.objects.filter(pk=Blank("pk", KEY)).values_list(
        "block", "reserved_for", "transferable", "item__withheld"
    )
)
_CHANGE = Update(
    lambda: Block.objects.filter(batch=Blank("batch", KEY), number=Blank("number", KEY)),
    n_open=F("n_open") + Blank("n_open", KEY),
    n_transferable=F("n_transferable") + Blank("n_transferable", KEY),
    n_freed=F("n_freed") + Blank("n_freed", KEY),
    begun=Case(When(begun=True, then=True), default=Blank("begun", BooleanField())),
)

Change = tuple[Update, dict[str, object]]


@dataclass
class BlockChange:
    """What one block has got more (or fewer) of."""

    n_open: int = 0
    n_transferable: int = 0
    n_freed: int = 0
    begun: bool = False

    def add(self, n: int, *, transferable: bool) -> None:
        self.n_transferable += n * transferable
        self.n_open += n * (not transferable)
        self.n_freed += max(0, n)


@dataclass
class BlockChanges:
    """Of one step, by the block's number. `wrong`: blocks whose rows are not as their slots, to be counted anew."""

    changes: dict[int, BlockChange] = field(default_factory=dict)
    wrong: set[int] = field(default_factory=set)

    def of(self, block: int) -> BlockChange:
        return self.changes.setdefault(block, BlockChange())

    def take(self, slot: Slot) -> None:
        """The slot, which was free and is locked, goes to somebody. Who let it lapse may meet its item again."""
        change = self.of(slot.block)
        if slot.state == Slot.State.LEASED:
            change.n_freed += 1
        elif slot.reserved_for_id is None or slot.transferable:
            change.add(-1, transferable=slot.transferable)

    def move(self, slot: int, n: int) -> None:
        """The slot of this id, which is locked, becomes open (1) or is open no more (-1)."""
        block, reserved_for, transferable, withheld = _SLOT.rows(pk=slot)[0]
        change = self.of(block)
        if (reserved_for is None or transferable) and not withheld:
            change.add(n, transferable=transferable)

    def withhold(self, slots: Iterable[Slot]) -> None:
        """These are the slots of an item, which are locked, and nobody is handed them from now on."""
        for slot in slots:
            if slot.state == Slot.State.OPEN:
                self.take(slot)

    @property
    def freed(self) -> list[int]:
        """The blocks in which slots have become free."""
        return [block for block, change in self.changes.items() if change.n_freed]

    def recount(self, batch: Batch) -> None:
        """Count what is wrong anew, and with it all that the step has changed: the rows are locked in one order."""
        if self.wrong:
            recount_blocks(batch, {*self.wrong, *self.changes})
            self.changes, self.wrong = {}, set()

    def statements(self, batch: int) -> list[Change]:
        """What writes all of it; then nothing is left to write."""
        changes, self.changes = self.changes, {}
        return [(_CHANGE, {"batch": batch, "number": number, **vars(changes[number])}) for number in sorted(changes)]
