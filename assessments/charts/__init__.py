"""Figures of puzzles, as the values of SVG attributes."""
