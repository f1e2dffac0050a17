"""Answers to requests of programs that do not come from a service's refusal, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: Mapping[str, _StrPromise] = {
    "away": _("The site cannot answer at this moment. Send the request again."),
    "cursor-bad": _("This cursor was not given out for this list."),
    "failed": _(
        "The site has failed. The fault is ours, and is logged under the number of the request."
    ),
    "forbidden": _("This is not allowed."),
    "if-match-needed": _("Send the ETag of the object as If-Match."),
    "invalid": _("Some values of the request are not valid. The errors name them."),
    "malformed": _("The request cannot be read."),
    "method-refused": _("This address does not take this method."),
    "not-found": _("There is no resource at this address, or you may not see it."),
    "outdated": _("It has changed since you read it. Read it again."),
    "scope-needed": _("The token does not have the scope for this."),
    "token-needed": _("This needs an access token."),
    "token-refused": _(
        "This access token is wrong, has expired or was revoked. Make another one on the page of access tokens."
    ),
    "too-large": _("The request is too large."),
    "too-many": _("The limit is reached. Wait, and send the request again."),
    "type-refused": _("The body of a request is JSON, as application/json."),
}
