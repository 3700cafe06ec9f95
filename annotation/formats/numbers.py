"""Columns of numbers out of raw bytes, eight characters of every field at a time, as Python's `float` reads them.

Eight characters are one 64-bit number. Arithmetic on it works on all eight at once ("SIMD within a
register"), and numpy on all fields: a decimal costs about twenty nanoseconds.
"""

import math
import re
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from annotation.formats.text import Bytes, Ints, Words, everywhere

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

# Possessive (`++`): each digit is looked at once, so a field of a million digits costs no more than its length.
DECIMAL = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?\Z", re.ASCII)
_MOST_DIGITS = 19  # of an unsigned 64-bit number, whichever they are
_LONGEST = 24  # characters behind the sign: three times eight hold 19 digits and a point
_ALIKE = 16  # characters of which one is the point: what 15 digits are is below …
_EXACT = 1 << 53  # every whole number up to here is a float64 …
_POWER: Floats = 10.0 ** np.arange(23, dtype=np.float64)  # … and so are these, as 5 ** 22 < 2 ** 53
_NO_BYTE = np.uint64(0)
_TEN = 10 ** np.arange(20, dtype=np.uint64)
_PLUS, _MINUS = b"+-"
_U = np.uint64
_EACH, _HIGH, _LOW_HALF = _U(0x0101010101010101), _U(0x8080808080808080), _U(0x0F0F0F0F0F0F0F0F)
_POINTS, _ZEROS = _EACH * _U(ord(".")), _EACH * _U(ord("0"))
_TO_HIGH = _EACH * _U(0x80 - 10)  # takes 10 and more to the highest bit of their byte
_LAST = np.array([(1 << 8 * n) - 1 for n in range(9)], _U)  # the last n bytes of a word
_NOT_0 = _EACH * _U(0x7F)  # takes all but 0 there
_EVEN_1, _EVEN_2, _EVEN_4 = _U(0x00FF00FF00FF00FF), _U(0x0000FFFF0000FFFF), _U(0xFFFFFFFF)


def decimals(raw: Bytes, begin: Ints, length: Ints) -> Floats | None:
    """The numbers that lie in `raw` from `begin`, `length` bytes each. None if one is no finite decimal number.

    Bytes up to `begin` + 8 must be there, behind the last field too.
    """
    alike = _alike(raw, begin, length)
    if alike is not None:
        return alike
    negative, mantissa, places, plain = _digits(raw, begin, length)
    value = mantissa.astype(np.float64)
    value /= _POWER[places] if (places != places[:1]).any() else _POWER[places[:1]]  # correctly rounded: both are exact
    large = np.flatnonzero(mantissa > _EXACT)
    if large.size:
        value[large], certain = _divided(mantissa[large], _POWER[places[large]])
        plain[large] &= certain
    if negative.any():
        value = np.where(negative, -value, value)
    for row in np.flatnonzero(~plain).tolist():
        field = raw[begin[row] : begin[row] + length[row]].tobytes().decode()
        if not DECIMAL.match(field) or not math.isfinite(float(field)):
            return None
        value[row] = float(field)
    return value


def _alike(raw: Bytes, begin: Ints, length: Ints) -> Floats | None:
    """The usual case in fewer steps: no signs, and in all fields as many digits behind the point as in the first.

    None where a field is not like that, or has more than `_ALIKE` characters.
    """
    if not begin.size or int(length.max()) > _ALIKE or int(begin.min()) < _ALIKE:
        return None
    places = raw[begin[0] : begin[0] + length[0]].tobytes()[::-1].find(b".")
    if not 0 < places < 8 or int(length.min()) <= places:
        return None
    end, point, behind = begin + length, _U(0xFF << 8 * places), _U((1 << 8 * places) - 1)
    digit = _checked(_before(raw, end), np.minimum(length, 8), point=point)
    if digit is None:
        return None
    digit = (digit & behind) | (digit >> _U(8) & ~behind)  # closed over the point: seven are left
    mantissa, longer = _added_up(digit), np.flatnonzero(length > 8)
    if longer.size:
        more = _checked(_before(raw, end[longer] - 8), length[longer] - 8)
        if more is None:
            return None
        mantissa[longer] += _added_up(more) * _TEN[7]
    value = mantissa.astype(np.float64)
    value /= _POWER[places]  # correctly rounded: both are exact
    return value


def _before(raw: Bytes, end: Ints) -> Words:
    """The eight characters before each of `end`."""
    return everywhere(raw)[end - 8].astype(np.uint64)


def _checked(word: Words, n: Ints, point: np.uint64 = _NO_BYTE) -> Words | None:
    """The digits that the last n characters of each word are, one a byte, 0 for the others and for a point where the
    byte `point` is. None if there is anything else.
    """
    digit = (word ^ (_ZEROS & ~point | _POINTS & point)) & _LAST[n]
    others = (digit + (_TO_HIGH & ~point | _NOT_0 & point) | digit) & _HIGH
    return None if others.any() else digit


def _added_up(digit: Words) -> Words:
    """The numbers that eight digits each are, one a byte."""
    digit = (digit >> _U(8) & _EVEN_1) * _U(10) + (digit & _EVEN_1)
    digit = (digit >> _U(16) & _EVEN_2) * _U(100) + (digit & _EVEN_2)
    return (digit >> _U(32)) * _U(10_000) + (digit & _EVEN_4)


def whole_numbers(raw: Bytes, begin: Ints, length: Ints, *, greatest: int) -> Ints | None:
    """The whole numbers there. None if one is none, is beyond ±greatest or longer than 19 digits."""
    negative, mantissa, _, plain = _digits(raw, begin, length, points=0)
    if not plain.all() or int(mantissa.max(initial=0)) > greatest:
        return None
    value = mantissa.astype(np.int64)
    return np.where(negative, -value, value)


def _digits(raw: Bytes, begin: Ints, length: Ints, *, points: int = 1) -> tuple[Bools, Words, NDArray[np.uint8], Bools]:
    """`(negative, mantissa, decimal places, plain)`.

    Plain is a field of a sign or none, one to 19 digits, and a point or none (`points` 0: none). Mantissa and places of
    the other fields are 0.
    """
    first = raw[begin]
    negative = first == _MINUS
    signed = negative | (first == _PLUS)
    if signed.any():
        begin, length = begin + signed, length - signed
    mantissa, n_digits, places, n_points = _last_eight(raw, begin, length)
    for k in range(1, min(int(length.max(initial=0)) + 7, _LONGEST) // 8):
        rows = np.flatnonzero(length > 8 * k)
        more, more_digits, more_places, more_points = _last_eight(raw, begin[rows], length[rows] - 8 * k)
        mantissa[rows] += more * _TEN[np.minimum(n_digits[rows], 19)]
        places[rows] += more_points * (n_digits[rows] + more_places)
        n_digits[rows] += more_digits
        n_points[rows] += more_points
    plain = (n_digits + n_points == length) & (n_digits > 0) & (n_digits <= _MOST_DIGITS) & (n_points <= points)
    if not plain.all():
        mantissa, places = np.where(plain, mantissa, np.uint64(0)), np.where(plain, places, np.uint8(0))
    return negative, mantissa, places, plain


def _last_eight(
    raw: Bytes, begin: Ints, length: Ints
) -> tuple[Words, NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """`(value, digits, places, points)` of the last eight characters of each field, or of all if it has fewer.

    The value is that of the digits without the point; places are the digits behind it. Where `digits` + `points` is
    less than the number of characters, there are others, and the value means nothing.
    """
    short = (np.maximum(8 - length, 0) << 3).astype(np.uint64)
    word: Words = everywhere(raw)[begin + np.maximum(length - 8, 0)].astype(np.uint64) >> np.minimum(short, _U(63))
    difference = word ^ _POINTS  # zero in the byte of a point
    point = (difference - _EACH) & ~difference & _HIGH
    point &= ~point + _U(1)  # the last one; bits above it may be false
    behind: Words = (point >> _U(7)) - _U(1)  # the bytes behind the point; all if there is none
    word = (word & behind) | (word >> _U(8) & ~behind)  # closed over the point
    digit = word ^ _ZEROS
    n_others = np.bitwise_count((digit + _TO_HIGH | digit) & _HIGH)
    word = _added_up(word & _LOW_HALF)
    n_places = np.bitwise_count(behind) >> np.uint8(3) & np.uint8(7)
    return word, np.uint8(8) - n_others, n_places, np.bitwise_count(point)


def _divided(mantissa: Words, power: Floats) -> tuple[Floats, Bools]:
    """`(mantissa / power, certain)`: correctly rounded wherever certain. `power` is exact, as a float64 is.

    The quotient of the leading part, and a correction from its remainder, which is exact (Dekker 1971); certain is
    where the error of the correction cannot change the rounding.
    """
    lead = mantissa.astype(np.float64)
    rest = (mantissa - lead.astype(np.uint64)).view(np.int64).astype(np.float64)
    quotient = lead / power
    product, lost = _two_product(quotient, power)
    correction = (((lead - product) - lost) + rest) / power
    slack = np.abs(correction) * 2.0**-48
    return quotient + correction, quotient + (correction - slack) == quotient + (correction + slack)


def _two_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """`(p, e)`: p = a × b as rounded, e what the rounding lost; together exact."""
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(x: Floats) -> tuple[Floats, Floats]:
    """The leading 26 bits and the rest (Veltkamp)."""
    carried = 134217729.0 * x
    high = carried - (carried - x)
    return high, x - high
