"""Promotion codes: new ones, and old ones that go on under another name."""

CODE_WORDS = ("SUMMER", "TRAILHEAD", "LAKESIDE", "CAMPFIRE", "OUTDOOR", "SUNNY", "PICNIC", "DOCK")
CAMPAIGN_TITLES = (
    "Summer days", "Thank you for waiting", "Get out there", "A little something for July",
    "Packed and ready", "For early birds",
)  # fmt: skip


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
    starts = db.today() + timedelta(days=draw.one([-9, -4] if stage == "past" else [3, 5, 8, 16]))
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
    return facts(
        old=told(old.code, old, "code"),
        code=_promotion_name(db, draw, 0.15),
        last=last,
        least=max(old.uses + draw.one([-4, -2, -1, 0, 0, 1, 2]), 2),
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
