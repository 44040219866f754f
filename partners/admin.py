"""Partners, their projects and the audit trail, for support staff."""

from __future__ import annotations

import zoneinfo
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Count, QuerySet
from django.forms import BaseModelFormSet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from partners.confirmation import ReasonForm, confirmation
from partners.models import AuditEvent, Partner, Project
from partners.origin import of_staff

if TYPE_CHECKING:
    _PartnerAdmin = admin.ModelAdmin[Partner]
    _ProjectAdmin = admin.ModelAdmin[Project]
    _AuditEventAdmin = admin.ModelAdmin[AuditEvent]
    _ProjectInline = admin.StackedInline[Project, Partner]
else:
    _PartnerAdmin = _ProjectAdmin = _AuditEventAdmin = admin.ModelAdmin
    _ProjectInline = admin.StackedInline
