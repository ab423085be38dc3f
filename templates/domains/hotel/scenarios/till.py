"""Bills and slips that colleagues at the till have before them."""

SLIPS: tuple[tuple[ExtraKind, str, Decimal], ...] = (
    ("parking", "Garage, one day", Decimal("18.00")),
    ("restaurant", "Terrace lunch", Decimal("27.00")),
    ("restaurant", "Bar: two glasses of wine", Decimal("17.00")),
    ("laundry", "Laundry: two shirts", Decimal("9.60")),
    ("minibar", "Minibar: salted almonds", Decimal("5.00")),
    ("damage", "Broken glass", Decimal("12.00")),
)
ALIKE_LINES: dict[str, str] = {
    "parking": "Garage, one week",
    "restaurant": "Breakfast in the courtyard",
    "laundry": "Laundry: one evening dress",
    "minibar": "Minibar: tonic water",
    "damage": "Broken vase",
}
WHYS = ("It was another guest's.", "It was meant for another room.", "They never had it.")
WHYS_OF_NIGHT = ("They were out of town that night.", "They slept at a friend's that night.")


def _folio_of(db: Database, stay: Stay) -> Folio:
    """Return the account of a stay."""
    return only(db.folios.where(reservation_id=stay.reservation_id))


def _slip_posted(db: Database, draw: Draw, folio: Folio) -> Charge:
    """Post an extra that is not on a folio yet."""
    lines = [charge.description for charge in db.charges.where(folio_id=folio.folio_id)]
    kind, line, price = draw.one([slip for slip in SLIPS if slip[1] not in lines])
    return draw.call(
        "post_charge",
        folio_id=folio.folio_id,
        kind=kind,
        description=line,
        unit_price=price,
    )


def _pay_all(db: Database, draw: Draw, folio: Folio) -> None:
    """Have a guest pay what is due on a folio by card, and now and then a little of it in cash."""
    due, cash = db.folios.get(folio.folio_id).due, Decimal(draw.one([0, 0, 2, 4]))
    if due > cash:
        draw.call(
            "take_payment",
            folio_id=folio.folio_id,
            method="card",
            amount=due - cash,
            card_last4=str(draw.integer(1000, 9999)),
        )
    if due > cash > 0:
        draw.call("take_payment", folio_id=folio.folio_id, method="cash", amount=cash)


def check_out_room(db: Database, draw: Draw) -> Facts:
    """A guest leaves and expects a certain bill; it may be another, even, or paid too much."""
    stay = _in_a_room(db, draw)
    booking = db.reservations.get(stay.reservation_id)
    services = db.service_bookings.where(reservation_id=stay.reservation_id, status="booked")
    draw.need(len(services) == 0)
    plan = db.rate_plans.get(booking.rate_plan_id)
    gives_back = booking.departure > db.today() and plan.free_cancel_days is not None
    draw.need(not gives_back or draw.chance(0.15))
    folio = _folio_of(db, stay)
    stage = draw.one(["due", "due", "due", "even", "over", "other", "other", "service"])
    wrong = _slip_posted(db, draw, folio)
    if stage in ("even", "over"):
        _pay_all(db, draw, folio)
    if stage == "over":
        draw.call("void_charge", charge_id=wrong.charge_id, reason="Not theirs.")
        payments = db.payments.where(folio_id=folio.folio_id)
        draw.need(any(one.amount >= wrong.amount for one in payments))
    if stage in ("due", "even") and booking.departure > db.today():
        service = _with_service(db, draw, booking, booking.departure, 1)
        draw.call("cancel_service", booking_id=service.booking_id)
        draw.turn(service, status="booked")
    if stage == "service":
        _with_service(db, draw, booking, draw.one([db.today(), booking.departure]), 1)
    folio = db.folios.get(folio.folio_id)
    expected = max(Decimal(0), folio.due)
    if stage == "other":
        expected = folio.due - wrong.amount
        draw.need(expected > 0)
    room = db.rooms.get(stay.room_id)
    return facts(
        _house_facts(db, stay.hotel_id),
        room=told(room.number, room, "number"),
        expected=expected,
        card=str(draw.integer(1000, 9999)),
    )


def solve_check_out_room(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room")
    stay = agent.find_stay_in_room(house.hotel_id, given.room)
    if _can_be_shorter(agent, stay):
        return outcome("booked_longer", day=stay.departure)
    folio = agent.get_folio(stay.reservation_id)
    lines = [one for one in agent.list_charges(folio.folio_id) if not one.voided]
    extras = sum((one.amount for one in lines if one.night is None), Decimal(0))
    for service in agent.list_service_bookings(stay.reservation_id, status="booked"):
        return outcome("service_open", service=service.service, extras=extras)
    if folio.due < 0:
        agent.check_out(stay.stay_id)
        return outcome("out_and_back", back=-folio.due, extras=extras)
    if folio.due == 0:
        agent.check_out(stay.stay_id)
        return outcome("out_even", paid=folio.paid, extras=extras)
    agent.ask("expected")
    if folio.due != given.expected:
        last = lines[-1]
        return outcome("other_sum", due=folio.due, line=last.description, extras=extras)
    agent.ask("card")
    agent.take_payment(folio.folio_id, "card", folio.due, given.card)
    agent.check_out(stay.stay_id)
    return outcome("out_paid", extras=extras, total=folio.charged)


def _can_be_shorter(agent: Agent, stay: StayLine) -> bool:
    """Say whether nights not slept would be given back to a guest who leaves today."""
    today = agent.get_time().today
    if stay.departure <= today:
        return False
    booking = agent.get_reservation(stay.reservation_id)
    plan = agent.get_rate_plan(booking.rate_plan_id)
    earliest = max(today, stay.arrival + timedelta(days=plan.min_nights))
    return plan.free_cancel_days is not None and earliest < stay.departure


def _give_back_latest(agent: Agent, folio: Folio, amount: Money, reason: RefundCause) -> None:
    """Give an amount back on the latest payment that has as much left."""
    left = [
        one for one in agent.list_payments(folio.folio_id) if one.amount - one.refunded >= amount
    ]
    agent.refund_payment(only(left[-1:]).payment_id, amount, reason)


def wrong_line(db: Database, draw: Draw) -> Facts:
    """A line on the bill of a guest in the house is wrong and is to come off."""
    stay = _in_a_room(db, draw)
    folio = _folio_of(db, stay)
    stage = draw.one(["due", "due", "due", "paid", "paid", "paid", "off", "night", "elsewhere"])
    wrong = _slip_posted(db, draw, folio)
    draw.turn(wrong, description=ALIKE_LINES[wrong.kind])
    if stage == "paid":
        _pay_all(db, draw, folio)
        _slip_posted(db, draw, folio)
    if stage == "off":
        draw.call("void_charge", charge_id=wrong.charge_id, reason="Posted by mistake.")
    line = ALIKE_LINES[wrong.kind] if stage == "elsewhere" else wrong.description
    if stage == "night":
        nights = db.charges.where(folio_id=folio.folio_id, kind="room_night")
        past = [one for one in nights if one.night is not None and one.night < db.today()]
        line = draw.one(past).description
    room = db.rooms.get(stay.room_id)
    return facts(
        _house_facts(db, stay.hotel_id),
        room=told(room.number, room, "number"),
        line=line,
        why=draw.one(WHYS_OF_NIGHT if stage == "night" else WHYS),
    )


def solve_wrong_line(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "line")
    stay = agent.find_stay_in_room(house.hotel_id, given.room)
    folio = agent.get_folio(stay.reservation_id)
    charges = agent.list_charges(folio.folio_id)
    charge = maybe(one for one in charges if one.description == given.line)
    if charge is None:
        return outcome("not_on_bill", guest=stay.guest, due=folio.due)
    if charge.voided:
        return outcome("off_before", amount=charge.amount, due=folio.due)
    if charge.night is not None:
        return outcome("is_a_night", amount=charge.amount, due=folio.due)
    agent.ask("why")
    agent.void_charge(charge.charge_id, given.why)
    due = folio.due - charge.amount
    if due >= 0:
        return outcome("line_off", amount=charge.amount, due=due)
    _give_back_latest(agent, folio, -due, "billing_error")
    return outcome("line_off_and_back", amount=charge.amount, back=-due)


def bill_of_departed(db: Database, draw: Draw) -> Facts:
    """A guest who has left paid for something that was not theirs; the folio is closed."""
    folio = draw.row("folios", status="closed")
    booking = db.reservations.get(folio.reservation_id)
    draw.need(booking.status == "checked_out")
    lines = db.charges.where(folio_id=folio.folio_id, voided=False)
    days = (db.now() - folio.closed_at).days
    kinds = ("room_night",) if draw.chance(0.15) else ("restaurant", "laundry", "parking", "damage")
    charge = draw.one(line for line in lines if line.kind in kinds)
    draw.need(len([line for line in lines if line.description == charge.description]) == 1)
    draw.need(days < 30 or draw.chance(0.25))
    stay = only(db.stays.where(reservation_id=booking.reservation_id))
    if days >= 30 and draw.chance(0.25):
        db.stays.update(stay.stay_id, checked_out_at=db.now() - timedelta(days=30))
    elif days >= 30:
        draw.turn(stay, checked_out_at=db.now() - timedelta(days=draw.integer(5, 20)))
    elif draw.chance(0.3):
        _post_and_void_again(draw, folio, charge)
    line = charge.description
    if charge.night is None:
        draw.turn(charge, description=ALIKE_LINES[charge.kind])
        line = ALIKE_LINES[charge.kind] if draw.chance(0.12) else line
    guest = db.guests.get(booking.guest_id)
    return facts(
        _house_facts(db, _house_named(db, draw, booking.hotel_id)),
        number=booking.reservation_id,
        last_name=guest.last_name,
        line=line,
        why=draw.one(WHYS_OF_NIGHT if charge.kind == "room_night" else WHYS),
    )


def _post_and_void_again(draw: Draw, folio: Folio, charge: Charge) -> None:
    """Have a line of a closed folio posted once more by mistake, and taken back again."""
    draw.need(charge.night is None)
    draw.call("reopen_folio", folio_id=folio.folio_id)
    again = draw.call(
        "post_charge",
        folio_id=folio.folio_id,
        kind=charge.kind,
        description=charge.description,
        unit_price=charge.amount,
    )
    draw.call("void_charge", charge_id=again.charge_id, reason="Charged twice by the house.")
    draw.call("close_folio", folio_id=folio.folio_id)


def solve_bill_of_departed(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("number", "last_name", "line")
    booking = agent.get_reservation(given.number)
    guest = agent.get_guest(booking.guest_id)
    only(one for one in [guest] if one.last_name == given.last_name)
    if booking.hotel_id != house.hotel_id:
        return outcome("stayed_elsewhere", house=agent.get_hotel(booking.hotel_id).name)
    folio = agent.get_folio(given.number)
    charges = [one for one in agent.list_charges(folio.folio_id) if not one.voided]
    charge = maybe(one for one in charges if one.description == given.line)
    if charge is None:
        return outcome("not_on_that_bill", total=folio.charged)
    if charge.night is not None:
        return outcome("was_a_night", amount=charge.amount, guest=guest.first_name)
    left_at = agent.get_stay(given.number).checked_out_at
    if agent.get_time().now - left_at > timedelta(days=30):
        return outcome("closed_too_long", day=left_at.date(), amount=charge.amount)
    agent.ask("why")
    agent.reopen_folio(folio.folio_id)
    agent.void_charge(charge.charge_id, given.why)
    _give_back_latest(agent, folio, charge.amount, "billing_error")
    agent.close_folio(folio.folio_id)
    return outcome("given_back", amount=charge.amount, total=folio.charged - charge.amount)


def post_slip(db: Database, draw: Draw) -> Facts:
    """A signed slip goes on a room's bill; the name on it may be that of somebody elsewhere."""
    stay = _in_a_room(db, draw)
    guest = db.guests.get(db.reservations.get(stay.reservation_id).guest_id)
    stage = draw.one(["right", "right", "right", "elsewhere", "elsewhere", "gone"])
    room = db.rooms.get(stay.room_id)
    if stage == "elsewhere":
        others = db.stays.where(hotel_id=stay.hotel_id, status="in_house")
        room = db.rooms.get(draw.one(one for one in others if one != stay).room_id)
    if stage == "gone":
        here, guest = guest, draw.row("guests", banned=False)
        draw.turn(here, last_name=guest.last_name)
    if stage != "gone":
        draw.turn(guest, last_name=draw.one(("Aldersey", "Quintero", "Brandvold")))
    kind, line, price = draw.one(SLIPS)
    takes = draw.chance(0.65)
    return facts(
        _house_facts(db, stay.hotel_id),
        room=told(room.number, room, "number"),
        last_name=guest.last_name,
        line=line,
        kind=kind,
        price=price,
        quantity=draw.integer(1, 3),
        agrees=takes,
        accepts=takes,
    )


def solve_post_slip(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "last_name")
    lines = agent.list_in_house(house.hotel_id)
    here = only(one for one in lines if one.room == given.room)
    named = maybe(one for one in lines if fits(given.last_name, one.guest))
    if named is None:
        return outcome("nobody_of_that_name", guest=here.guest)
    if named != here:
        if not agent.offer("other_room", room=named.room):
            return outcome("not_posted", room=named.room, guest=here.guest)
        due = _post(agent, given, named)
        return outcome("posted_there", room=named.room, due=due, guest=here.guest)
    due = _post(agent, given, here)
    return outcome("posted", guest=here.guest, due=due)


def _post(agent: Agent, given: Given, stay: StayLine) -> Money:
    """Post a slip on the folio of a stay; return what is due on it then."""
    agent.ask("kind", "line", "price", "quantity")
    folio = agent.get_folio(stay.reservation_id)
    agent.post_charge(folio.folio_id, given.kind, given.line, given.price, given.quantity)
    return folio.due + given.quantity * given.price


def nameless_transfer(db: Database, draw: Draw) -> Facts:
    """Money came in without a name; it may be the deposit of one of a day's arrivals, or all."""
    hotel = draw.one(db.hotels.all())
    day = db.today() + timedelta(days=draw.integer(2, 20))
    plans = db.rate_plans.where(hotel_id=hotel.hotel_id, on_sale=True)
    made = [
        draw.call(
            "create_reservation",
            guest_id=_welcome(db, draw).guest_id,
            room_type_id=draw.one(db.room_types.where(hotel_id=hotel.hotel_id)).room_type_id,
            rate_plan_id=draw.one(one for one in plans if one.deposit_percent > 0).rate_plan_id,
            arrival=day,
            departure=day + timedelta(days=draw.integer(3, 6)),
            adults=1,
            channel="phone",
        )
        for _ in range(draw.integer(2, 3))
    ]
    stage = draw.one(["deposit", "deposit", "all", "none"])
    booking, other = draw.some(made, 2)
    amount = booking.total if stage == "all" else booking.deposit_due
    if stage == "none":
        amount = amount + draw.integer(3, 20)
        draw.turn(booking, deposit_due=amount)
    elif amount < other.total:
        draw.turn(other, deposit_due=amount)
    if stage == "deposit" and amount < other.total and draw.chance(0.15):
        draw.turn(other, deposit_due=other.deposit_due)
        db.reservations.update(other.reservation_id, deposit_due=amount)
    draw.turn(booking, deposit_due=money(booking.total / 2))
    return facts(_house_facts(db, hotel.hotel_id), day=day, amount=amount)


def solve_nameless_transfer(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("day", "amount")
    coming = [
        (line, agent.get_reservation(line.reservation_id), agent.get_folio(line.reservation_id))
        for line in agent.list_arrivals(house.hotel_id, given.day)
    ]
    owing = [one for one in coming if one[2].paid < one[1].deposit_due]
    fits_deposit = [one for one in owing if one[1].deposit_due - one[2].paid == given.amount]
    fits_all = [one for one in coming if one[1].total - one[2].paid == given.amount]
    if len(fits_deposit) == 0 and len(fits_all) == 0:
        return outcome("fits_nobody", count=len(owing))
    fitting = [*fits_deposit, *[one for one in fits_all if one not in fits_deposit]]
    if len(fitting) > 1:
        return outcome("fits_several", guest=fitting[0][0].guest, other=fitting[1][0].guest)
    line, booking, folio = only(fitting)
    agent.take_payment(folio.folio_id, "bank_transfer", given.amount)
    left = booking.total - folio.paid - given.amount
    if left == 0:
        return outcome("all_paid", guest=line.guest, leaves=line.departure)
    return outcome("deposit_paid", guest=line.guest, left=left)
