"""The settings that limit how often a caller may call."""

from __future__ import annotations

# Per project.
OPERATION_RATES = ("LINK_RATE_PER_MINUTE", "RESULTS_RATE_PER_MINUTE", "OTHER_RATE_PER_MINUTE")
ADDRESS_RATES = ("FAILED_CREDENTIALS_PER_MINUTE", "UNKNOWN_LINKS_PER_MINUTE")
EVERY_RATE = (*OPERATION_RATES, *ADDRESS_RATES)
