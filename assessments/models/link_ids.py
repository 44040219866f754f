"""Link ids for links that an earlier release issued without one."""

from __future__ import annotations

from collections.abc import Sequence

from assessments.models.links import AssessmentLink, new_link_id


def name_links(links: Sequence[AssessmentLink]) -> None:
    """Give an id to each of these links without one. Of two calls at once, the first decides."""
    unnamed = {link.pk: link for link in links if link.link_id is None}
    if not unnamed:
        return
    for pk in unnamed:
        AssessmentLink.objects.filter(pk=pk, link_id=None).update(link_id=new_link_id())
    ids = AssessmentLink.objects.filter(pk__in=unnamed).values_list("pk", "link_id")
    for pk, link_id in ids:
        unnamed[pk].link_id = link_id
