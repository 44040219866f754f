"""The inputs of a course's fields."""

# A course has one to three fields, and an input for each.
FIELD_INPUTS = ("main_field", "second_field", "third_field")
