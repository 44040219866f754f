"""How the back office writes dates: short, and never without the zone."""

DATETIME_FORMAT = "j M Y, H:i T"
DATE_FORMAT = "j M Y"
