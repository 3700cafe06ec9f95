"""Numbers as people read them: "1 pair", "2,400 pairs", "1 person", "74 %"."""


def counted(n: int, noun: str, several: str = "") -> str:
    """`several`: what more than one of them are called, where that is more than an s."""
    return f"{n:,} {noun if n == 1 else several or f'{noun}s'}"


def percent(share: float, decimals: int = 0) -> str:
    """Of a share from 0 to 1, as whole percents where no decimals are asked for."""
    return f"{100 * share:.{decimals}f} %"


def with_sign(value: float, form: str) -> str:
    """With its sign, and a minus sign for a minus: "+0.12", "−0.12". `form`: of Python, without the sign."""
    text = f"{value:+{form}}"
    return text.replace("-", "−", 1) if text.startswith("-") else text
