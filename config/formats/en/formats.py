"""Date formats of the admin: short, and always with the time zone."""

DATETIME_FORMAT = "j M Y, H:i T"
DATE_FORMAT = "j M Y"
