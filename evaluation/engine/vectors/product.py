"""The rough product of rounded rows: their numbers multiplied and added in float32.

For float32 `torch.mm` calls MKL, which uses half of what a processor can do unless Intel has made
it. oneDNN, which torch has too, uses all of it. It has no public name for float32, so it is called
as compiled models call it; where it is not there, does not take what it took in the torch that this
was written for (2.13), or is not known to keep to float32, MKL does it.
"""

import os
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

LESS_EXACT = ("ONEDNN_DEFAULT_FPMATH_MODE", "DNNL_DEFAULT_FPMATH_MODE")  # may let oneDNN round float32 further
PLAIN: tuple[None, str, list[float], str] = (None, "none", [], "")  # no bias, nothing done to the product


def multiply(document: "torch.Tensor", query: "torch.Tensor", out: "torch.Tensor") -> None:
    """Write document · queryᵀ into `out`, (n_documents, n_queries); all three are of one type and device."""
    import torch

    linear = _onednn(document)
    if linear:
        out.copy_(linear(document, query, *PLAIN))
    else:
        torch.mm(document, query.T, out=out)


def _onednn(vector: "torch.Tensor") -> Any:
    """oneDNN's product, if it is there for these vectors."""
    import torch

    linear = getattr(getattr(torch.ops, "mkldnn", None), "_linear_pointwise", None)
    is_there = (
        vector.dtype == torch.float32
        and vector.device.type == "cpu"
        and torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")
        and not any(name in os.environ for name in LESS_EXACT)
        and linear is not None
        and _multiplies(linear)
    )
    return linear if is_there else None


@cache
def _multiplies(linear: Any) -> bool:
    """Nothing promises that a private name stays what it was: tried once, on numbers whose products are exact."""
    import torch

    document, query = torch.arange(6.0).view(2, 3), torch.arange(12.0).view(4, 3)
    try:
        return torch.equal(linear(document, query, *PLAIN), document @ query.T)
    except (RuntimeError, TypeError):
        return False
