from django.apps import AppConfig


class AssessmentsConfig(AppConfig):
    name = "assessments"

    def ready(self) -> None:
        # What registers with the spine. Annexes with tables do so when their models are imported.
        from assessments.made_up import magic_addresses  # noqa: F401  registers
