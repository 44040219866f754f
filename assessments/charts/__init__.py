"""Dashboards and figures of puzzles: arithmetic over counts, and the values of SVG attributes."""
