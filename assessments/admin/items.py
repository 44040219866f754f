from __future__ import annotations

from django.contrib import admin

from assessments.admin.readonly import ReadOnly
from assessments.models import Item, ItemBank


@admin.register(ItemBank)
class ItemBankAdmin(ReadOnly):
    list_display = ("version", "is_current", "shipped", "published_at", "made_current_at")
    fields = ("version", "digest", "is_current", "shipped", "published_at", "made_current_at")

    @admin.display(description="current", boolean=True)
    def is_current(self, bank: ItemBank) -> bool:
        return ItemBank.objects.has_current() and bank == ItemBank.objects.current()


@admin.register(Item)
class ItemAdmin(ReadOnly):
    list_display = ("code", "section", "scale", "text", "bank")
    list_select_related = ("bank",)
    list_filter = ("bank", "section", "scale")
    search_fields = ("code",)
    search_help_text = "Search by the item's code."
    fields = ("bank", "code", "section", "scale", "order", "text", "keyed", "key", "a", "b", "c")

    @admin.display(description="text")
    def text(self, item: Item) -> str:
        words: str = item.content["text"]["en"]
        return " ".join([words, *item.content.get("lines", [])])
