"""The rules that every row of Hotel group keeps after every call."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from .models import (
    Charge,
    Complaint,
    Database,
    Folio,
    Guest,
    GuestRequest,
    Hotel,
    HousekeepingTask,
    MaintenanceTicket,
    Payment,
    PointsEntry,
    RatePlan,
    Refund,
    Reservation,
    Room,
    RoomType,
    Service,
    ServiceBooking,
    Stay,
    Voucher,
)
from .schema import Invariant


def hotels_hotel_stars(db: Database, hotel: Hotel) -> bool:
    """A hotel has one to five stars."""
    return bool(1 <= hotel.stars <= 5)


def hotels_city_tax_is_taken(db: Database, hotel: Hotel) -> bool:
    """A city tax is never below zero."""
    return bool(hotel.city_tax >= 0)


def room_types_room_type_sellable(db: Database, room_type: RoomType) -> bool:
    """A room type sleeps somebody and has a price."""
    return bool(room_type.capacity >= 1 and room_type.base_rate > 0)


def room_types_room_type_sleeps_what_its_beds_hold(db: Database, room_type: RoomType) -> bool:
    """A single sleeps one, other beds two; only a king room, with beds added, sleeps more."""
    return bool(
        room_type.capacity
        <= (1 if room_type.beds == "single" else 6 if room_type.beds == "king" else 2)
    )


def room_types_room_type_name_means_the_same(db: Database, room_type: RoomType) -> bool:
    """A name occurs once in a hotel and stands for the same beds and capacity in all."""
    return bool(
        len(db.room_types.where(hotel_id=room_type.hotel_id, name=room_type.name)) == 1
        and all(
            other.beds == room_type.beds and other.capacity == room_type.capacity
            for other in db.room_types.where(name=room_type.name)
        )
    )


def rooms_room_type_in_same_hotel(db: Database, room: Room) -> bool:
    """A room's type is one of its hotel."""
    return bool(db.room_types.get(room.room_type_id).hotel_id == room.hotel_id)


def rooms_room_number_once(db: Database, room: Room) -> bool:
    """A room number occurs once in a hotel."""
    return bool(len(db.rooms.where(hotel_id=room.hotel_id, number=room.number)) == 1)


def rooms_room_blocked_by_ticket(db: Database, room: Room) -> bool:
    """A room is out of order just as long as an unfinished ticket blocks it."""
    return bool(
        (room.condition == "out_of_order")
        == any(
            ticket.blocks_room and ticket.status in ("open", "in_progress")
            for ticket in db.maintenance_tickets.where(room_id=room.room_id)
        )
    )


def rooms_blocked_room_can_be_spared(db: Database, room: Room) -> bool:
    """No more rooms of a type are booked for a night to come than can be used."""
    return bool(
        room.condition != "out_of_order"
        or all(
            len(
                [
                    other.reservation_id
                    for other in booked
                    if other.arrival <= rate.night < other.departure
                ]
            )
            <= usable
            for usable in [
                len(
                    [
                        other.room_id
                        for other in db.rooms.where(room_type_id=room.room_type_id)
                        if other.condition != "out_of_order"
                    ]
                )
            ]
            for booked in [
                [
                    other
                    for other in db.reservations.where(room_type_id=room.room_type_id)
                    if other.departure > db.today()
                    and (
                        other.status == "checked_in"
                        or (other.status == "confirmed" and other.arrival >= db.today())
                    )
                ]
            ]
            for reservation in booked
            for rate in reservation.nights
            if rate.night >= db.today()
        )
    )


def rooms_nobody_in_a_blocked_room(db: Database, room: Room) -> bool:
    """Nobody stays in a room that is out of order."""
    return bool(
        room.condition != "out_of_order"
        or len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
    )


def rate_plans_rate_plan_shares(db: Database, rate_plan: RatePlan) -> bool:
    """The shares of a rate plan are percentages, and meals cost something or nothing."""
    return bool(
        1 <= rate_plan.base_percent <= 200
        and 0 <= rate_plan.deposit_percent <= 100
        and 0 <= rate_plan.late_cancel_percent <= 100
        and rate_plan.min_nights >= 1
        and rate_plan.board_price >= 0
    )


def guests_points_add_up(db: Database, guest: Guest) -> bool:
    """A guest's points are the sum of the entries, and never below zero."""
    return bool(
        guest.points >= 0
        and guest.points
        == sum(entry.change for entry in db.points_entries.where(guest_id=guest.guest_id))
    )


def guests_tier_follows_nights(db: Database, guest: Guest) -> bool:
    """The tier is the one the nights stayed give."""
    return bool(
        guest.tier
        == (
            "platinum"
            if guest.nights_stayed >= 50
            else "gold"
            if guest.nights_stayed >= 25
            else "silver"
            if guest.nights_stayed >= 10
            else "classic"
        )
    )


def points_entries_entry_changes_points(db: Database, points_entry: PointsEntry) -> bool:
    """An entry changes the balance, and the balance is the sum of the entries."""
    return bool(
        points_entry.change != 0
        and db.guests.get(points_entry.guest_id).points
        == sum(entry.change for entry in db.points_entries.where(guest_id=points_entry.guest_id))
    )


def reservations_nights_fill_the_stay(db: Database, reservation: Reservation) -> bool:
    """There is one price for each night from arrival to departure."""
    return bool(
        reservation.arrival < reservation.departure
        and [rate.night for rate in reservation.nights]
        == [
            reservation.arrival + timedelta(days=day)
            for day in range((reservation.departure - reservation.arrival).days)
        ]
    )


def reservations_total_is_sum_of_nights(db: Database, reservation: Reservation) -> bool:
    """The total is the sum of the nights."""
    return bool(reservation.total == sum((rate.amount for rate in reservation.nights), Decimal(0)))


def reservations_parts_of_one_hotel(db: Database, reservation: Reservation) -> bool:
    """Room type, rate plan and room belong to the reservation's hotel and type."""
    return bool(
        db.room_types.get(reservation.room_type_id).hotel_id == reservation.hotel_id
        and db.rate_plans.get(reservation.rate_plan_id).hotel_id == reservation.hotel_id
        and (
            reservation.room_id is None
            or db.rooms.get(reservation.room_id).room_type_id == reservation.room_type_id
        )
    )


def reservations_party_fits(db: Database, reservation: Reservation) -> bool:
    """The party has an adult and fits the room type."""
    return bool(
        reservation.adults >= 1
        and reservation.children >= 0
        and reservation.adults + reservation.children
        <= db.room_types.get(reservation.room_type_id).capacity
        and len(reservation.companions) < reservation.adults + reservation.children
    )


def reservations_cancelled_says_when_and_why(db: Database, reservation: Reservation) -> bool:
    """A cancelled reservation, and only that, says when and why."""
    return bool(
        (reservation.status == "cancelled") == (reservation.cancelled_at is not None)
        and (reservation.status == "cancelled") == (reservation.cancel_reason is not None)
    )


def reservations_no_room_booked_twice(db: Database, reservation: Reservation) -> bool:
    """A room is set aside for one reservation at a time."""
    return bool(
        reservation.room_id is None
        or reservation.status not in ("confirmed", "checked_in")
        or (reservation.status == "confirmed" and reservation.arrival < db.today())
        or not any(
            other.reservation_id != reservation.reservation_id
            and (
                other.status == "checked_in"
                or (other.status == "confirmed" and other.arrival >= db.today())
            )
            and other.arrival < reservation.departure
            and reservation.arrival < other.departure
            for other in db.reservations.where(room_id=reservation.room_id)
        )
    )


def reservations_no_room_promised_that_is_kept_late(db: Database, reservation: Reservation) -> bool:
    """A room kept past noon is set aside for nobody who arrives that day."""
    return bool(
        reservation.room_id is None
        or reservation.status != "confirmed"
        or not any(
            stay.late_checkout_hours > 0
            and db.reservations.get(stay.reservation_id).departure == reservation.arrival
            for stay in db.stays.where(room_id=reservation.room_id, status="in_house")
        )
    )


def reservations_no_type_overbooked(db: Database, reservation: Reservation) -> bool:
    """No more rooms of a type are booked for a night to come than can be used."""
    return bool(
        reservation.status not in ("confirmed", "checked_in")
        or all(
            len(
                [
                    other.reservation_id
                    for other in booked
                    if other.arrival <= rate.night < other.departure
                ]
            )
            <= usable
            for today in [db.today()]
            for usable in [
                len(
                    [
                        room.room_id
                        for room in db.rooms.where(room_type_id=reservation.room_type_id)
                        if room.condition != "out_of_order"
                    ]
                )
            ]
            for booked in [
                [
                    other
                    for other in db.reservations.where(room_type_id=reservation.room_type_id)
                    if other.departure > today
                    and (
                        other.status == "checked_in"
                        or (other.status == "confirmed" and other.arrival >= today)
                    )
                ]
            ]
            for rate in reservation.nights
            if rate.night >= today
        )
    )


def reservations_stay_matches_status(db: Database, reservation: Reservation) -> bool:
    """A reservation has a stay once its guest has checked in, and only then."""
    return bool(
        len(db.stays.where(reservation_id=reservation.reservation_id))
        == (1 if reservation.status in ("checked_in", "checked_out") else 0)
    )


def reservations_open_folio_until_it_is_over(db: Database, reservation: Reservation) -> bool:
    """The folio of a reservation stays open until the guest has left or will not come."""
    return bool(
        reservation.status not in ("confirmed", "checked_in")
        or len(db.folios.where(reservation_id=reservation.reservation_id, status="open")) == 1
    )


def reservations_reservation_has_a_folio(db: Database, reservation: Reservation) -> bool:
    """Each reservation has one folio."""
    return bool(len(db.folios.where(reservation_id=reservation.reservation_id)) == 1)


def stays_departed_says_when(db: Database, stay: Stay) -> bool:
    """A departed stay, and only that, says when."""
    return bool((stay.status == "departed") == (stay.checked_out_at is not None))


def stays_one_party_in_a_room(db: Database, stay: Stay) -> bool:
    """One party lives in a room at a time."""
    return bool(
        stay.status != "in_house"
        or len(db.stays.where(room_id=stay.room_id, status="in_house")) == 1
    )


def stays_stay_follows_reservation(db: Database, stay: Stay) -> bool:
    """Stay and reservation agree on hotel, room and status."""
    return bool(
        db.reservations.get(stay.reservation_id).hotel_id == stay.hotel_id
        and db.reservations.get(stay.reservation_id).room_id == stay.room_id
        and db.reservations.get(stay.reservation_id).status
        == ("checked_in" if stay.status == "in_house" else "checked_out")
    )


def stays_late_hours_are_of_an_afternoon(db: Database, stay: Stay) -> bool:
    """A late check-out is by up to six hours."""
    return bool(0 <= stay.late_checkout_hours <= 6)


def stays_room_kept_late_is_promised_to_nobody(db: Database, stay: Stay) -> bool:
    """A room kept past noon is set aside for nobody who arrives that day."""
    return bool(
        stay.status != "in_house"
        or stay.late_checkout_hours == 0
        or len(
            db.reservations.where(
                room_id=stay.room_id,
                status="confirmed",
                arrival=db.reservations.get(stay.reservation_id).departure,
            )
        )
        == 0
    )


def stays_room_as_good_as_booked(db: Database, stay: Stay) -> bool:
    """A guest lives in a room of the category booked, or of one that costs as much or more."""
    return bool(
        db.room_types.get(stay.booked_type_id).hotel_id == stay.hotel_id
        and db.room_types.get(db.rooms.get(stay.room_id).room_type_id).base_rate
        >= db.room_types.get(stay.booked_type_id).base_rate
    )


def stays_key_cards_in_reason(db: Database, stay: Stay) -> bool:
    """A stay has one to six key cards."""
    return bool(1 <= stay.key_cards <= 6)


def folios_charges_add_up(db: Database, folio: Folio) -> bool:
    """The sum charged is that of the charges not voided."""
    return bool(
        folio.charged
        == sum(
            (
                charge.amount
                for charge in db.charges.where(folio_id=folio.folio_id)
                if not charge.voided
            ),
            Decimal(0),
        )
    )


def folios_payments_add_up(db: Database, folio: Folio) -> bool:
    """The sum paid is that of the payments less their refunds."""
    return bool(
        folio.paid
        == sum(
            (
                payment.amount - payment.refunded
                for payment in db.payments.where(folio_id=folio.folio_id)
            ),
            Decimal(0),
        )
    )


def folios_closed_folio_is_settled(db: Database, folio: Folio) -> bool:
    """A closed folio says when and has nothing due, which is charged less paid."""
    return bool(
        (folio.status == "closed") == (folio.closed_at is not None)
        and folio.due == folio.charged - folio.paid
        and (folio.status == "open" or folio.due == 0)
    )


def folios_nothing_posted_after_closing(db: Database, folio: Folio) -> bool:
    """What is charged and paid on a closed folio was so before it was closed."""
    return bool(
        folio.closed_at is None
        or all(
            charge.posted_at <= folio.closed_at
            for charge in db.charges.where(folio_id=folio.folio_id)
        )
        and all(
            payment.paid_at <= folio.closed_at
            for payment in db.payments.where(folio_id=folio.folio_id)
        )
    )


def folios_folio_closed_after_the_stay(db: Database, folio: Folio) -> bool:
    """The folio of a reservation stays open until the guest has left or will not come."""
    return bool(
        folio.status == "open"
        or db.reservations.get(folio.reservation_id).status not in ("confirmed", "checked_in")
    )


def folios_folio_in_same_hotel(db: Database, folio: Folio) -> bool:
    """A folio belongs to its reservation's hotel."""
    return bool(db.reservations.get(folio.reservation_id).hotel_id == folio.hotel_id)


def charges_charge_amount(db: Database, charge: Charge) -> bool:
    """The amount is quantity times unit price; only a discount is negative."""
    return bool(
        charge.quantity >= 1
        and charge.amount == charge.quantity * charge.unit_price
        and (charge.amount < 0) == (charge.kind == "discount")
    )


def charges_nightly_charge_says_which(db: Database, charge: Charge) -> bool:
    """A room night or city tax, and only that, says for which night."""
    return bool((charge.kind in ("room_night", "city_tax")) == (charge.night is not None))


def charges_voided_says_why(db: Database, charge: Charge) -> bool:
    """A voided charge, and only that, says why."""
    return bool(charge.voided == (charge.void_reason is not None))


def charges_folio_counts_charge(db: Database, charge: Charge) -> bool:
    """The sum charged on the folio is that of its charges."""
    return bool(
        db.folios.get(charge.folio_id).charged
        == sum(
            (line.amount for line in db.charges.where(folio_id=charge.folio_id) if not line.voided),
            Decimal(0),
        )
    )


def payments_refunds_within_payment(db: Database, payment: Payment) -> bool:
    """A payment's refunds add up and stay within it."""
    return bool(
        payment.amount > 0
        and 0 <= payment.refunded <= payment.amount
        and payment.refunded
        == sum(
            (refund.amount for refund in db.refunds.where(payment_id=payment.payment_id)),
            Decimal(0),
        )
    )


def payments_payment_names_its_means(db: Database, payment: Payment) -> bool:
    """A card payment names the card and a voucher payment the voucher."""
    return bool(
        (payment.method == "card") == (payment.card_last4 is not None)
        and (payment.method == "voucher") == (payment.voucher_id is not None)
    )


def payments_folio_counts_payment(db: Database, payment: Payment) -> bool:
    """The sum paid on the folio is that of its payments less their refunds."""
    return bool(
        db.folios.get(payment.folio_id).paid
        == sum(
            (
                other.amount - other.refunded
                for other in db.payments.where(folio_id=payment.folio_id)
            ),
            Decimal(0),
        )
    )


def refunds_refund_counts_on_payment(db: Database, refund: Refund) -> bool:
    """A refund gives something back and its payment knows."""
    return bool(
        refund.amount > 0
        and db.payments.get(refund.payment_id).refunded
        == sum(
            (other.amount for other in db.refunds.where(payment_id=refund.payment_id)), Decimal(0)
        )
    )


def vouchers_voucher_balance_adds_up(db: Database, voucher: Voucher) -> bool:
    """What is left is the value less what was spent, and never below zero."""
    return bool(
        voucher.balance >= 0
        and voucher.value > 0
        and voucher.balance
        == voucher.value
        - sum(
            (
                payment.amount - payment.refunded
                for payment in db.payments.where(voucher_id=voucher.voucher_id)
            ),
            Decimal(0),
        )
    )


def vouchers_used_voucher_is_empty(db: Database, voucher: Voucher) -> bool:
    """A voucher with nothing left is used, one with something left is not."""
    return bool(voucher.status == "void" or (voucher.status == "used") == (voucher.balance == 0))


def vouchers_voucher_dates(db: Database, voucher: Voucher) -> bool:
    """A voucher expires after it is issued."""
    return bool(voucher.issued_on < voucher.expires_on)


def housekeeping_tasks_task_in_room_of_hotel(
    db: Database, housekeeping_task: HousekeepingTask
) -> bool:
    """A housekeeping task is in a room of its hotel, done by one of its housekeepers."""
    return bool(
        db.rooms.get(housekeeping_task.room_id).hotel_id == housekeeping_task.hotel_id
        and (
            housekeeping_task.employee_id is None
            or db.employees.get(housekeeping_task.employee_id).role == "housekeeper"
            and db.employees.get(housekeeping_task.employee_id).hotel_id
            == housekeeping_task.hotel_id
        )
    )


def housekeeping_tasks_done_task_says_when(
    db: Database, housekeeping_task: HousekeepingTask
) -> bool:
    """A finished task, and only that, says when; work that runs has somebody doing it."""
    return bool(
        (housekeeping_task.status == "done") == (housekeeping_task.done_at is not None)
        and (
            housekeeping_task.status not in ("in_progress", "done")
            or housekeeping_task.employee_id is not None
        )
    )


def maintenance_tickets_ticket_in_room_of_hotel(
    db: Database, maintenance_ticket: MaintenanceTicket
) -> bool:
    """A ticket is about a room of its hotel, repaired by one of its technicians."""
    return bool(
        db.rooms.get(maintenance_ticket.room_id).hotel_id == maintenance_ticket.hotel_id
        and (
            maintenance_ticket.employee_id is None
            or db.employees.get(maintenance_ticket.employee_id).role == "technician"
            and db.employees.get(maintenance_ticket.employee_id).hotel_id
            == maintenance_ticket.hotel_id
        )
    )


def maintenance_tickets_closed_ticket_says_how(
    db: Database, maintenance_ticket: MaintenanceTicket
) -> bool:
    """A ticket that is over, and only that, says when and how it ended."""
    return bool(
        (maintenance_ticket.status in ("done", "cancelled"))
        == (maintenance_ticket.closed_at is not None)
        and (maintenance_ticket.closed_at is None) == (maintenance_ticket.resolution is None)
    )


def maintenance_tickets_blocking_ticket_blocks(
    db: Database, maintenance_ticket: MaintenanceTicket
) -> bool:
    """A room is out of order just as long as an unfinished ticket blocks it."""
    return bool(
        (db.rooms.get(maintenance_ticket.room_id).condition == "out_of_order")
        == any(
            ticket.blocks_room and ticket.status in ("open", "in_progress")
            for ticket in db.maintenance_tickets.where(room_id=maintenance_ticket.room_id)
        )
    )


def services_service_hours(db: Database, service: Service) -> bool:
    """A service has hours in order, a price and a place."""
    return bool(
        0 <= service.first_hour <= service.last_hour <= 23
        and service.places >= 1
        and service.price > 0
    )


def service_bookings_booking_in_same_hotel(db: Database, service_booking: ServiceBooking) -> bool:
    """A guest books services of the hotel they stay in, for no more people than stay."""
    return bool(
        db.services.get(service_booking.service_id).hotel_id
        == db.reservations.get(service_booking.reservation_id).hotel_id
        and 1 <= service_booking.persons
        and service_booking.price > 0
    )


def service_bookings_slot_not_overfull(db: Database, service_booking: ServiceBooking) -> bool:
    """A slot holds no more people than it has places."""
    return bool(
        service_booking.status == "cancelled"
        or sum(
            other.persons
            for other in db.service_bookings.where(service_id=service_booking.service_id)
            if other.status != "cancelled" and other.starts_at == service_booking.starts_at
        )
        <= db.services.get(service_booking.service_id).places
    )


def service_bookings_booked_during_stay(db: Database, service_booking: ServiceBooking) -> bool:
    """Return whether a row keeps this rule.

    A service lies within the stay, one still to come in that of a guest who comes or is there.
    """
    return bool(
        service_booking.status == "cancelled"
        or (
            service_booking.status == "completed"
            or db.reservations.get(service_booking.reservation_id).status
            in ("confirmed", "checked_in")
        )
        and db.reservations.get(service_booking.reservation_id).arrival
        <= service_booking.starts_at.date()
        <= db.reservations.get(service_booking.reservation_id).departure
    )


def service_bookings_completed_booking_is_charged(
    db: Database, service_booking: ServiceBooking
) -> bool:
    """A service that was given is on a folio."""
    return bool(
        service_booking.status != "completed"
        or len(db.charges.where(booking_id=service_booking.booking_id)) >= 1
    )


def guest_requests_request_done_by_somebody(db: Database, guest_request: GuestRequest) -> bool:
    """A request that was met says by whom of the hotel."""
    return bool(
        (guest_request.status in ("in_progress", "done")) == (guest_request.employee_id is not None)
        and (
            guest_request.employee_id is None
            or db.employees.get(guest_request.employee_id).hotel_id == guest_request.hotel_id
        )
    )


def guest_requests_request_in_same_hotel(db: Database, guest_request: GuestRequest) -> bool:
    """A request is for the reservation's hotel."""
    return bool(
        db.reservations.get(guest_request.reservation_id).hotel_id == guest_request.hotel_id
    )


def complaints_resolved_says_how(db: Database, complaint: Complaint) -> bool:
    """A resolved complaint, and only that, says when and how."""
    return bool(
        (complaint.status == "resolved") == (complaint.resolved_at is not None)
        and (complaint.resolved_at is None) == (complaint.resolution is None)
        and complaint.points >= 0
        and (complaint.status == "resolved" or complaint.points == 0)
    )


def complaints_complaint_in_same_hotel(db: Database, complaint: Complaint) -> bool:
    """A complaint is about the reservation's hotel."""
    return bool(db.reservations.get(complaint.reservation_id).hotel_id == complaint.hotel_id)


INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "hotels": (
        Invariant(
            "hotel_stars",
            "A hotel has one to five stars.",
            hotels_hotel_stars,
            columns=frozenset({"stars"}),
            tables=frozenset(),
        ),
        Invariant(
            "city_tax_is_taken",
            "A city tax is never below zero.",
            hotels_city_tax_is_taken,
            columns=frozenset({"city_tax"}),
            tables=frozenset(),
        ),
    ),
    "room_types": (
        Invariant(
            "room_type_sellable",
            "A room type sleeps somebody and has a price.",
            room_types_room_type_sellable,
            columns=frozenset({"base_rate", "capacity"}),
            tables=frozenset(),
        ),
        Invariant(
            "room_type_sleeps_what_its_beds_hold",
            (
                "A single sleeps one, other beds two; only a king room, with beds added, "
                "sleeps more."
            ),
            room_types_room_type_sleeps_what_its_beds_hold,
            columns=frozenset({"beds", "capacity"}),
            tables=frozenset(),
        ),
        Invariant(
            "room_type_name_means_the_same",
            ("A name occurs once in a hotel and stands for the same beds and capacity in all."),
            room_types_room_type_name_means_the_same,
            columns=frozenset({"beds", "capacity", "hotel_id", "name"}),
            tables=frozenset({"room_types"}),
        ),
    ),
    "rooms": (
        Invariant(
            "room_type_in_same_hotel",
            "A room's type is one of its hotel.",
            rooms_room_type_in_same_hotel,
            columns=frozenset({"hotel_id", "room_type_id"}),
            tables=frozenset({"room_types"}),
        ),
        Invariant(
            "room_number_once",
            "A room number occurs once in a hotel.",
            rooms_room_number_once,
            columns=frozenset({"hotel_id", "number"}),
            tables=frozenset({"rooms"}),
        ),
        Invariant(
            "room_blocked_by_ticket",
            "A room is out of order just as long as an unfinished ticket blocks it.",
            rooms_room_blocked_by_ticket,
            columns=frozenset({"condition", "room_id"}),
            tables=frozenset({"maintenance_tickets"}),
        ),
        Invariant(
            "blocked_room_can_be_spared",
            "No more rooms of a type are booked for a night to come than can be used.",
            rooms_blocked_room_can_be_spared,
            columns=frozenset({"condition", "room_type_id"}),
            tables=frozenset({"reservations", "rooms"}),
        ),
        Invariant(
            "nobody_in_a_blocked_room",
            "Nobody stays in a room that is out of order.",
            rooms_nobody_in_a_blocked_room,
            columns=frozenset({"condition", "room_id"}),
            tables=frozenset({"stays"}),
        ),
    ),
    "rate_plans": (
        Invariant(
            "rate_plan_shares",
            ("The shares of a rate plan are percentages, and meals cost something or nothing."),
            rate_plans_rate_plan_shares,
            columns=frozenset(
                {
                    "base_percent",
                    "board_price",
                    "deposit_percent",
                    "late_cancel_percent",
                    "min_nights",
                }
            ),
            tables=frozenset(),
        ),
    ),
    "guests": (
        Invariant(
            "points_add_up",
            "A guest's points are the sum of the entries, and never below zero.",
            guests_points_add_up,
            columns=frozenset({"guest_id", "points"}),
            tables=frozenset({"points_entries"}),
        ),
        Invariant(
            "tier_follows_nights",
            "The tier is the one the nights stayed give.",
            guests_tier_follows_nights,
            columns=frozenset({"nights_stayed", "tier"}),
            tables=frozenset(),
        ),
    ),
    "points_entries": (
        Invariant(
            "entry_changes_points",
            "An entry changes the balance, and the balance is the sum of the entries.",
            points_entries_entry_changes_points,
            columns=frozenset({"change", "guest_id"}),
            tables=frozenset({"guests", "points_entries"}),
        ),
    ),
    "reservations": (
        Invariant(
            "nights_fill_the_stay",
            "There is one price for each night from arrival to departure.",
            reservations_nights_fill_the_stay,
            columns=frozenset({"arrival", "departure", "nights"}),
            tables=frozenset(),
        ),
        Invariant(
            "total_is_sum_of_nights",
            "The total is the sum of the nights.",
            reservations_total_is_sum_of_nights,
            columns=frozenset({"nights", "total"}),
            tables=frozenset(),
        ),
        Invariant(
            "parts_of_one_hotel",
            "Room type, rate plan and room belong to the reservation's hotel and type.",
            reservations_parts_of_one_hotel,
            columns=frozenset({"hotel_id", "rate_plan_id", "room_id", "room_type_id"}),
            tables=frozenset({"rate_plans", "room_types", "rooms"}),
        ),
        Invariant(
            "party_fits",
            "The party has an adult and fits the room type.",
            reservations_party_fits,
            columns=frozenset({"adults", "children", "companions", "room_type_id"}),
            tables=frozenset({"room_types"}),
        ),
        Invariant(
            "cancelled_says_when_and_why",
            "A cancelled reservation, and only that, says when and why.",
            reservations_cancelled_says_when_and_why,
            columns=frozenset({"cancel_reason", "cancelled_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "no_room_booked_twice",
            "A room is set aside for one reservation at a time.",
            reservations_no_room_booked_twice,
            columns=frozenset({"arrival", "departure", "reservation_id", "room_id", "status"}),
            tables=frozenset({"reservations"}),
        ),
        Invariant(
            "no_room_promised_that_is_kept_late",
            "A room kept past noon is set aside for nobody who arrives that day.",
            reservations_no_room_promised_that_is_kept_late,
            columns=frozenset({"arrival", "room_id", "status"}),
            tables=frozenset({"reservations", "stays"}),
        ),
        Invariant(
            "no_type_overbooked",
            "No more rooms of a type are booked for a night to come than can be used.",
            reservations_no_type_overbooked,
            columns=frozenset({"nights", "room_type_id", "status"}),
            tables=frozenset({"reservations", "rooms"}),
        ),
        Invariant(
            "stay_matches_status",
            "A reservation has a stay once its guest has checked in, and only then.",
            reservations_stay_matches_status,
            columns=frozenset({"reservation_id", "status"}),
            tables=frozenset({"stays"}),
        ),
        Invariant(
            "open_folio_until_it_is_over",
            ("The folio of a reservation stays open until the guest has left or will not come."),
            reservations_open_folio_until_it_is_over,
            columns=frozenset({"reservation_id", "status"}),
            tables=frozenset({"folios"}),
        ),
        Invariant(
            "reservation_has_a_folio",
            "Each reservation has one folio.",
            reservations_reservation_has_a_folio,
            columns=frozenset({"reservation_id"}),
            tables=frozenset({"folios"}),
        ),
    ),
    "stays": (
        Invariant(
            "departed_says_when",
            "A departed stay, and only that, says when.",
            stays_departed_says_when,
            columns=frozenset({"checked_out_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_party_in_a_room",
            "One party lives in a room at a time.",
            stays_one_party_in_a_room,
            columns=frozenset({"room_id", "status"}),
            tables=frozenset({"stays"}),
        ),
        Invariant(
            "stay_follows_reservation",
            "Stay and reservation agree on hotel, room and status.",
            stays_stay_follows_reservation,
            columns=frozenset({"hotel_id", "reservation_id", "room_id", "status"}),
            tables=frozenset({"reservations"}),
        ),
        Invariant(
            "late_hours_are_of_an_afternoon",
            "A late check-out is by up to six hours.",
            stays_late_hours_are_of_an_afternoon,
            columns=frozenset({"late_checkout_hours"}),
            tables=frozenset(),
        ),
        Invariant(
            "room_kept_late_is_promised_to_nobody",
            "A room kept past noon is set aside for nobody who arrives that day.",
            stays_room_kept_late_is_promised_to_nobody,
            columns=frozenset({"late_checkout_hours", "reservation_id", "room_id", "status"}),
            tables=frozenset({"reservations"}),
        ),
        Invariant(
            "room_as_good_as_booked",
            (
                "A guest lives in a room of the category booked, or of one that costs as "
                "much or more."
            ),
            stays_room_as_good_as_booked,
            columns=frozenset({"booked_type_id", "hotel_id", "room_id"}),
            tables=frozenset({"room_types", "rooms"}),
        ),
        Invariant(
            "key_cards_in_reason",
            "A stay has one to six key cards.",
            stays_key_cards_in_reason,
            columns=frozenset({"key_cards"}),
            tables=frozenset(),
        ),
    ),
    "folios": (
        Invariant(
            "charges_add_up",
            "The sum charged is that of the charges not voided.",
            folios_charges_add_up,
            columns=frozenset({"charged", "folio_id"}),
            tables=frozenset({"charges"}),
        ),
        Invariant(
            "payments_add_up",
            "The sum paid is that of the payments less their refunds.",
            folios_payments_add_up,
            columns=frozenset({"folio_id", "paid"}),
            tables=frozenset({"payments"}),
        ),
        Invariant(
            "closed_folio_is_settled",
            "A closed folio says when and has nothing due, which is charged less paid.",
            folios_closed_folio_is_settled,
            columns=frozenset({"charged", "closed_at", "due", "paid", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "nothing_posted_after_closing",
            "What is charged and paid on a closed folio was so before it was closed.",
            folios_nothing_posted_after_closing,
            columns=frozenset({"closed_at", "folio_id"}),
            tables=frozenset({"charges", "payments"}),
        ),
        Invariant(
            "folio_closed_after_the_stay",
            ("The folio of a reservation stays open until the guest has left or will not come."),
            folios_folio_closed_after_the_stay,
            columns=frozenset({"reservation_id", "status"}),
            tables=frozenset({"reservations"}),
        ),
        Invariant(
            "folio_in_same_hotel",
            "A folio belongs to its reservation's hotel.",
            folios_folio_in_same_hotel,
            columns=frozenset({"hotel_id", "reservation_id"}),
            tables=frozenset({"reservations"}),
        ),
    ),
    "charges": (
        Invariant(
            "charge_amount",
            "The amount is quantity times unit price; only a discount is negative.",
            charges_charge_amount,
            columns=frozenset({"amount", "kind", "quantity", "unit_price"}),
            tables=frozenset(),
        ),
        Invariant(
            "nightly_charge_says_which",
            "A room night or city tax, and only that, says for which night.",
            charges_nightly_charge_says_which,
            columns=frozenset({"kind", "night"}),
            tables=frozenset(),
        ),
        Invariant(
            "voided_says_why",
            "A voided charge, and only that, says why.",
            charges_voided_says_why,
            columns=frozenset({"void_reason", "voided"}),
            tables=frozenset(),
        ),
        Invariant(
            "folio_counts_charge",
            "The sum charged on the folio is that of its charges.",
            charges_folio_counts_charge,
            columns=frozenset({"folio_id"}),
            tables=frozenset({"charges", "folios"}),
        ),
    ),
    "payments": (
        Invariant(
            "refunds_within_payment",
            "A payment's refunds add up and stay within it.",
            payments_refunds_within_payment,
            columns=frozenset({"amount", "payment_id", "refunded"}),
            tables=frozenset({"refunds"}),
        ),
        Invariant(
            "payment_names_its_means",
            "A card payment names the card and a voucher payment the voucher.",
            payments_payment_names_its_means,
            columns=frozenset({"card_last4", "method", "voucher_id"}),
            tables=frozenset(),
        ),
        Invariant(
            "folio_counts_payment",
            "The sum paid on the folio is that of its payments less their refunds.",
            payments_folio_counts_payment,
            columns=frozenset({"folio_id"}),
            tables=frozenset({"folios", "payments"}),
        ),
    ),
    "refunds": (
        Invariant(
            "refund_counts_on_payment",
            "A refund gives something back and its payment knows.",
            refunds_refund_counts_on_payment,
            columns=frozenset({"amount", "payment_id"}),
            tables=frozenset({"payments", "refunds"}),
        ),
    ),
    "vouchers": (
        Invariant(
            "voucher_balance_adds_up",
            "What is left is the value less what was spent, and never below zero.",
            vouchers_voucher_balance_adds_up,
            columns=frozenset({"balance", "value", "voucher_id"}),
            tables=frozenset({"payments"}),
        ),
        Invariant(
            "used_voucher_is_empty",
            "A voucher with nothing left is used, one with something left is not.",
            vouchers_used_voucher_is_empty,
            columns=frozenset({"balance", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "voucher_dates",
            "A voucher expires after it is issued.",
            vouchers_voucher_dates,
            columns=frozenset({"expires_on", "issued_on"}),
            tables=frozenset(),
        ),
    ),
    "housekeeping_tasks": (
        Invariant(
            "task_in_room_of_hotel",
            ("A housekeeping task is in a room of its hotel, done by one of its housekeepers."),
            housekeeping_tasks_task_in_room_of_hotel,
            columns=frozenset({"employee_id", "hotel_id", "room_id"}),
            tables=frozenset({"employees", "rooms"}),
        ),
        Invariant(
            "done_task_says_when",
            ("A finished task, and only that, says when; work that runs has somebody doing it."),
            housekeeping_tasks_done_task_says_when,
            columns=frozenset({"done_at", "employee_id", "status"}),
            tables=frozenset(),
        ),
    ),
    "maintenance_tickets": (
        Invariant(
            "ticket_in_room_of_hotel",
            "A ticket is about a room of its hotel, repaired by one of its technicians.",
            maintenance_tickets_ticket_in_room_of_hotel,
            columns=frozenset({"employee_id", "hotel_id", "room_id"}),
            tables=frozenset({"employees", "rooms"}),
        ),
        Invariant(
            "closed_ticket_says_how",
            "A ticket that is over, and only that, says when and how it ended.",
            maintenance_tickets_closed_ticket_says_how,
            columns=frozenset({"closed_at", "resolution", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "blocking_ticket_blocks",
            "A room is out of order just as long as an unfinished ticket blocks it.",
            maintenance_tickets_blocking_ticket_blocks,
            columns=frozenset({"room_id"}),
            tables=frozenset({"maintenance_tickets", "rooms"}),
        ),
    ),
    "services": (
        Invariant(
            "service_hours",
            "A service has hours in order, a price and a place.",
            services_service_hours,
            columns=frozenset({"first_hour", "last_hour", "places", "price"}),
            tables=frozenset(),
        ),
    ),
    "service_bookings": (
        Invariant(
            "booking_in_same_hotel",
            ("A guest books services of the hotel they stay in, for no more people than stay."),
            service_bookings_booking_in_same_hotel,
            columns=frozenset({"persons", "price", "reservation_id", "service_id"}),
            tables=frozenset({"reservations", "services"}),
        ),
        Invariant(
            "slot_not_overfull",
            "A slot holds no more people than it has places.",
            service_bookings_slot_not_overfull,
            columns=frozenset({"service_id", "starts_at", "status"}),
            tables=frozenset({"service_bookings", "services"}),
        ),
        Invariant(
            "booked_during_stay",
            (
                "A service lies within the stay, one still to come in that of a guest who "
                "comes or is there."
            ),
            service_bookings_booked_during_stay,
            columns=frozenset({"reservation_id", "starts_at", "status"}),
            tables=frozenset({"reservations"}),
        ),
        Invariant(
            "completed_booking_is_charged",
            "A service that was given is on a folio.",
            service_bookings_completed_booking_is_charged,
            columns=frozenset({"booking_id", "status"}),
            tables=frozenset({"charges"}),
        ),
    ),
    "guest_requests": (
        Invariant(
            "request_done_by_somebody",
            "A request that was met says by whom of the hotel.",
            guest_requests_request_done_by_somebody,
            columns=frozenset({"employee_id", "hotel_id", "status"}),
            tables=frozenset({"employees"}),
        ),
        Invariant(
            "request_in_same_hotel",
            "A request is for the reservation's hotel.",
            guest_requests_request_in_same_hotel,
            columns=frozenset({"hotel_id", "reservation_id"}),
            tables=frozenset({"reservations"}),
        ),
    ),
    "complaints": (
        Invariant(
            "resolved_says_how",
            "A resolved complaint, and only that, says when and how.",
            complaints_resolved_says_how,
            columns=frozenset({"points", "resolution", "resolved_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "complaint_in_same_hotel",
            "A complaint is about the reservation's hotel.",
            complaints_complaint_in_same_hotel,
            columns=frozenset({"hotel_id", "reservation_id"}),
            tables=frozenset({"reservations"}),
        ),
    ),
}
