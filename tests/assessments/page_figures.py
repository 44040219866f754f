"""Figures of puzzles, one of each kind, as a bank holds them."""

SQUARE, STRIPES = "h50v50h-50z", "m0 35l35-35m-35 50l50-50m0 15l-35 35"
# From empty to full.
CELLS = (
    {"ink": f"M25 25{SQUARE}"},
    {"ink": f"M25 25{SQUARE}", "hatch": f"M25 25{STRIPES}"},
    {"solid": f"M25 25{SQUARE}"},
)
TEA, MILK, SOLD = {"en": "Tea"}, {"en": "Milk"}, {"en": "Cups sold"}
FIGURES = {
    "table": {
        **{"kind": "table", "caption": SOLD, "columns": [{"en": "Drink"}, {"en": "Monday"}]},
        "rows": [{"label": TEA, "values": [60]}, {"label": MILK, "values": ["?"]}],
    },
    "bars": {
        **{"kind": "bars", "caption": SOLD, "alt": {"en": "A chart of two bars: tea 60, milk 10."}},
        "paths": {
            "axis": "M36,172H300",
            "column": "M61.1,172V22h81.8V172zM193.1,172V147h81.8V172z",
            "grid": "M36,97H300M36,22H300",
        },
        "words": [
            {"x": "30", "y": "176", "anchor": "end", "text": {"en": "0"}},
            {"x": "30", "y": "101", "anchor": "end", "text": {"en": "30"}},
            {"x": "30", "y": "26", "anchor": "end", "text": {"en": "60"}},
            {"x": "102", "y": "189", "anchor": "middle", "text": TEA},
            {"x": "234", "y": "189", "anchor": "middle", "text": MILK},
        ],
    },
    "matrix": {
        "kind": "matrix",
        # Each row from empty to full; the last place is empty.
        "paths": {
            "solid": f"M237 25{SQUARE}M237 131{SQUARE}",
            "ink": "".join(f"M{x} {y}{SQUARE}" for x in (25, 131) for y in (25, 131, 237)),
            "hatch": "".join(f"M131 {y}{STRIPES}" for y in (25, 131, 237)),
        },
        "alt": {"en": "Nine places, the last one empty."},
    },
}
