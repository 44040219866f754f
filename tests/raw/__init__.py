"""Requests that no client library sends, as bytes, and what must come back for each."""
