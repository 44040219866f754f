"""The button of a project's page that adds courses to results that had none."""

from collections.abc import Sequence
from functools import cached_property

from assessments.catalogue.catalogue import Catalogue
from partners.admin import ProjectAdmin
from partners.back_office.actions import Action

# A request may take 30 s; the command `fill_results` has no limit.
MAX_AT_ONCE = 500


class FillResults(Action):
    name, title = "fill", "Add courses to results without any"
    permission = "assessments.fill_results"
    is_final = True

    @cached_property
    def catalogue(self) -> Catalogue:
        return Catalogue(self.row)

    def refusal(self) -> str:
        return self.catalogue.refusal_of_filling

    def explain(self) -> Sequence[str]:
        return self.catalogue.explain_filling()

    def run(self, *, reason: str) -> str:
        filled = 0
        for count in self.catalogue.fill_results(by=self.by, reason=reason):
            filled += count
            if filled >= MAX_AT_ONCE:
                break
        left = self.catalogue.results_without_courses().count()
        more = f" {left:,} are left: press the button again." if left else ""
        return f"Results that got courses: {filled:,}.{more}"


ProjectAdmin.row_actions.append(FillResults)
