"""The two operations built the usual way, as the peer of `python -m bench.api`."""
