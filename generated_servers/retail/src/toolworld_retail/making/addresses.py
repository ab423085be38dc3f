"""Orders that are to go to another address than they were sent to."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import Address, Customer, Database, Order
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import (
    _all_lines,
    _arrived,
    _bought_since,
    _checked_out,
    _goods,
    _paid,
    _sent,
    _shopper,
)
from .people import _bought, _customer, _day, _items_of, _me, _parcel_of

NEW_LABELS = ("sister", "office", "neighbor", "cottage")


def _whereto(db: Database, draw: Draw, customer: Customer) -> Address:
    """Return where an order shall go: a saved address, or a new one with a name of its own."""
    others = [one for one in customer.addresses if one.label != customer.default_address]
    if others and draw.chance(0.65):
        return draw.one(others)
    if draw.chance(0.3):
        return draw.one(customer.addresses)
    elsewhere = draw.one(draw.row("customers", status="active").addresses)
    return elsewhere.replace(label=draw.one(NEW_LABELS))


def _in_a_line(address: Address) -> str:
    """Return an address as people write it in a line."""
    return f"{address.street}, {address.city}, {address.state} {address.postcode}"


def _staged(db: Database, draw: Draw, order: Order, stage: str) -> None:
    """Bring an order as far as a stage says."""
    if stage != "due":
        order = _paid(db, draw, order)
    if stage == "gone":
        _sent(db, draw, order, _all_lines(order), draw.integer(0, 3))
    if stage == "part":
        _sent(db, draw, order, _all_lines(order)[:1], draw.integer(0, 2))
    if stage == "there":
        _arrived(db, draw, _sent(db, draw, order, _all_lines(order), 5), -1)
    if stage == "half_there":
        # What left last has come before its day, what left first is still on its way.
        _sent(db, draw, order, [1], 4)
        rest = _sent(db, draw, db.orders.get(order.order_id), _all_lines(order)[1:], 2)
        _arrived(db, draw, rest, -4)


def redirect(db: Database, draw: Draw) -> Facts:
    """An order should go to another address, which may be new; some have left."""
    customer = _shopper(db, draw)
    stage = draw.one(["open", "open", "open", "open", "due", "due", "gone", "part", "there"])
    goods = _goods(db, draw, draw.integer(2, 3), Decimal("250"))
    days = 6 if stage == "there" else draw.integer(1, 3)
    order = _checked_out(db, draw, customer, goods, [1, 1, 1], days)
    _staged(db, draw, order, stage)
    _bought_since(db, draw, customer)
    order = db.orders.get(order.order_id)
    line = draw.one(line for line in order.lines if stage != "part" or line.status == "open")
    to = _whereto(db, draw, customer)
    draw.turn(order, ship_to=to)
    if all(one.label != to.label for one in customer.addresses):
        draw.turn(customer, addresses=[*customer.addresses, to])
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        where=to.label,
        address=_in_a_line(to),
    )


def solve_redirect(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "where")
    order, line = _bought(agent, customer, given.item)
    if order.status == "delivered":
        parcel = _parcel_of(agent, order, line)
        return outcome("there", day=_day(parcel.delivered_at), street=order.ship_to.street)
    if order.status == "part_shipped" and line.status == "open":
        parcel = only(agent.list_order_shipments(order.order_id))
        return outcome("part_gone", street=order.ship_to.street, day=parcel.promised_on)
    if order.status not in ("pending", "paid"):
        parcel = _parcel_of(agent, order, line)
        return outcome("gone", number=parcel.tracking_number, day=parcel.promised_on)
    saved = maybe(one for one in customer.addresses if one.label == given.where)
    if saved is None:
        new = _save_place(agent, given, customer)
        agent.change_shipping_address(order.order_id, given.where)
        return outcome("saved", street=new.street, total=order.total)
    if saved == order.ship_to:
        return outcome("goes_there", street=saved.street, total=order.total)
    agent.change_shipping_address(order.order_id, given.where)
    return outcome("changed", street=saved.street, total=order.total)


def _save_place(agent: Agent, given: Given, customer: Customer) -> Address:
    """Save a new address under the name that the customer gives it."""
    agent.ask("address")
    street, city, rest = given.address.split(", ")
    state, postcode = rest.split(" ")
    address = Address(label=given.where, street=street, city=city, state=state, postcode=postcode)
    agent.save_customer_address(customer.customer_id, address)
    return address


def redirect_all(db: Database, draw: Draw) -> Facts:
    """Everything that is under way should go elsewhere; a part of it may have left."""
    customer = _shopper(db, draw)
    draw.need(len(customer.addresses) > 1)
    older = db.orders.where(customer_id=customer.customer_id)
    draw.need(all(order.status in ("delivered", "cancelled") for order in older))
    draw.need(all(len(order.lines) > 0 for order in older))
    stages = draw.one([
        ["open", "open"], ["open", "due"], ["open", "gone"], ["due", "gone"], ["gone", "gone"],
        ["open", "open", "gone"], ["there", "gone"], ["open", "there"], ["open", "moved"],
        ["moved", "gone"], ["open", "half_there"],
    ])  # fmt: skip
    to = draw.one(one for one in customer.addresses if one.label != customer.default_address)
    for stage in stages:
        goods = _goods(db, draw, 2 if stage == "half_there" else 1, Decimal("250"))
        days = 6 if stage in ("there", "half_there") else 2
        order = _checked_out(db, draw, customer, goods, [1, 1], days)
        if stage == "moved":
            draw.call("change_shipping_address", order_id=order.order_id, address_label=to.label)
        else:
            _staged(db, draw, order, stage)
    for order in db.orders.where(customer_id=customer.customer_id):
        if order.status in ("pending", "paid"):
            draw.turn(order, ship_to=to)
    return facts(
        _me(customer),
        where=to.label,
        street=to.street,
        days=draw.one(["for ten days", "for two weeks", "for the next three weeks"]),
    )


def solve_redirect_all(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("where")
    orders = agent.list_customer_orders(customer.customer_id)
    to = only(one for one in customer.addresses if one.label == given.where)
    still = [one for one in orders if one.status in ("pending", "paid") and one.ship_to != to]
    gone = [one for one in orders if one.status in ("part_shipped", "shipped")]
    for order in still:
        agent.change_shipping_address(order.order_id, given.where)
    if len(gone) == 0:
        return outcome("all_changed", count=len(still), street=to.street)
    parcels = [
        parcel
        for order in gone
        for parcel in agent.list_order_shipments(order.order_id)
        if parcel.status == "in_transit"
    ]
    last = max(parcel.promised_on for parcel in parcels)
    if len(still) == 0:
        return outcome("none_changed", day=last)
    return outcome("some_changed", count=len(still), day=last)
