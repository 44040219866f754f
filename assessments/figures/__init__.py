"""Figures for staff: links issued, attempts started and ended, and who has not finished."""
