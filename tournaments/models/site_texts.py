"""The operator's own words on pages of the site."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

# Characters of one text.
TEXT_LENGTH = 20_000


class SiteText(models.Model):
    """One text of the person or club that runs the site. A missing row is an empty text."""

    class Kind(models.TextChoices):
        """The places of the texts."""

        OPERATOR = "operator"  # the name of a person or club
        CONTACT = "contact"  # an e-mail address or a link
        PRIVACY = "privacy"  # further paragraphs of the page of privacy
        IMPRINT = "imprint"  # what the law wants to be known of the operator

    kind = models.CharField(primary_key=True, max_length=10, choices=Kind.choices)
    text = models.TextField(max_length=TEXT_LENGTH, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(text__length__lte=TEXT_LENGTH), name="site_text_length"
            )
        ]

    def __str__(self) -> str:
        return self.kind
