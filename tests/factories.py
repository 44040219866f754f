"""Rows for tests: each factory makes the least that is valid, a test names what it is about."""

import secrets
from datetime import timedelta

import factory
from django.contrib.auth.models import Group, Permission, User
from django.utils import timezone

from assessments.models import AssessmentLink, Attempt, CatalogueSnapshot, Course, ItemBank, Student
from partners.models import Partner, Project
from partners.models.audit import Actor
from tests import roles
from tokens import crypto
from tokens.models import AccessToken

BY = Actor("command:tests")


class PartnerFactory(factory.django.DjangoModelFactory[Partner]):
    class Meta:
        model = Partner

    name = factory.Sequence(lambda n: f"Partner {n}")


class ProjectFactory(factory.django.DjangoModelFactory[Project]):
    class Meta:
        model = Project

    partner = factory.SubFactory(PartnerFactory)
    name = factory.Sequence(lambda n: f"College {n}")


class AccessTokenFactory(factory.django.DjangoModelFactory[AccessToken]):
    """A token whose secret nobody knows. `issued_token` gives one with its secret."""

    class Meta:
        model = AccessToken

    project = factory.SubFactory(ProjectFactory)
    secret_digest = factory.LazyFunction(lambda: crypto.digest(crypto.new_secret()))


class UserFactory(factory.django.DjangoModelFactory[User]):
    """A member of staff without any right."""

    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"staff{n}")
    is_staff = True


def issued_token(project=None, *, label="", expires_in=None, at=None):
    """Issue a token as a command would; return it and its secret."""
    return AccessToken.objects.issue(
        project or ProjectFactory.create(),
        label=label,
        expires_in=expires_in,
        at=at or timezone.now(),
        by=BY,
    )


def permission_row(permission):
    app, _, codename = permission.partition(".")
    return Permission.objects.get(content_type__app_label=app, codename=codename)


def staff_as(*names):
    """Make a member of staff with these roles, each one of `tests.roles.ROLES`."""
    user = UserFactory.create()
    for name in names:
        group, is_new = Group.objects.get_or_create(name=name)
        if is_new:
            # A test with real transactions empties all tables, also of what migrations made.
            group.permissions.set(permission_row(right) for right in roles.PERMISSIONS[name])
        user.groups.add(group)
    return user


class StudentFactory(factory.django.DjangoModelFactory[Student]):
    class Meta:
        model = Student

    project = factory.SubFactory(ProjectFactory)
    email_key = factory.Sequence(lambda n: f"student{n}@example.com")
    email = factory.SelfAttribute("email_key")
    name = "Asha Rao"
    mobile = "+919876543201"
    created_at = factory.LazyFunction(timezone.now)


class AssessmentLinkFactory(factory.django.DjangoModelFactory[AssessmentLink]):
    """A link whose token nobody knows. `AssessmentLink.objects.issue` gives one with its token."""

    class Meta:
        model = AssessmentLink

    student = factory.SubFactory(StudentFactory)
    token_digest = factory.LazyFunction(lambda: secrets.token_hex(32))
    name = "Asha Rao"
    mobile = "+91 98765 43201"
    issued_at = factory.LazyFunction(timezone.now)
    expires_at = factory.LazyAttribute(lambda link: link.issued_at + timedelta(hours=72))


class AttemptFactory(factory.django.DjangoModelFactory[Attempt]):
    """An attempt on the current bank, just started, without a link. `AssessmentLink.start` makes
    one as the service does."""

    class Meta:
        model = Attempt

    class Params:
        is_completed = factory.Trait(
            completed_at=factory.LazyFunction(timezone.now),
            profile={},
            recommendations=[],
            catalogue=factory.LazyAttribute(
                lambda attempt: CatalogueSnapshot.objects.current(attempt.student.project)
            ),
            takers=factory.SelfAttribute("student.project.takers"),
        )

    student = factory.SubFactory(StudentFactory)
    project_id = factory.SelfAttribute("student.project_id")
    bank = factory.LazyFunction(lambda: ItemBank.objects.current())
    language = "en"
    browser_digest = factory.LazyFunction(lambda: secrets.token_hex(32))
    consent_version = "test"
    consented_at = factory.SelfAttribute("started_at")
    started_at = factory.LazyFunction(timezone.now)
    finish_by_at = factory.LazyAttribute(lambda attempt: attempt.started_at + timedelta(hours=24))


class CourseFactory(factory.django.DjangoModelFactory[Course]):
    class Meta:
        model = Course

    project = factory.SubFactory(ProjectFactory)
    code = factory.Sequence(lambda n: f"C{n:03}")
    name = factory.Sequence(lambda n: f"Course {n}")
    order = factory.Sequence(lambda n: n)
    fields = factory.LazyFunction(lambda: ["machines"])

    @classmethod
    def _create(cls, model_class, *args, **facts):
        """Refuse what no form accepts, as a field that does not exist."""
        model_class(**facts).clean_fields(exclude={"project"})
        return super()._create(model_class, *args, **facts)
