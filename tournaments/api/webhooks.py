"""Webhooks of the account: listed, made with its password, changed, tested, and the log of deliveries."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field, SecretStr

from tournaments.api import etags, paging, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.idempotency import Repeats
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.shapes import Shape
from tournaments.edges import access
from tournaments.models import Webhook
from tournaments.services.accounts import webhooks as services

operations = Operations("Webhooks")

Kinds = Annotated[
    list[str],
    Field(
        max_length=100,
        description="Kinds of news, or topics of the event. Empty for all of them.",
    ),
]


class WebhookShape(Shape):
    """An address to which news of the account or of an event are sent."""

    id: int
    address: str
    event: Annotated[str | None, Field(description="The event. null for the news of the account.")]
    kinds: list[str]
    is_active: bool
    failing_since: Annotated[
        datetime | None, Field(description="The first failure after the last success, or null.")
    ]
    made_at: datetime


class WebhookList(BaseModel):
    """The webhooks of the account, the oldest first."""

    items: list[WebhookShape]


class NewWebhook(Body):
    """A webhook of the account."""

    address: Annotated[str, Field(max_length=500)]
    event: Annotated[
        str | None,
        Field(
            max_length=80,
            description="An event that the account may see, in place of the news of the account.",
        ),
    ] = None
    kinds: Kinds = []
    password: Annotated[SecretStr, Field(max_length=4096, description="That of the account.")]


class CreatedWebhook(BaseModel):
    """A webhook and its secret, which is not shown again. An `Idempotency-Key` has no effect here."""

    webhook: WebhookShape
    secret: Annotated[str, Field(description="`whsec_` and the key in base64.")]


class WebhookChange(Body):
    """The changes. Values that are left out remain."""

    kinds: Kinds | None = None
    is_active: bool | None = None


class DeliveryShape(Shape):
    """A message for a webhook, with the result of its last try."""

    id: int
    message_id: Annotated[str, Field(description="The header `webhook-id`.")]
    kind: str
    state: Annotated[str, Field(description="waiting, delivered or failed")]
    tries: int
    due_at: datetime
    made_at: datetime
    tried_at: datetime | None
    status: Annotated[int | None, Field(description="HTTP status, 0 without an answer.")]
    took_ms: int | None
    answer: Annotated[str, Field(description="The first bytes of the last answer.")]


@operations.get("/me/webhooks", "webhooks", routes.PRIVATE)
def webhooks(request: ApiRequest) -> WebhookList:
    """List the webhooks of the account."""
    return WebhookList(items=[_shape(each) for each in services.of(request.caller.account)])


@operations.post(
    "/me/webhooks",
    "webhook-create",
    routes.ACCOUNT,
    body='{"address": "https://hook.example/rayuela", "kinds": ["turn"], "password": "$PASSWORD"}',
    repeats=Repeats.BY_SERVICE,  # a stored answer would be a stored secret
)
def create(request: ApiRequest, response: HttpResponse, body: NewWebhook) -> CreatedWebhook:
    """Create a webhook with the password of the account. Its secret is in this answer alone."""
    user = request.caller.account
    new = services.create(
        user=user,
        password=body.password.get_secret_value(),
        address=body.address,
        kinds=body.kinds,
        event=None if body.event is None else access.get_event_for(user, body.event),
    )
    response["Cache-Control"] = "no-store"
    return CreatedWebhook(webhook=_shape(new.webhook), secret=new.secret)


@operations.get("/me/webhooks/{int:webhook_id}", "webhook", routes.PRIVATE)
def webhook(request: ApiRequest, webhook_id: int) -> WebhookShape:
    """Return a webhook of the account."""
    return _shape(access.get_webhook_for(request.caller.account, webhook_id))


@operations.patch(
    "/me/webhooks/{int:webhook_id}", "webhook-change", routes.ACCOUNT, body='{"is_active": false}'
)
def change(request: ApiRequest, webhook_id: int, body: WebhookChange) -> WebhookShape:
    """Change the kinds of news of a webhook, or switch it off or on."""
    row = access.get_webhook_for(request.caller.account, webhook_id)
    etags.require(request, _shape(row))
    services.change(
        row,
        kinds=row.kind_set if body.kinds is None else body.kinds,
        is_active=row.is_active if body.is_active is None else body.is_active,
    )
    return _shape(access.get_webhook_for(request.caller.account, webhook_id))


@operations.delete("/me/webhooks/{int:webhook_id}", "webhook-delete", routes.ACCOUNT)
def delete(request: ApiRequest, webhook_id: int) -> None:
    """Delete a webhook with its deliveries."""
    services.delete(access.get_webhook_for(request.caller.account, webhook_id))


@operations.post("/me/webhooks/{int:webhook_id}/test", "webhook-test", routes.ACCOUNT)
def test(request: ApiRequest, webhook_id: int) -> DeliveryShape:
    """Send a message of the type `test`. The answer is its delivery, which a worker makes."""
    row = access.get_webhook_for(request.caller.account, webhook_id)
    return DeliveryShape.of(services.send_test(row))


@operations.get(
    "/me/webhooks/{int:webhook_id}/deliveries",
    "webhook-deliveries",
    routes.PRIVATE,
    answer=Page[DeliveryShape],
)
def deliveries(request: ApiRequest, webhook_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the deliveries of a webhook, the latest first."""
    row = access.get_webhook_for(request.caller.account, webhook_id)
    return paging.answer(request, row.deliveries.all(), ["-pk"], query, DeliveryShape.of)


@operations.post(
    "/me/webhooks/{int:webhook_id}/deliveries/{int:delivery_id}/again",
    "webhook-delivery-again",
    routes.ACCOUNT,
    status=200,
)
def send_again(request: ApiRequest, webhook_id: int, delivery_id: int) -> DeliveryShape:
    """Send a delivery again, with its `webhook-id`."""
    account = request.caller.account
    services.send_again(access.get_delivery_for(account, webhook_id, delivery_id))
    return DeliveryShape.of(access.get_delivery_for(account, webhook_id, delivery_id))


def _shape(row: Webhook) -> WebhookShape:
    event = row.event.slug if row.event is not None else None
    return WebhookShape.of(row, event=event, kinds=sorted(row.kind_set))
