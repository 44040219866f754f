"""Filters of the list of tokens."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from tokens.models import AccessToken, AccessTokenQuerySet, TokenState

PROJECT_CLOSED = "project-closed"


class StateFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        states = [(state.value, str(state.label)) for state in TokenState]
        return [*states, (PROJECT_CLOSED, "Project closed")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[AccessToken]
    ) -> QuerySet[AccessToken]:
        state, tokens = self.value(), cast("AccessTokenQuerySet", queryset)
        if state == PROJECT_CLOSED:
            return tokens.live().filter(project__closed_at__isnull=False)
        if state not in TokenState.values:
            return tokens
        found = tokens.in_state(TokenState(state))
        if state in {TokenState.LIVE, TokenState.ENDING}:
            return found.filter(project__closed_at__isnull=True)
        return found
