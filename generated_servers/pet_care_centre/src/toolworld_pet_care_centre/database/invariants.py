"""The rules that every row of Pet Care Centre keeps after every call."""

from __future__ import annotations

from .models import (
    Appointment,
    CarePass,
    Database,
    Incident,
    Invoice,
    InvoiceLine,
    Medication,
    Owner,
    Payment,
    Room,
    Service,
    Shift,
    Stay,
    StayExtra,
    Vaccination,
    WaitlistEntry,
)
from .schema import Invariant


def owners_email_has_at(db: Database, owner: Owner) -> bool:
    """The e-mail address has an @."""
    return bool("@" in owner.email)


def vaccinations_valid_after_given(db: Database, vaccination: Vaccination) -> bool:
    """It protects until some day after it was given."""
    return bool(vaccination.valid_until > vaccination.given_on)


def shifts_hours_in_order(db: Database, shift: Shift) -> bool:
    """It starts at 6 or later and ends after that, by 22."""
    return bool(6 <= shift.start_hour < shift.end_hour <= 22)


def shifts_capacity_in_bounds(db: Database, shift: Shift) -> bool:
    """1 to 8 appointments fit, at most one per hour."""
    return bool(1 <= shift.capacity <= 8 and shift.capacity <= shift.end_hour - shift.start_hour)


def services_price_above_zero(db: Database, service: Service) -> bool:
    """It costs something."""
    return bool(service.price > 0)


def appointments_free_with_pass(db: Database, appointment: Appointment) -> bool:
    """It costs nothing exactly when it is paid with a pass."""
    return bool(
        appointment.price >= 0
        and (appointment.price == 0) == (appointment.care_pass_id is not None)
    )


def appointments_cancelled_has_reason(db: Database, appointment: Appointment) -> bool:
    """It has a reason exactly when it is cancelled."""
    return bool((appointment.status == "cancelled") == (appointment.cancel_reason is not None))


def rooms_rate_above_zero(db: Database, room: Room) -> bool:
    """A night costs something."""
    return bool(room.nightly_rate > 0)


def stays_at_least_a_night(db: Database, stay: Stay) -> bool:
    """It lasts at least one night and costs something a night."""
    return bool(stay.last_day > stay.first_day and stay.nightly_rate > 0)


def stays_left_when_checked_out(db: Database, stay: Stay) -> bool:
    """The day it left is known exactly when it is checked out."""
    return bool((stay.status == "checked_out") == (stay.left_on is not None))


def stays_reason_when_cancelled(db: Database, stay: Stay) -> bool:
    """It has a reason exactly when it is cancelled."""
    return bool((stay.status == "cancelled") == (stay.cancel_reason is not None))


def stay_extras_quantity_in_bounds(db: Database, stay_extra: StayExtra) -> bool:
    """It is ordered 1 to 10 times."""
    return bool(1 <= stay_extra.quantity <= 10)


def medications_days_and_limit(db: Database, medication: Medication) -> bool:
    """It ends on its first day or later, with 1 to 4 doses a day."""
    return bool(medication.until_day >= medication.from_day and 1 <= medication.daily_limit <= 4)


def medications_stopped_has_reason(db: Database, medication: Medication) -> bool:
    """It has a reason exactly when it is stopped."""
    return bool((medication.status == "stopped") == (medication.stop_reason is not None))


def incidents_outcome_when_closed(db: Database, incident: Incident) -> bool:
    """It has an outcome exactly when it is closed."""
    return bool((incident.status == "closed") == (incident.outcome is not None))


def incidents_serious_not_waved_off(db: Database, incident: Incident) -> bool:
    """Return whether a row keeps this rule.

    Nothing serious or critical is closed with no action, and only a bite marks a pet as aggressive.
    """
    return bool(
        (incident.outcome != "no_action" or incident.severity == "minor")
        and (incident.outcome != "marked_aggressive" or incident.kind == "bite")
    )


def care_passes_visits_left_in_bounds(db: Database, care_pass: CarePass) -> bool:
    """Between none and all of its visits are left."""
    return bool(0 <= care_pass.visits_left <= care_pass.visits_bought)


def care_passes_ended_when_used_up(db: Database, care_pass: CarePass) -> bool:
    """It is ended when no visit is left."""
    return bool(care_pass.visits_left > 0 or care_pass.status == "ended")


def waitlist_entries_at_least_one_night(db: Database, waitlist_entry: WaitlistEntry) -> bool:
    """It wants at least one night."""
    return bool(waitlist_entry.last_day > waitlist_entry.first_day)


def waitlist_entries_room_when_offered(db: Database, waitlist_entry: WaitlistEntry) -> bool:
    """A waiting entry has no room, an offered one has one."""
    return bool(
        (waitlist_entry.status != "waiting" or waitlist_entry.room_id is None)
        and (waitlist_entry.status != "offered" or waitlist_entry.room_id is not None)
    )


def invoices_paid_within_total(db: Database, invoice: Invoice) -> bool:
    """Between nothing and the total is paid, and the total is above zero."""
    return bool(0 <= invoice.amount_paid <= invoice.total and invoice.total > 0)


def invoices_paid_when_settled(db: Database, invoice: Invoice) -> bool:
    """It is paid exactly when the whole total is paid."""
    return bool((invoice.status == "paid") == (invoice.amount_paid == invoice.total))


def invoices_due_after_issue(db: Database, invoice: Invoice) -> bool:
    """It is not due before it was issued; nothing is paid on a void one."""
    return bool(
        invoice.due_on >= invoice.issued_on
        and (invoice.status != "void" or invoice.amount_paid == 0)
    )


def invoice_lines_amount_adds_up(db: Database, invoice_line: InvoiceLine) -> bool:
    """The amount is the quantity times the unit price."""
    return bool(
        invoice_line.quantity >= 1
        and invoice_line.amount == invoice_line.unit_price * invoice_line.quantity
    )


def payments_amount_above_zero(db: Database, payment: Payment) -> bool:
    """The amount is above zero."""
    return bool(payment.amount > 0)


INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "owners": (
        Invariant(
            "email_has_at",
            "The e-mail address has an @.",
            owners_email_has_at,
            columns=frozenset({"email"}),
            tables=frozenset(),
        ),
    ),
    "vaccinations": (
        Invariant(
            "valid_after_given",
            "It protects until some day after it was given.",
            vaccinations_valid_after_given,
            columns=frozenset({"given_on", "valid_until"}),
            tables=frozenset(),
        ),
    ),
    "shifts": (
        Invariant(
            "hours_in_order",
            "It starts at 6 or later and ends after that, by 22.",
            shifts_hours_in_order,
            columns=frozenset({"end_hour", "start_hour"}),
            tables=frozenset(),
        ),
        Invariant(
            "capacity_in_bounds",
            "1 to 8 appointments fit, at most one per hour.",
            shifts_capacity_in_bounds,
            columns=frozenset({"capacity", "end_hour", "start_hour"}),
            tables=frozenset(),
        ),
    ),
    "services": (
        Invariant(
            "price_above_zero",
            "It costs something.",
            services_price_above_zero,
            columns=frozenset({"price"}),
            tables=frozenset(),
        ),
    ),
    "appointments": (
        Invariant(
            "free_with_pass",
            "It costs nothing exactly when it is paid with a pass.",
            appointments_free_with_pass,
            columns=frozenset({"care_pass_id", "price"}),
            tables=frozenset(),
        ),
        Invariant(
            "cancelled_has_reason",
            "It has a reason exactly when it is cancelled.",
            appointments_cancelled_has_reason,
            columns=frozenset({"cancel_reason", "status"}),
            tables=frozenset(),
        ),
    ),
    "rooms": (
        Invariant(
            "rate_above_zero",
            "A night costs something.",
            rooms_rate_above_zero,
            columns=frozenset({"nightly_rate"}),
            tables=frozenset(),
        ),
    ),
    "stays": (
        Invariant(
            "at_least_a_night",
            "It lasts at least one night and costs something a night.",
            stays_at_least_a_night,
            columns=frozenset({"first_day", "last_day", "nightly_rate"}),
            tables=frozenset(),
        ),
        Invariant(
            "left_when_checked_out",
            "The day it left is known exactly when it is checked out.",
            stays_left_when_checked_out,
            columns=frozenset({"left_on", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "reason_when_cancelled",
            "It has a reason exactly when it is cancelled.",
            stays_reason_when_cancelled,
            columns=frozenset({"cancel_reason", "status"}),
            tables=frozenset(),
        ),
    ),
    "stay_extras": (
        Invariant(
            "quantity_in_bounds",
            "It is ordered 1 to 10 times.",
            stay_extras_quantity_in_bounds,
            columns=frozenset({"quantity"}),
            tables=frozenset(),
        ),
    ),
    "medications": (
        Invariant(
            "days_and_limit",
            "It ends on its first day or later, with 1 to 4 doses a day.",
            medications_days_and_limit,
            columns=frozenset({"daily_limit", "from_day", "until_day"}),
            tables=frozenset(),
        ),
        Invariant(
            "stopped_has_reason",
            "It has a reason exactly when it is stopped.",
            medications_stopped_has_reason,
            columns=frozenset({"status", "stop_reason"}),
            tables=frozenset(),
        ),
    ),
    "incidents": (
        Invariant(
            "outcome_when_closed",
            "It has an outcome exactly when it is closed.",
            incidents_outcome_when_closed,
            columns=frozenset({"outcome", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "serious_not_waved_off",
            (
                "Nothing serious or critical is closed with no action, and only a bite "
                "marks a pet as aggressive."
            ),
            incidents_serious_not_waved_off,
            columns=frozenset({"kind", "outcome", "severity"}),
            tables=frozenset(),
        ),
    ),
    "care_passes": (
        Invariant(
            "visits_left_in_bounds",
            "Between none and all of its visits are left.",
            care_passes_visits_left_in_bounds,
            columns=frozenset({"visits_bought", "visits_left"}),
            tables=frozenset(),
        ),
        Invariant(
            "ended_when_used_up",
            "It is ended when no visit is left.",
            care_passes_ended_when_used_up,
            columns=frozenset({"status", "visits_left"}),
            tables=frozenset(),
        ),
    ),
    "waitlist_entries": (
        Invariant(
            "at_least_one_night",
            "It wants at least one night.",
            waitlist_entries_at_least_one_night,
            columns=frozenset({"first_day", "last_day"}),
            tables=frozenset(),
        ),
        Invariant(
            "room_when_offered",
            "A waiting entry has no room, an offered one has one.",
            waitlist_entries_room_when_offered,
            columns=frozenset({"room_id", "status"}),
            tables=frozenset(),
        ),
    ),
    "invoices": (
        Invariant(
            "paid_within_total",
            "Between nothing and the total is paid, and the total is above zero.",
            invoices_paid_within_total,
            columns=frozenset({"amount_paid", "total"}),
            tables=frozenset(),
        ),
        Invariant(
            "paid_when_settled",
            "It is paid exactly when the whole total is paid.",
            invoices_paid_when_settled,
            columns=frozenset({"amount_paid", "status", "total"}),
            tables=frozenset(),
        ),
        Invariant(
            "due_after_issue",
            "It is not due before it was issued; nothing is paid on a void one.",
            invoices_due_after_issue,
            columns=frozenset({"amount_paid", "due_on", "issued_on", "status"}),
            tables=frozenset(),
        ),
    ),
    "invoice_lines": (
        Invariant(
            "amount_adds_up",
            "The amount is the quantity times the unit price.",
            invoice_lines_amount_adds_up,
            columns=frozenset({"amount", "quantity", "unit_price"}),
            tables=frozenset(),
        ),
    ),
    "payments": (
        Invariant(
            "amount_above_zero",
            "The amount is above zero.",
            payments_amount_above_zero,
            columns=frozenset({"amount"}),
            tables=frozenset(),
        ),
    ),
}
