"""Why a command of the lab did nothing."""


class Refusal(Exception):
    """The message says what is wrong and what to do."""
