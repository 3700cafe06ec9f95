"""Inputs and policy in one file: all that a snapshot is made from, and what it is made of it."""

from annotation.quality.apply import apply_policy
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.packing import after_size, sized
from annotation.quality.policy import Policy

MAGIC = b"touchstone snapshot inputs 1\n"


def freeze(inputs: Inputs, policy: Policy) -> bytes:
    """Deterministic: the magic line, the length of the policy's canonical JSON (8 bytes, little end first), the policy,
    then `Inputs.to_bytes()`."""
    return MAGIC + sized(policy.to_json().encode()) + inputs.to_bytes()


def thaw(data: bytes) -> tuple[Inputs, Policy]:
    """What `freeze` took. Raises `ValueError` for anything else."""
    if not data.startswith(MAGIC):
        raise ValueError("not the frozen inputs of a snapshot")
    policy, end = after_size(data, len(MAGIC))
    return Inputs.from_bytes(data[end:]), Policy.from_json(policy.decode())


def outcome_of(data: bytes) -> Outcome:
    """The policy in the file, applied to the inputs in the file; nothing else plays a part."""
    return apply_policy(*thaw(data))
