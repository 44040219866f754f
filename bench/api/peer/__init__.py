"""The same two operations, built the usual way: what `python -m bench.api` compares us with."""
