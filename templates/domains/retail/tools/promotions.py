"""Promotion codes: what they offer and when they run."""

PROMOTION_YEAR = timedelta(days=365)


def _find_promotion(db: Database, code: str) -> Promotion:
    found = db.promotions.where(code=_capitals(code))
    if not found:
        raise Rejected("unknown_promotion", "No promotion has that code. Check the spelling.")
    return found[0]


def _promotion_runs(db: Database, promotion: Promotion) -> bool:
    in_time = promotion.starts_on <= db.today() <= promotion.ends_on
    return in_time and (promotion.max_uses is None or promotion.uses < promotion.max_uses)


def _promotion_code(db: Database, promotion_id: PromotionId | None) -> str | None:
    return None if promotion_id is None else db.promotions.get(promotion_id).code


def get_promotion(db: Database, code: str) -> Promotion:
    """Show what a promotion code offers, when it runs and how often it was used.

    Args:
        code: The code, in any case.

    Raises:
        Rejected: No promotion has that code.
    """
    return _find_promotion(db, code)


def list_promotions(
    db: Database,
    category: Category | None = None,
    running_only: bool = True,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Promotion]:
    """List promotions in id order.

    Args:
        category: Only those that cover this department, store-wide ones included.
        running_only: Only those that run today and have uses left; left out, so it is.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    found = [
        promotion
        for promotion in db.promotions.all()
        if (category is None or promotion.category in (None, category))
        and (not running_only or _promotion_runs(db, promotion))
    ]
    return page(found, cursor, limit)


def _check_promotion_value(
    kind: PromotionKind, percent: int | None, amount: Decimal | None, minimum_spend: Decimal
) -> None:
    if (kind == "percent") != (percent is not None) or (kind == "amount") != (amount is not None):
        raise Rejected(
            "value_not_for_kind",
            "Give percent for percent, amount for amount, and neither for shipping.",
            kind=kind,
        )
    if percent is not None and not 1 <= percent <= 80:
        raise Rejected("bad_percent", "A percentage must be 1 to 80.", limit=80)
    if not 0 <= minimum_spend <= 10000:
        raise Rejected("bad_minimum_spend", "The minimum spend must be 0 to 10000.", limit=10000)
    if amount is not None and not 0 < amount * 2 <= minimum_spend:
        raise Rejected(
            "bad_promotion_amount",
            "An amount must be above 0, at most 5000, and needs a minimum spend of at least twice "
            "as much.",
            limit=minimum_spend - money(minimum_spend / 2),
        )


def _check_promotion_days(first: date, last: date, today: date) -> None:
    latest_start = today + PROMOTION_YEAR
    if not today <= first <= latest_start:
        raise Rejected(
            "bad_dates",
            f"A promotion starts today or later, at most a year ahead: until {latest_start}.",
            latest_start=latest_start,
        )
    latest_end = first + PROMOTION_YEAR
    if not first <= last <= latest_end:
        raise Rejected(
            "bad_dates",
            f"A promotion ends within a year of its start: from {first} until {latest_end}.",
            latest_end=latest_end,
        )


def _new_code(db: Database, code: str) -> str:
    wanted = code.strip()
    if not 4 <= len(wanted) <= 20 or not (wanted.isascii() and wanted.isalnum()):
        raise Rejected("bad_promotion_code", "A code must be 4 to 20 letters and digits.")
    wanted = wanted.upper()
    if db.promotions.where(code=wanted):
        raise Rejected("code_taken", f"The code {wanted} is taken. Choose another.")
    return wanted


def create_promotion(
    db: Database,
    code: str,
    title: str,
    kind: PromotionKind,
    starts_on: date,
    ends_on: date,
    percent: int | None = None,
    amount: Money | None = None,
    minimum_spend: Money | None = None,
    category: Category | None = None,
    max_uses: int | None = None,
    once_per_customer: bool = False,
) -> Promotion:
    """Set up a promotion code.

    Args:
        code: The code, 4 to 20 letters and digits; kept in capitals.
        title: What it offers, in a line.
        kind: What it takes off.
        starts_on: First day, today or later, at most a year ahead.
        ends_on: Last day, at most a year after the first.
        percent: Percent off the lines, 1 to 80; only for kind percent.
        amount: Amount off the lines, at most half the minimum spend; only for kind amount.
        minimum_spend: What the lines it covers must be worth, at most 10000; left out, nothing.
        category: The only department it covers; left out, all.
        max_uses: How many orders may use it; left out, any number.
        once_per_customer: Whether a customer may use it on one order only; left out, no.

    Raises:
        Rejected: The code or title is badly formed, or the code is taken.
        Rejected: Percent, amount or minimum spend do not fit the kind.
        Rejected: The dates are past, in the wrong order, or more than a year ahead or apart.
        Rejected: The number of uses is below 1.
    """
    wanted = _new_code(db, code)
    minimum = Decimal(0) if minimum_spend is None else minimum_spend
    _check_promotion_value(kind, percent, amount, minimum)
    _check_promotion_days(starts_on, ends_on, db.today())
    if max_uses is not None and max_uses < 1:
        raise Rejected("bad_max_uses", "The number of uses must be at least 1.")
    return db.promotions.add(
        code=wanted,
        title=_line_of(title, "title", 120),
        kind=kind,
        percent=percent,
        amount=amount,
        minimum_spend=minimum,
        category=category,
        starts_on=starts_on,
        ends_on=ends_on,
        max_uses=max_uses,
        uses=0,
        once_per_customer=once_per_customer,
    )
