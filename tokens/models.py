"""Access tokens: the credentials of partners. The secret is never stored."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db import IntegrityError, models, transaction
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from partners.models import Actor, AuditEvent, Project, Refused
from partners.plain_text import validate_plain_text
from partners.times import moment_in_words
from tokens import crypto

MAX_LIVE_TOKENS = 5
DEFAULT_OVERLAP = timedelta(days=7)
ROTATE_REASON_MAX = 150  # the audit trail names the successor beside it
ENDS_SOON = timedelta(days=14)  # for partners and support to be told
# last_used_at is written at most this often, so that most calls only read.
LAST_USE_PRECISION = timedelta(minutes=1)


class TokenState(models.TextChoices):
    LIVE = "live"
    ENDING = "ending"
    EXPIRED = "expired"
    REVOKED = "revoked"


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def with_project(self) -> Self:
        return self.select_related("project__partner")

    def live(self, at: datetime | None = None) -> Self:
        """Return the accepted tokens, ending ones included: neither revoked nor expired."""
        at = at or timezone.now()
        return self.filter(revoked_at__isnull=True).filter(
            Q(expires_at__isnull=True) | Q(expires_at__gt=at)
        )

    def counted_against_cap(self, at: datetime | None = None) -> Self:
        """Return the live tokens without a successor, so that the cap never refuses a rotation."""
        return self.live(at).filter(rotated_at__isnull=True)

    def in_state(self, state: TokenState, at: datetime | None = None) -> Self:
        at = at or timezone.now()
        match state:
            case TokenState.LIVE:
                return self.counted_against_cap(at)
            case TokenState.ENDING:
                return self.live(at).filter(rotated_at__isnull=False)
            case TokenState.EXPIRED:
                return self.filter(revoked_at__isnull=True, expires_at__lte=at)
        return self.filter(revoked_at__isnull=False)

    @sensitive_variables("secret")
    def _add(
        self,
        project: Project,
        *,
        by: Actor,
        reason: str,
        at: datetime,
        token_id: str = "",
        **values: Any,
    ) -> tuple[AccessToken, str]:
        """Store a token and its event. Raise Refused if its `token_id` is taken."""
        token_id, secret = token_id or crypto.new_token_id(), crypto.new_secret()
        if project.is_test:
            token_id = crypto.for_test_project(token_id)
        values |= {"token_id": token_id, "secret_digest": crypto.digest(secret)}
        try:
            with transaction.atomic():
                token = self.create(project=project, issued_at=at, **values)
        except IntegrityError as error:
            raise Refused(
                f"This form issued access token {token_id} before. Its secret is not shown again: "
                "if nobody copied it, rotate the token."
            ) from error
        AuditEvent.record("token.issued", token, by=by, reason=reason, at=at)
        return token, secret

    @sensitive_variables("secret")
    def issue(
        self,
        project: Project,
        *,
        by: Actor,
        label: str = "",
        expires_in: timedelta | None = None,
        token_id: str = "",
        reason: str = "",
        at: datetime | None = None,
    ) -> tuple[AccessToken, str]:
        """Create a token. Return it with its secret, which is stored nowhere.

        Raise Refused if the project is closed or has MAX_LIVE_TOKENS, if `token_id` is taken
        (form sent twice) or if the token would expire at once; ValidationError for a bad label.
        """
        if expires_in is not None and expires_in <= timedelta(0):
            raise Refused("The token would expire at once.")
        self.model._meta.get_field("label").run_validators(label)
        at = at or timezone.now()
        with transaction.atomic():
            # Lock the project, or two calls could both issue the fifth token.
            # NO KEY, so that other calls can still issue links of the project.
            project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
            # First, so that a form that was sent before is recognised whatever came of it.
            token, secret = self._add(
                project,
                token_id=token_id,
                label=label,
                expires_at=None if expires_in is None else at + expires_in,
                at=at,
                reason=reason,
                by=by,
            )
            if project.is_closed:
                raise Refused(f"Project {project.project_id} is closed.")
            if self.filter(project=project).counted_against_cap(at).count() > MAX_LIVE_TOKENS:
                raise Refused(
                    f"Project {project.project_id} has {MAX_LIVE_TOKENS} live tokens, the most a "
                    "project may have, ending ones not counted. Rotate one of them, or revoke "
                    "one that is not used."
                )
        return token, secret


class AccessToken(models.Model):
    """A credential of one project. Stores a digest of the secret, never the secret."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="access_tokens")
    token_id = models.CharField(
        "token id", max_length=25, unique=True, default=crypto.new_token_id, editable=False
    )
    secret_digest = models.CharField(max_length=64, editable=False)
    label = models.CharField(
        max_length=100,
        blank=True,
        default="",
        validators=[validate_plain_text],
        help_text="What it is used for, for example “CRM, production”.",
    )
    issued_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    rotated_at = models.DateTimeField(null=True, blank=True)
    replaces = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="successor"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoke_reason = models.CharField(max_length=200, blank=True, default="")
    last_used_at = models.DateTimeField("last use", null=True, blank=True)

    objects = AccessTokenQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions = [
            ("issue_token", "Can issue a token"),
            ("rotate_token", "Can rotate a token"),
            ("revoke_token", "Can revoke a token"),
        ]
        # No constraint orders two times, because a clock that jumps back must not make revoking
        # impossible.
        constraints = [
            models.CheckConstraint(
                condition=~Q(token_id="") & Q(Exact(Length("secret_digest"), 64)),
                name="accesstoken_has_an_id_and_a_digest",
            ),
            models.CheckConstraint(
                condition=Q(rotated_at__isnull=True) | Q(expires_at__isnull=False),
                name="accesstoken_rotated_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(revoke_reason="") | Q(revoked_at__isnull=False),
                name="accesstoken_reason_only_if_revoked",
            ),
            models.CheckConstraint(
                condition=Q(replaces__isnull=True) | ~Q(replaces=F("id")),
                name="accesstoken_replaces_another",
            ),
        ]

    if TYPE_CHECKING:
        successor: AccessToken

    def __str__(self) -> str:
        return self.token_id

    @property
    def public_id(self) -> str:
        return self.token_id

    def state_at(self, at: datetime | None = None) -> TokenState:
        at = at or timezone.now()
        if self.revoked_at is not None:
            return TokenState.REVOKED
        if self.expires_at is not None and self.expires_at <= at:
            return TokenState.EXPIRED
        return TokenState.LIVE if self.rotated_at is None else TokenState.ENDING

    def is_live(self, at: datetime | None = None) -> bool:
        return self.state_at(at) in {TokenState.LIVE, TokenState.ENDING}

    def ends_soon(self, at: datetime) -> bool:
        """Return whether the token, which works, was rotated or expires within ENDS_SOON."""
        is_near = self.expires_at is not None and self.expires_at < at + ENDS_SOON
        return is_near or self.rotated_at is not None

    @property
    def lifetime(self) -> timedelta | None:
        """The lifetime that the token was issued with, or None. Wrong after a rotation."""
        return None if self.expires_at is None else self.expires_at - self.issued_at

    def local_time(self, at: datetime | None) -> str:
        return moment_in_words(at, self.project.time_zone)

    @property
    def last_use_in_words(self) -> str:
        return self.local_time(self.last_used_at)

    @property
    def expiry_in_words(self) -> str:
        return self.local_time(self.expires_at)

    def allows(self, project_id: str) -> bool:
        return self.project.project_id == project_id

    def end_in_words(self) -> str:
        if self.revoked_at is not None:
            more = f" Reason given: {self.revoke_reason}" if self.revoke_reason else ""
            return f"Access token {self} was revoked {self.local_time(self.revoked_at)}.{more}"
        if self.rotated_at is not None:
            at, successor = self.local_time(self.rotated_at), self.successor
            return f"Access token {self} was rotated {at}. Its successor is {successor}."
        return f"Access token {self} expired {self.expiry_in_words}."

    @sensitive_variables("secret")
    def rotate(
        self,
        *,
        by: Actor,
        overlap: timedelta = DEFAULT_OVERLAP,
        reason: str = "",
        at: datetime | None = None,
    ) -> tuple[AccessToken, str]:
        """Issue a successor and end this token after `overlap`. Return successor and secret.

        The successor gets the same label and lifetime. Raise Refused if this token is revoked,
        expired or rotated, or if the project is closed.
        """
        if overlap < timedelta(0):
            raise ValueError("overlap must not be negative")
        at = at or timezone.now()
        with transaction.atomic():
            tokens = AccessToken.objects.all()
            end = at + overlap
            # Of two concurrent rotations one updates no row. expires_at cannot be stale, because
            # nothing else changes it.
            claimed = (
                tokens.filter(pk=self.pk)
                .counted_against_cap(at)
                .update(rotated_at=at, expires_at=min(end, self.expires_at or end))
            )
            if claimed != 1:
                raise Refused(tokens.get(pk=self.pk).end_in_words())
            if Project.objects.closed().filter(pk=self.project_id).exists():
                raise Refused(f"Project {self.project.project_id} is closed.")
            successor, secret = tokens._add(
                self.project,
                label=self.label,
                expires_at=None if self.lifetime is None else at + self.lifetime,
                replaces=self,
                at=at,
                reason=f"replaces {self.token_id}",
                by=by,
            )
            note = f"successor {successor}{f': {reason}' if reason else ''}"
            AuditEvent.record("token.rotated", self, by=by, reason=note, at=at)
        self.refresh_from_db(fields=["rotated_at", "expires_at"])
        return successor, secret

    @transaction.atomic
    def revoke(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> None:
        """Refuse this token from now on. Raise Refused if it is already revoked."""
        at = at or timezone.now()
        unrevoked = AccessToken.objects.filter(pk=self.pk, revoked_at__isnull=True)
        revoked = unrevoked.update(revoked_at=at, revoke_reason=reason)
        self.refresh_from_db(fields=["revoked_at", "revoke_reason"])
        if not revoked:
            raise Refused(self.end_in_words())
        AuditEvent.record("token.revoked", self, by=by, reason=reason, at=at)

    def unused_links(self, at: datetime | None = None) -> int:
        # The relation belongs to AssessmentLink: this app knows links by it alone.
        return self.links.unused(at or timezone.now()).count()

    def cancel_links(self, *, by: Actor, at: datetime | None = None) -> int:
        """Cancel the unused links that this token issued. Return how many.

        End the token first, or it issues more. `revoke` leaves them, so as not to wait for a lock.
        """
        return self.links.cancel(self, by=by, at=at)

    def record_use(self, at: datetime | None = None) -> None:
        at = at or timezone.now()
        stale = at - LAST_USE_PRECISION
        if self.last_used_at is not None and self.last_used_at > stale:
            return
        # The statement compares too, so that only one of several concurrent calls writes.
        never_or_long_ago = Q(last_used_at__isnull=True) | Q(last_used_at__lte=stale)
        AccessToken.objects.filter(never_or_long_ago, pk=self.pk).update(last_used_at=at)
