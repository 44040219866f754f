"""The one exception of acts by staff that the state of a row does not allow."""

from __future__ import annotations


class Refused(Exception):
    """Nothing was changed. The text says why and what to do, in sentences for staff.

    The admin shows it as a warning, a command as its error. What the user typed wrong raises
    ValidationError instead, which a form shows at its field.
    """
