"""The settings that limit how often a caller may call."""

from __future__ import annotations

# One for each operation of the partner API, per project.
OPERATION_RATES = (
    *("LINK_RATE_PER_MINUTE", "RESULTS_RATE_PER_MINUTE", "STATUS_RATE_PER_MINUTE"),
    *("FEED_RATE_PER_MINUTE", "DETAIL_RATE_PER_MINUTE", "CANCEL_RATE_PER_MINUTE"),
    *("CHECK_RATE_PER_MINUTE", "FAILURES_RATE_PER_MINUTE"),
)
ADDRESS_RATES = ("FAILED_CREDENTIALS_PER_MINUTE", "UNKNOWN_LINKS_PER_MINUTE")
EVERY_RATE = (*OPERATION_RATES, *ADDRESS_RATES)
