from partners.models import Project


class ProjectFigures(Project):
    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "figures"
        verbose_name_plural = "figures"
