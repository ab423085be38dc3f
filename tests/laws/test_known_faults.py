"""Faults that people found by hand in bundled domains are found by machine once they are back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolworld.graph.guard import Watch
from toolworld.laws.law import laws_of
from toolworld.laws.search import EpisodeSearch
from toolworld.packages import load_package

MOST_CALLS = 8
MOST_TRIED = 150_000
"""Many times what finds most faults: another change of a domain moves where one is found."""
SEEDS = {
    "a_fee_is_not_waived": "8",
    "goodwill_is_200_a_month_at_most": "1",
    "late_checkout_is_of_the_last_day": "1",
    "nobody_has_a_service_twice_at_a_time": "2",
    "what_calling_off_costs_stays_paid": "3",
    "what_is_had_ahead_is_paid_by_its_guest": "4",
    "rates_are_quoted_only_where_they_can_be_had": "1",
    "what_was_called_off_and_paid_has_no_open_folio": "1",
    "what_went_back_goes_along": "3",
}
"""The seeds that find what breaks a law sooner than the first one."""
RETAIL, HOTEL = "retail/src/toolworld_retail/tools", "hotel/src/toolworld_hotel/tools"


@pytest.mark.parametrize(
    ("file", "mended", "fault", "law", "tool"),
    [
        pytest.param(
            f"{HOTEL}/corrections.py",
            "    _check_fee_is_too_much(db, charge)\n",
            "",
            "a_fee_is_not_waived",
            "void_charge",
            id="the fee of a no-show is waived by taking its line back",
        ),
        pytest.param(
            f"{HOTEL}/fees.py",
            "return max(reservation.deposit_due, money(_cancel_fee(db, reservation) + services))",
            "return reservation.deposit_due",
            "what_calling_off_costs_stays_paid",
            "refund_payment",
            id="what cancelling costs by now is paid back before it is charged",
        ),
        pytest.param(
            f"{HOTEL}/lengths.py",
            "    db.stays.update(stay.stay_id, late_checkout_hours=0)\n",
            "",
            "late_checkout_is_of_the_last_day",
            "shorten_stay",
            id="a shorter stay keeps the late check-out of another day",
        ),
        pytest.param(
            f"{HOTEL}/changes.py",
            "    if free_until is not None and db.today() <= free_until:\n        return\n    if (",
            "    if free_until is None or db.today() <= free_until:\n        return\n    if (",
            "terms_first_agreed_hold",
            "change_rate_plan",
            id="a booking that is never free is made free by changing its plan",
        ),
        pytest.param(
            f"{HOTEL}/changes.py",
            "    return max(_deposit(plan, total), held)\n",
            "    return _deposit(plan, total)\n",
            "a_deposit_paid_stays_a_deposit",
            "change_rate_plan",
            id="a deposit is given back after a change of the rate, which is changed back",
        ),
        pytest.param(
            f"{HOTEL}/cancellations.py",
            "        _call_service_off(db, booking)\n",
            '        db.service_bookings.update(booking.booking_id, status="cancelled")\n',
            "services_called_off_late_cost_half",
            "cancel_reservation",
            id="a service called off with its booking costs nothing",
        ),
        pytest.param(
            f"{HOTEL}/service_bookings.py",
            "earliest == reservation.departure or earliest > db.today()",
            "reservation.departure == db.today()",
            "who_may_leave_today_has_what_is_to_come_settled",
            "complete_service",
            id="who gets nothing back for leaving earlier is kept by a service of today",
        ),
        pytest.param(
            f"{HOTEL}/availability.py",
            "arrival, departure, reservation_id)",
            "arrival, departure, None)",
            "quotes_count_the_rooms_that_are_left",
            "change_reservation_dates",
            id="a quote of a change counts the room of the booking that is changed as taken",
        ),
        pytest.param(
            f"{HOTEL}/service_bookings.py",
            'and booking.status != "cancelled"\n    ]',
            'and booking.status == "booked"\n    ]',
            "nobody_has_a_service_twice_at_a_time",
            "book_service",
            id="a service completed ahead is booked again for the same time",
        ),
        pytest.param(
            f"{HOTEL}/corrections.py",
            "        if charge.booking_id is not None and charge in _charged_ahead(db, stay):\n"
            '            db.service_bookings.update(charge.booking_id, status="booked")\n',
            "",
            "what_is_had_ahead_is_paid_by_its_guest",
            "void_charge",
            id="a service that is to come is had for nothing once its charge is taken back",
        ),
        pytest.param(
            f"{HOTEL}/vouchers.py",
            "    return MOST_GOODWILL - sum(given, Decimal(0))\n",
            "    return MOST_GOODWILL\n",
            "goodwill_is_200_a_month_at_most",
            "issue_voucher",
            id="what is too much goodwill at once is given in pieces",
        ),
        pytest.param(
            f"{HOTEL}/lengths.py",
            "    if room.room_type_id != booked.room_type_id:\n"
            "        raise Rejected(\n"
            '            "better_by_longer_stay",\n'
            '            f"Room {room.number} is not of the type booked; {way}",\n',
            '    if room.number == "":\n'
            "        raise Rejected(\n"
            '            "better_by_longer_stay",\n'
            '            f"Room {room.number} is not of the type booked; {way}",\n',
            "who_stays_longer_has_a_room_of_the_type_booked",
            "extend_stay",
            id="who was given a better room for nothing stays on in it for nothing",
        ),
        pytest.param(
            f"{HOTEL}/payments.py",
            "    if _is_missed(db, reservation):\n"
            "        owed = owed + _cost_of_not_coming(db, reservation)\n"
            "    elif",
            "    if",
            "who_did_not_come_pays_the_fee_at_most",
            "take_payment",
            id="the whole price is taken for a stay that can never begin",
        ),
        pytest.param(
            f"{HOTEL}/corrections.py",
            'return booking.status == "cancelled" or not came or left_before\n',
            'return booking.status == "cancelled" or left_before\n',
            "a_fee_is_not_waived",
            "void_charge",
            id="what a no-show had booked is waived by taking its line back",
        ),
        pytest.param(
            f"{HOTEL}/housekeeping.py",
            '("deep_clean", "stayover_clean" if is_occupied else "departure_clean")',
            '("deep_clean", "departure_clean") or is_occupied and task.kind == "stayover_clean"',
            "a_dirty_room_keeps_its_cleaning",
            "cancel_housekeeping_task",
            id="a departure cleaning planned with the guest in the room stands in for another",
        ),
        pytest.param(
            f"{HOTEL}/departures.py",
            "    if earliest <= db.today():\n",
            "    if earliest < reservation.departure:\n",
            "who_leaves_within_the_shortest_stay_may_go",
            "check_out",
            id="who leaves within the shortest stay has to make it shorter by hand",
        ),
        pytest.param(
            f"{HOTEL}/maintenance.py",
            'known if seen in known else f"{known} {seen}"',
            "known",
            "what_is_reported_is_noted",
            "report_fault",
            id="what is reported of a known fault is thrown away",
        ),
        pytest.param(
            f"{HOTEL}/availability.py",
            "if changed is None or changed.rate_plan_id != rate_plan_id:",
            "if changed is None:",
            "rates_are_quoted_only_where_they_can_be_had",
            "quote_stay",
            id="any rate off sale is quoted once a booking is named",
        ),
        pytest.param(
            f"{HOTEL}/arrivals.py",
            "    if room_id == reservation.room_id:\n",
            '    if room_id == "":\n',
            "what_is_so_already_is_not_done_again",
            "assign_room",
            id="a room is set aside for who has it already",
        ),
        pytest.param(
            f"{HOTEL}/requests.py",
            '        _check_holds_a_bed(room_type, "take none down")\n',
            "        pass\n",
            "extra_beds_are_for_rooms_that_hold_one",
            "create_request",
            id="an extra bed is taken down for a room for two",
        ),
        pytest.param(
            f"{HOTEL}/requests.py",
            "    if request.wanted_on > db.today():\n",
            '    if request.details == "":\n',
            "requests_are_met_on_their_day",
            "complete_request",
            id="a request is recorded as met months before its day",
        ),
        pytest.param(
            f"{HOTEL}/departures.py",
            "    _call_off_between_nights(db, room)\n",
            "",
            "nothing_is_done_between_nights_of_who_left",
            "check_out",
            id="a turndown waits for a guest who is gone",
        ),
        pytest.param(
            f"{HOTEL}/payments.py",
            "if paid.due == 0 and",
            "if paid.due < 0 and",
            "what_was_called_off_and_paid_has_no_open_folio",
            "take_payment",
            id="the folio of what was called off stays open for good",
        ),
        pytest.param(
            f"{HOTEL}/service_bookings.py",
            "        if others and together > reservation.adults + reservation.children:\n",
            "        if others:\n",
            "others_of_a_party_can_join",
            "book_service",
            id="another of the party cannot join a service that was booked",
        ),
        pytest.param(
            f"{RETAIL}/cancellations.py",
            "            _add_stock(db, line.variant_id, line.quantity)\n    return _end_order",
            "            _line(order, line.line_number)\n    return _end_order",
            "cancelled_units_go_back_to_stock",
            "cancel_order",
            id="what is cancelled is lost to the shop",
        ),
        pytest.param(
            f"{RETAIL}/exchanges.py",
            "    _active_customer(db, order.customer_id)\n"
            "    _last_return_day(db, order, line_number, quantity, None)\n"
            "    _check_not_kept(db, order_id, line_number)\n",
            "    _active_customer(db, order.customer_id)\n"
            "    _last_return_day(db, order, line_number, quantity, None)\n",
            "what_was_kept_for_money_is_not_exchanged",
            "request_exchange",
            id="who was paid to keep a damaged thing gets a sound one for it",
        ),
        pytest.param(
            f"{RETAIL}/catalogue.py",
            "    most = before - money(before / 2)\n",
            "    most = before - max(money(before / 2), money(variant.price / 2))\n",
            "prices_are_refused_beyond_half",
            "set_variant_price",
            id="a price that is refused at once is reached in two steps",
        ),
        pytest.param(
            f"{RETAIL}/exchanges.py",
            "max(line.unit_price + new.price - old.price, Decimal(0))",
            "line.unit_price if new.price == old.price else new.price",
            "exchanges_count_the_prices_of_the_day",
            "request_exchange",
            id="a price that fell is paid back through an exchange",
        ),
        pytest.param(
            f"{RETAIL}/exchanges.py",
            "    _move_along(db, order, line, new_line.line_number, share - taken_off)\n",
            "    _take_off(db, _for_line(db, order.order_id, line.line_number), share)\n",
            "what_went_back_goes_along",
            "complete_exchange",
            id="what went back for a thing is forgotten once it is exchanged",
        ),
        pytest.param(
            f"{RETAIL}/refunds.py",
            '        return refund_to == "original_payment"\n',
            '        return refund_to == "original_payment"\n'
            '    if refund_to == "gift_card":\n        return False\n',
            "gift_cards_get_back_what_they_paid",
            "cancel_order",
            id="an order puts off the end of a gift card",
        ),
        pytest.param(
            f"{RETAIL}/adjustments.py",
            "    if last < db.today():\n",
            "    if last == arrived:\n",
            "damage_is_paid_while_the_thing_may_come_back",
            "refund_order",
            id="damage of last year brings half",
        ),
        pytest.param(
            f"{RETAIL}/customers.py",
            "    _check_no_account(db, first, last, number)\n",
            "",
            "who_has_an_account_gets_no_other",
            "create_customer",
            id="who has used a code gets a second account to use it again",
        ),
    ],
)
def test_a_fault_that_is_back_is_found(
    file: str,
    mended: str,
    fault: str,
    law: str,
    tool: str,
    repository: Path,
    tmp_path: Path,
) -> None:
    name = file.partition("/")[0]
    shutil.copytree(repository / "generated_servers" / name, tmp_path / name)
    text = (tmp_path / file).read_text("utf-8")
    assert mended in text
    (tmp_path / file).write_text(text.replace(mended, fault), "utf-8")
    package = load_package(tmp_path / name)
    wanted = [one for one in laws_of(package) if one.name == law]
    search = EpisodeSearch(package, wanted, SEEDS.get(law, "0"), Watch(), focus={tool})
    (found,) = search.run(MOST_TRIED, only_one=True).breaches
    assert found.law == law and len(found.calls) <= MOST_CALLS
