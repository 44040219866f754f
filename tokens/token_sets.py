"""Sets of access tokens, and how one is issued."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self, Unpack

from django.db import IntegrityError, models, transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from partners.models import AuditEvent, Project
from partners.origin import Origin
from tokens import crypto
from tokens.refusals import AlreadyIssued, ProjectClosed, TooManyTokens
from tokens.states import TokenState

if TYPE_CHECKING:
    from tokens.models import AccessToken

MAX_LIVE_TOKENS = 5


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def for_project(self, project: Project) -> Self:
        return self.filter(project=project)

    def with_project(self) -> Self:
        return self.select_related("project__partner")

    def with_successor(self) -> Self:
        return self.select_related("successor")

    def with_issuer(self) -> Self:
        """Add `issuer`, `issuer_name` and `issue_reason`: who issued it, and why.

        The name is the user name of staff, null for any other actor.
        """
        issued = AuditEvent.objects.with_staff_names().filter(
            action="token.issued", object_type="accesstoken", object_id=OuterRef("token_id")
        )
        return self.annotate(
            issuer=Subquery(issued.values("actor")[:1]),
            issuer_name=Subquery(issued.values("staff_name")[:1]),  # type: ignore[misc]  # the plugin knows no annotation of a subquery
            issue_reason=Subquery(issued.values("reason")[:1]),
        )

    def newest_first(self) -> Self:
        return self.order_by("-issued_at", "-pk")

    def live(self, at: datetime | None = None) -> Self:
        """Return the tokens that open the door: neither revoked nor expired, ending ones too."""
        at = at or timezone.now()
        return self.filter(revoked_at__isnull=True).filter(
            Q(expires_at__isnull=True) | Q(expires_at__gt=at)
        )

    def counted_against_cap(self, at: datetime | None = None) -> Self:
        """Return the live tokens without a successor, so that rotating never meets the cap."""
        return self.live(at).filter(rotated_at__isnull=True)

    def in_state(self, state: TokenState, at: datetime | None = None) -> Self:
        """Return the tokens whose `state_at` is `state`."""
        at = at or timezone.now()
        match state:
            case TokenState.LIVE:
                return self.counted_against_cap(at)
            case TokenState.ENDING:
                return self.live(at).filter(rotated_at__isnull=False)
            case TokenState.EXPIRED:
                return self.filter(revoked_at__isnull=True, expires_at__lte=at)
        return self.filter(revoked_at__isnull=False)

    def _add(self, *, token_id: str, **values: Any) -> AccessToken:
        """Store a token. Raise AlreadyIssued if its identifier is taken."""
        try:
            with transaction.atomic():
                return self.create(token_id=token_id, **values)
        except IntegrityError as error:
            # One form, sent for two projects at one moment: no lock is common to both.
            raise AlreadyIssued(f"Access token {token_id} exists already.") from error

    @sensitive_variables("secret")
    def issue(
        self,
        project: Project,
        *,
        label: str = "",
        expires_in: timedelta | None = None,
        token_id: str | None = None,
        reason: str = "",
        at: datetime | None = None,
        **origin: Unpack[Origin],
    ) -> tuple[AccessToken, str]:
        """Make a token and return it with its secret, which exists nowhere else.

        `reason` goes into the audit trail. `token_id` lets a form choose the identifier
        beforehand: sent a second time it raises AlreadyIssued. Raise ProjectClosed or
        TooManyTokens.
        """
        if expires_in is not None and expires_in <= timedelta(0):
            raise ValueError("expires_in must be positive")
        at = at or timezone.now()
        secret = crypto.new_secret()
        with transaction.atomic():
            # One after the other for a project, else two could both be the fifth. NO KEY: links
            # of the project, which only refer to the row, are not held up.
            project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
            if token_id and self.filter(token_id=token_id).exists():
                raise AlreadyIssued(f"Access token {token_id} exists already.")
            if project.is_closed:
                raise ProjectClosed(f"Project {project.project_id} is closed.")
            if self.for_project(project).counted_against_cap(at).count() >= MAX_LIVE_TOKENS:
                raise TooManyTokens(
                    f"Project {project.project_id} has {MAX_LIVE_TOKENS} live tokens, the most a "
                    "project may have, ending ones not counted. Rotate one of them, or revoke "
                    "one that is not used."
                )
            token = self._add(
                project=project,
                token_id=token_id or crypto.new_token_id(),
                secret_digest=crypto.digest(secret),
                label=label,
                issued_at=at,
                expires_at=None if expires_in is None else at + expires_in,
            )
            AuditEvent.record("token.issued", token, reason=reason, at=at, **origin)
        return token, secret
