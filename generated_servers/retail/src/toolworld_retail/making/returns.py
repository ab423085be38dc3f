"""Things that are to go back, or that went back already."""

from __future__ import annotations

from datetime import date

from ..models import Database, ReturnItem
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, fits, only, outcome
from .people import _customer, _items_of, _me

REASONS = ("changed_mind", "wrong_size", "defective", "damaged_in_transit")


def send_back(db: Database, draw: Draw) -> Facts:
    """Something that was ordered is to go back; for some it is too late, or too early."""
    order = draw.row("orders", status=("delivered", "shipped"))
    draw.need((db.today() - order.placed_at.date()).days < 90)
    customer = db.customers.get(order.customer_id)
    draw.need(customer.status == "active")
    line = draw.one([one for one in order.lines if one.quantity == 1 and one.status == "shipped"])
    name = draw.name(line.item, among=_items_of(db, customer))
    product = db.products.get(db.variants.get(line.variant_id).product_id)
    draw.turn(product, return_days=draw.one([0, 5, 90]))
    draw.turn(customer, tier=draw.one(["gold", "standard"]))
    return facts(
        _me(customer),
        item=told(name, order, "lines.item"),
        reason=draw.one(REASONS),
        refund_to=draw.one(["original_payment", "gift_card"]),
    )


def solve_send_back(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "reason")
    orders = agent.list_customer_orders(customer.customer_id)
    order, line = only(
        (order, line)
        for order in orders
        for line in order.lines
        if line.status != "cancelled" and fits(given.item, line.item)
    )
    quote = agent.attempt.quote_return(order.order_id, line.line_number, 1, given.reason)
    if quote.rejected("not_delivered"):
        parcels = agent.list_order_shipments(order.order_id)
        parcel = only(one for one in parcels if one.status == "in_transit")
        return outcome("not_there_yet", day=parcel.promised_on)
    if quote.rejected("too_many_units"):
        returns = agent.list_returns(customer_id=customer.customer_id)
        back = only(one for one in returns if one.order_id == order.order_id)
        return outcome("back_already", number=back.return_id)
    if quote.rejected("final_sale"):
        product = agent.get_product(agent.get_variant(line.variant_id).product_id)
        return outcome("final_sale", product=product.name)
    if quote.rejected("window_over"):
        return outcome("too_late", day=date.fromisoformat(quote.values.day))
    if quote.fee > 0:
        if not agent.agreed(fee=quote.fee):
            return outcome("fee_declined", fee=quote.fee)
    agent.ask("refund_to")
    item = ReturnItem(line_number=line.line_number, quantity=1, reason=given.reason)
    agent.request_return(order.order_id, [item], given.refund_to)
    return outcome("accepted", fee=quote.fee)
