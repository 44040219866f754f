"""Every page of the staff's site, and its address for a real row."""

from django.urls import URLResolver, get_resolver


def walk(resolver, route=""):
    """Yield name and route of every page. What has no name is called by its last part."""
    for pattern in resolver.url_patterns:
        whole = route + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walk(pattern, whole)
        else:
            yield pattern.name or str(pattern.pattern), whole


def staff_pages():
    [site] = [
        pattern for pattern in get_resolver().url_patterns if str(pattern.pattern) == "admin/"
    ]
    return list(walk(site))


def address(name, route, rows):
    """Return the address of a page, of the row that the page is about."""
    owner = "_".join(name.split("_")[:2])
    if name == "<path:object_id>/":
        owner = "_".join(route.split("/")[:2])
    row = rows.get(name) or rows.get(owner)
    number = str(row.pk) if row else ""
    if name == "view_on_site":
        return f"/admin/r/{rows[name].pk}/{rows['assessments_student'].pk}/"
    if name == "app_list":
        return "/admin/partners/"
    if name == "(?P<url>.*)$":
        return "/admin/nothing/at/all"
    values = {
        "<path:object_id>": number,
        "<int:pk>": number,
        "<id>": number,
        "<slug:scale>": rows["assessments_item"].scale,
        "<slug:name>": "landing",
    }
    for part, value in values.items():
        if part in route:
            assert value, f"tests/staff/rows.py has no row for the page {name}"
            route = route.replace(part, value)
    assert "<" not in route, (
        f"what stands for {route} in the page {name}? Say it in tests/staff/pages.py."
    )
    return f"/admin/{route}"
