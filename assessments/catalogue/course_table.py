"""The inputs of the table in which staff edit a catalogue."""

from __future__ import annotations

# A course has one to three fields, and an input for each.
FIELD_INPUTS = ("main_field", "second_field", "third_field")
INPUTS = ("is_active", "order", "name", *FIELD_INPUTS, "confirmed")
# The columns of a course that the inputs set.
COLUMNS = ("is_active", "order", "name", "fields", "fields_proposed")
