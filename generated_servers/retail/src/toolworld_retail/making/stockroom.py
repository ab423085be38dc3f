"""Stock, prices and promotions: goods in, prices that move or go back, new codes and old."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Database, Variant
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, only, outcome

CODE_WORDS = ("SUMMER", "TRAILHEAD", "LAKESIDE", "CAMPFIRE", "OUTDOOR", "SUNNY", "PICNIC", "DOCK")
CAMPAIGN_TITLES = (
    "Summer days", "Thank you for waiting", "Get out there", "A little something for July",
    "Packed and ready", "For early birds",
)  # fmt: skip


def _sold_kinds(db: Database, draw: Draw, most: Decimal) -> list[Variant]:
    """Return the variants of a product on sale that has several, none dearer than most."""
    product = draw.row("products", status="active")
    kinds = db.variants.where(product_id=product.product_id)
    draw.need(2 <= len(kinds) <= 6 and all(kind.price <= most for kind in kinds))
    return kinds


def goods_in(db: Database, draw: Draw) -> Facts:
    """A delivery note has two things on it, of which one may not be sold any more."""
    first = draw.one(_sold_kinds(db, draw, Decimal("400")))
    other = draw.one(_sold_kinds(db, draw, Decimal("400")))
    draw.need(other.product_id != first.product_id)
    stage = draw.one(["good", "good", "good", "first", "second", "neither"])
    if stage in ("first", "neither"):
        db.products.update(first.product_id, status="discontinued")
    if stage in ("second", "neither"):
        db.products.update(other.product_id, status="discontinued")
    units = draw.integer(2, 16) * 3
    other_units = draw.integer(2, 16) * 4
    draw.turn(db.products.get(other.product_id), status="discontinued")
    return facts(
        sku=told(first.sku, first, "sku"),
        units=units,
        other_sku=told(other.sku, other, "sku"),
        other_units=other_units,
    )


def solve_goods_in(agent: Agent, given: Given) -> Outcome:
    agent.ask("sku", "units", "other_sku", "other_units")
    first = agent.find_variant_by_sku(given.sku)
    other = agent.find_variant_by_sku(given.other_sku)
    product = agent.get_product(first.product_id)
    other_product = agent.get_product(other.product_id)
    if product.status == "discontinued" and other_product.status == "discontinued":
        return outcome("none_sold", product=product.name, other=other_product.name)
    if product.status == "discontinued":
        booked = agent.restock_variant(other.variant_id, given.other_units)
        return outcome("one_not_sold", product=product.name, stock=booked.stock)
    booked = agent.restock_variant(first.variant_id, given.units)
    if other_product.status == "discontinued":
        return outcome("one_not_sold", product=other_product.name, stock=booked.stock)
    second = agent.restock_variant(other.variant_id, given.other_units)
    return outcome("both_booked", stock=booked.stock, other=second.stock)


def one_price(db: Database, draw: Draw) -> Facts:
    """All variants of a product are to have one price, which is too far from some."""
    kinds = _sold_kinds(db, draw, Decimal("300"))
    mixed = draw.chance(0.65)
    for kind in kinds:
        if mixed and draw.chance(0.4):
            price = money(kind.price * draw.one([70, 80, 125, 140]) / 100)
            db.variants.update(kind.variant_id, price=price)
    kinds = db.variants.where(product_id=kinds[0].product_id)
    top = max(kind.price for kind in kinds)
    low = min(kind.price for kind in kinds)
    aim = draw.one([top * 48 / 100, low, top * 9 / 10, low * 3 / 5, top])
    price = aim if aim in (low, top) else Decimal(round(aim))
    product = db.products.get(kinds[0].product_id)
    if draw.chance(0.4):
        draw.turn(product, status="discontinued")
    else:
        draw.turn(draw.one(kinds), price=money(price * draw.one([35, 230]) / 100))
    if draw.chance(0.08):
        db.products.update(product.product_id, status="discontinued")
    label = draw.one(kinds)
    return facts(sku=told(label.sku, label, "sku"), price=price)


def solve_one_price(agent: Agent, given: Given) -> Outcome:
    agent.ask("sku", "price")
    variant = agent.find_variant_by_sku(given.sku)
    product = agent.get_product(variant.product_id)
    if product.status == "discontinued":
        return outcome("not_sold", product=product.name)
    kinds = agent.list_product_variants(product.product_id)
    moving = [kind for kind in kinds if kind.price != given.price]
    near = [kind for kind in moving if abs(given.price - kind.price) * 2 <= kind.price]
    far = [kind for kind in moving if abs(given.price - kind.price) * 2 > kind.price]
    dearest = max(kind.price for kind in kinds)
    if len(near) == 0:
        if len(far) == 0:
            return outcome("same_already", count=len(kinds), product=product.name)
        return outcome("all_too_far", top=dearest, product=product.name)
    for kind in near:
        agent.set_variant_price(kind.variant_id, given.price)
    if len(far) > 0:
        left = only(far)
        return outcome("some_set", count=len(near), far=left.sku, was=left.price)
    return outcome("all_set", count=len(near), top=dearest, product=product.name)


def undo_prices(db: Database, draw: Draw) -> Facts:
    """Prices that were lowered by mistake are to go back; one may be too low for one day."""
    kinds = draw.some(_sold_kinds(db, draw, Decimal("300")), 2)
    olds = [kind.price for kind in kinds]
    for kind in kinds:
        part = draw.one([52, 60, 70, 75, 80])
        # Two thirds of a price are just what one day brings back to it, but for rounding.
        two_thirds = money(kind.price * 2 / 3)
        price = two_thirds if draw.chance(0.2) else money(kind.price * part / 100)
        db.variants.update(kind.variant_id, price=price)
    wants = draw.chance(0.6)
    for place, kind in enumerate(kinds):
        draw.turn(kind, price=money(olds[place] * draw.one([54, 90]) / 100))
    return facts(
        sku=told(kinds[0].sku, kinds[0], "sku"),
        old=olds[0],
        other_sku=told(kinds[1].sku, kinds[1], "sku"),
        other_old=olds[1],
        agrees=wants,
        accepts=wants,
    )


def solve_undo_prices(agent: Agent, given: Given) -> Outcome:
    agent.ask("sku", "old", "other_sku", "other_old")
    first = agent.find_variant_by_sku(given.sku)
    other = agent.find_variant_by_sku(given.other_sku)
    first_top = _highest_next(first)
    other_top = _highest_next(other)
    if given.old > first_top:
        if given.other_old > other_top:
            if not agent.offer("highest_prices_possible", first=first_top, second=other_top):
                return outcome("neither_back", first=first_top, second=other_top)
            agent.set_variant_price(first.variant_id, first_top)
            agent.set_variant_price(other.variant_id, other_top)
            return outcome("both_part_way", first=first_top, second=other_top)
        return _one_back(agent, other, given.other_old, first)
    if given.other_old > other_top:
        return _one_back(agent, first, given.old, other)
    agent.set_variant_price(first.variant_id, given.old)
    agent.set_variant_price(other.variant_id, given.other_old)
    return outcome("both_back", first=first.price, second=other.price)


def _highest_next(variant: Variant) -> Decimal:
    """Return the highest price that a variant can be given in a day."""
    return variant.price + money(variant.price / 2 - Decimal("0.004"))


def _one_back(agent: Agent, whole: Variant, old: Decimal, part: Variant) -> Outcome:
    """Undo one price, and the other as far as it goes if that is wanted."""
    top = _highest_next(part)
    agent.set_variant_price(whole.variant_id, old)
    if not agent.offer("highest_price_possible", sku=part.sku, price=top):
        return outcome("one_back", sku=part.sku, top=top, now=part.price)
    agent.set_variant_price(part.variant_id, top)
    return outcome("one_part_way", sku=part.sku, top=top)


def _promotion_name(db: Database, draw: Draw, taken: float) -> str:
    """Return a code; some were given to another promotion before."""
    if draw.chance(taken):
        return draw.row("promotions").code
    code = f"{draw.one(CODE_WORDS)}{draw.integer(2, 99)}"
    draw.need(len(db.promotions.where(code=code)) == 0)
    draw.turn(draw.row("promotions", uses=0), code=code)
    return code


def new_code(db: Database, draw: Draw) -> Facts:
    """Marketing wants a promotion; its code, its worth or its days may not be possible."""
    kind = draw.one(["percent", "amount", "amount"])
    minimum = draw.one([40, 50, 60, 80, 100])
    # Only one thing stands in the way at a time.
    stage = draw.one(["good", "good", "good", "taken", "dear", "past", "past"])
    if stage == "dear":
        kind = "amount"
    shares = [55, 60, 70] if stage == "dear" else [20, 25, 30, 40, 50]
    size = draw.one([10, 15, 20, 25]) if kind == "percent" else minimum * draw.one(shares) // 100
    starts = db.today() + timedelta(days=draw.one([-9, -4] if stage == "past" else [0, 3, 5, 8]))
    wants = draw.chance(0.65)
    return facts(
        code=_promotion_name(db, draw, 1 if stage == "taken" else 0),
        title=draw.one(CAMPAIGN_TITLES),
        kind=kind,
        size=size,
        minimum=minimum,
        department=draw.one([
            "footwear", "clothing", "camping", "cycling", "fitness", "kitchen", "home",
            "electronics",
        ]),
        first=starts,
        last=starts + timedelta(days=draw.integer(20, 45)),
        agrees=wants,
        accepts=wants,
    )  # fmt: skip


def solve_new_code(agent: Agent, given: Given) -> Outcome:
    agent.ask("code", "kind", "size", "minimum", "department", "first", "last")
    other = agent.attempt.get_promotion(given.code)
    if not other.rejected("unknown_promotion"):
        return outcome("code_taken", day=other.ends_on, title=other.title)
    limit = Decimal(given.minimum) / 2
    if given.kind == "amount" and given.size > limit:
        return outcome("too_much", limit=limit)
    running = agent.list_promotions(category=given.department)
    today = agent.get_shop_info().today
    starts = given.first
    if starts < today:
        if not agent.offer("start_today", first_day=today):
            return outcome("not_from_today", day=today)
        starts = today
    agent.ask("title")
    agent.create_promotion(
        given.code,
        given.title,
        given.kind,
        starts,
        given.last,
        percent=given.size if given.kind == "percent" else None,
        amount=Decimal(given.size) if given.kind == "amount" else None,
        minimum_spend=Decimal(given.minimum),
        category=given.department,
    )
    if starts == given.first:
        return outcome("set_up", count=len(running))
    return outcome("from_today", day=today, count=len(running))


def renew_code(db: Database, draw: Draw) -> Facts:
    """A promotion goes on under another code, right after the old one, if it was used enough."""
    last = db.today() + timedelta(days=draw.integer(100, 150))
    old = draw.row("promotions")
    draw.need(old.ends_on < last - timedelta(days=20) and old.uses > 2)
    draw.need(old.max_uses is None or old.uses < old.max_uses)
    draw.turn(old, ends_on=db.today() + timedelta(days=9))
    # Only one thing stands in the way at a time.
    taken = draw.chance(0.15)
    more = draw.one([-4, -2, -1, 0, 0]) if taken else draw.one([-4, -2, -1, 0, 0, 1, 2])
    return facts(
        old=told(old.code, old, "code"),
        code=_promotion_name(db, draw, 1 if taken else 0),
        last=last,
        least=max(old.uses + more, 2),
    )


def solve_renew_code(agent: Agent, given: Given) -> Outcome:
    agent.ask("old", "code", "last", "least")
    old = agent.get_promotion(given.old)
    if old.uses < given.least:
        return outcome("not_worth_it", uses=old.uses, day=old.ends_on)
    other = agent.attempt.get_promotion(given.code)
    if not other.rejected("unknown_promotion"):
        return outcome("name_taken", title=other.title, day=other.ends_on)
    today = agent.get_shop_info().today
    starts = max(today, old.ends_on + timedelta(days=1))
    agent.create_promotion(
        given.code,
        old.title,
        old.kind,
        starts,
        given.last,
        percent=old.percent,
        amount=old.amount,
        minimum_spend=old.minimum_spend,
        category=old.category,
        max_uses=old.max_uses,
        once_per_customer=old.once_per_customer,
    )
    if starts == today:
        return outcome("runs_now", uses=old.uses, title=old.title)
    return outcome("runs_later", uses=old.uses, title=old.title, day=starts)
