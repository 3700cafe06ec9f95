"""The rough product of rounded rows: their numbers multiplied and added in float32.

For float32 `torch.mm` calls MKL, which uses half of what a processor can do unless Intel has made it. oneDNN, which
torch has too, uses all of it. It has no public name for float32, so it is called as compiled models call it; where it
is not there, or not known to keep to float32, MKL does it.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

LESS_EXACT = ("ONEDNN_DEFAULT_FPMATH_MODE", "DNNL_DEFAULT_FPMATH_MODE")  # may let oneDNN round float32 further


def multiply(document: "torch.Tensor", query: "torch.Tensor", out: "torch.Tensor") -> None:
    """Write document · queryᵀ into `out`, (n_documents, n_queries); all three are of one type and device."""
    import torch

    if _is_onednn_there(document):
        out.copy_(torch.ops.mkldnn._linear_pointwise(document, query, None, "none", [], ""))  # noqa: SLF001
    else:
        torch.mm(document, query.T, out=out)


def _is_onednn_there(vector: "torch.Tensor") -> bool:
    import torch

    return (
        vector.dtype == torch.float32
        and vector.device.type == "cpu"
        and torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")
        and not any(name in os.environ for name in LESS_EXACT)
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )
