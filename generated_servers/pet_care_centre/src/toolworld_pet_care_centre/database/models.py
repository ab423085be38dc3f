"""The rows, value objects and enums of Pet Care Centre, and its typed database."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..values import Boolean, Date, Datetime, Integer, Key, Money, Row, Text, Value
from . import store
from .schema import Reference, TableSchema
from .table import Table

OwnerStanding: TypeAlias = Literal["active", "blocked"]
Species: TypeAlias = Literal["dog", "cat", "rabbit", "guinea_pig", "bird"]
PetSize: TypeAlias = Literal["small", "medium", "large"]
Temperament: TypeAlias = Literal["calm", "nervous", "aggressive"]
PetStatus: TypeAlias = Literal["active", "deceased"]
Vaccine: TypeAlias = Literal[
    "rabies", "distemper", "parvovirus", "kennel_cough", "cat_flu", "myxomatosis"
]
CaregiverRole: TypeAlias = Literal["groomer", "walker", "trainer", "sitter"]
ShiftStatus: TypeAlias = Literal["planned", "called_off"]
ServiceKind: TypeAlias = Literal["grooming", "walk", "training", "boarding", "stay_extra"]
ServiceStatus: TypeAlias = Literal["on_sale", "withdrawn"]
AppointmentStatus: TypeAlias = Literal["booked", "completed", "cancelled", "missed"]
AppointmentOutcome: TypeAlias = Literal["completed", "missed"]
CancelReason: TypeAlias = Literal["owner_request", "pet_ill", "staff_absence", "bad_weather"]
RoomStatus: TypeAlias = Literal["open", "closed"]
StayStatus: TypeAlias = Literal["reserved", "checked_in", "checked_out", "cancelled"]
ExtraStatus: TypeAlias = Literal["ordered", "done", "dropped"]
MedicationStatus: TypeAlias = Literal["active", "stopped"]
StopReason: TypeAlias = Literal["course_finished", "vet_advice", "side_effects", "owner_request"]
DoseOutcome: TypeAlias = Literal["given", "refused"]
DayPart: TypeAlias = Literal["morning", "noon", "evening", "night"]
IncidentKind: TypeAlias = Literal["bite", "injury", "escape", "illness"]
Severity: TypeAlias = Literal["minor", "serious", "critical"]
IncidentStatus: TypeAlias = Literal["open", "under_review", "closed"]
IncidentOutcome: TypeAlias = Literal[
    "no_action", "owner_informed", "vet_visit", "marked_aggressive"
]
PassStatus: TypeAlias = Literal["active", "ended"]
WaitlistStatus: TypeAlias = Literal["waiting", "offered", "taken", "withdrawn"]
InvoiceStatus: TypeAlias = Literal["open", "paid", "void"]
LineKind: TypeAlias = Literal["appointment", "stay", "extra", "care_pass", "fee"]
PaymentKind: TypeAlias = Literal["payment", "refund"]
PaymentMethod: TypeAlias = Literal["cash", "card", "bank_transfer"]

OwnerId: TypeAlias = Key
PetId: TypeAlias = Key
VaccinationId: TypeAlias = Key
CaregiverId: TypeAlias = Key
ShiftId: TypeAlias = Key
ServiceId: TypeAlias = Key
AppointmentId: TypeAlias = Key
RoomId: TypeAlias = Key
StayId: TypeAlias = Key
StayExtraId: TypeAlias = Key
MedicationId: TypeAlias = Key
DoseLogId: TypeAlias = Key
IncidentId: TypeAlias = Key
CarePassId: TypeAlias = Key
WaitlistEntryId: TypeAlias = Key
InvoiceId: TypeAlias = Key
InvoiceLineId: TypeAlias = Key
PaymentId: TypeAlias = Key


class GetPetResult(Value):
    """Gets a pet with its owner and the vaccines it is covered by today, for staff.

    Attributes:
        pet_id: The pet.
        name: Its name.
        species: Its species.
        size: Its size.
        temperament: How it behaves.
        status: Active or deceased.
        owner_id: Its owner.
        owner_name: Name of the owner.
        owner_standing: Standing of the owner.
        valid_vaccines: Vaccines with a verified vaccination valid today or longer, each once,
            sorted.
    """

    pet_id: PetId
    name: Text
    species: Species
    size: PetSize
    temperament: Temperament
    status: PetStatus
    owner_id: OwnerId
    owner_name: Text
    owner_standing: OwnerStanding
    valid_vaccines: tuple[Vaccine, ...]


class GetOwnerBalanceResult(Value):
    """Sums what an owner owes and what of it is overdue, for owners and managers.

    Attributes:
        owner_id: The owner.
        standing: Standing of the owner.
        open_invoices: How many invoices are open.
        balance_due: Total less amount paid over all open invoices.
        overdue_invoices: How many open invoices are past their due date.
        overdue_due: Total less amount paid over these.
        oldest_due_on: Earliest due date of an open invoice, empty if none is open.
    """

    owner_id: OwnerId
    standing: OwnerStanding
    open_invoices: Integer
    balance_due: Money
    overdue_invoices: Integer
    overdue_due: Money
    oldest_due_on: Date | None = None


class Owner(Row):
    """A row of owners.

    A customer who owns pets: name, phone, email, standing (active or blocked), emergency contact.

    Attributes:
        owner_id: The owner.
        name: Full name, e.g. Mara Lind.
        email: E-mail address in lower case.
        phone: Phone number, e.g. +44 20 7946 0102.
        emergency_contact: Name and phone of someone to call instead.
        standing: active, or blocked for not paying.
    """

    owner_id: OwnerId
    name: Text
    email: Text
    phone: Text
    emergency_contact: Text | None = None
    standing: OwnerStanding


class Pet(Row):
    """A row of pets.

    An animal of an owner: name, species, breed, size, birth date, temperament, active or deceased.

    Attributes:
        pet_id: The pet.
        owner_id: Who owns it.
        name: What it is called, e.g. Bella.
        species: Kind of animal.
        breed: Breed, e.g. Border Collie.
        size: Size class.
        born_on: Birth date.
        temperament: How it behaves with staff and other animals.
        status: active or deceased.
    """

    pet_id: PetId
    owner_id: OwnerId
    name: Text
    species: Species
    breed: Text | None = None
    size: PetSize
    born_on: Date
    temperament: Temperament
    status: PetStatus


class Vaccination(Row):
    """A row of vaccinations.

    One vaccination of a pet: vaccine, date given, valid until, and whether staff verified the
    certificate.

    Attributes:
        vaccination_id: The vaccination.
        pet_id: The pet that was vaccinated.
        vaccine: What against.
        given_on: Day it was given.
        valid_until: Last day it protects, 1 to 1100 days after given_on.
        verified: Whether staff checked the certificate.
    """

    vaccination_id: VaccinationId
    pet_id: PetId
    vaccine: Vaccine
    given_on: Date
    valid_until: Date
    verified: Boolean


class Caregiver(Row):
    """A row of caregivers.

    A member of staff who works with pets: name, role, skill level, whether trained to handle
    difficult pets.

    Attributes:
        caregiver_id: The caregiver.
        name: Full name, e.g. Tomas Reed.
        email: Work e-mail address in lower case.
        role: What they do.
        handles_difficult: Whether trained to handle aggressive pets.
    """

    caregiver_id: CaregiverId
    name: Text
    email: Text
    role: CaregiverRole
    handles_difficult: Boolean


class Shift(Row):
    """A row of shifts.

    One working day of one caregiver: date, start and end hour, how many appointments fit, planned
    or called off.

    Attributes:
        shift_id: The shift.
        caregiver_id: Who works.
        works_on: The day.
        start_hour: Hour it starts, 6 to 21.
        end_hour: Hour it ends, at most 22.
        capacity: How many appointments fit, 1 to 8 and at most one per hour.
        status: planned or called_off.
    """

    shift_id: ShiftId
    caregiver_id: CaregiverId
    works_on: Date
    start_hour: Integer
    end_hour: Integer
    capacity: Integer
    status: ShiftStatus


class Service(Row):
    """A row of services.

    What is offered: grooming, walk, training, boarding or stay extra, with price, species it is
    for, on sale or withdrawn.

    Attributes:
        service_id: The service.
        name: What it is called, e.g. Full groom.
        kind: Kind of service.
        species: The only species it is for; empty when it is for all.
        price: Price of one visit, night or extra. In EUR.
        status: on_sale or withdrawn.
    """

    service_id: ServiceId
    name: Text
    kind: ServiceKind
    species: Species | None = None
    price: Money
    status: ServiceStatus


class Appointment(Row):
    """A row of appointments.

    A visit of a pet for one service with a caregiver on a shift, from booked to completed,
    cancelled or missed.

    Attributes:
        appointment_id: The appointment.
        pet_id: The pet that comes.
        service_id: What is done.
        shift_id: The shift, and so the caregiver, that does it.
        visit_on: The day of the shift.
        care_pass_id: The pass it is paid with, if any.
        price: Price of the service when booked, 0 with a pass. In EUR.
        cancel_reason: Why it was cancelled.
        status: booked, completed, cancelled or missed.
    """

    appointment_id: AppointmentId
    pet_id: PetId
    service_id: ServiceId
    shift_id: ShiftId
    visit_on: Date
    care_pass_id: CarePassId | None = None
    price: Money
    cancel_reason: CancelReason | None = None
    status: AppointmentStatus


class Room(Row):
    """A row of rooms.

    A kennel, suite or cattery room: species, largest size it takes, nightly rate, open or closed
    for cleaning or repair.

    Attributes:
        room_id: The room.
        name: What it is called, e.g. Garden Kennel 2.
        species: The species it is for.
        max_size: Largest size it takes.
        nightly_rate: Price of one night. In EUR.
        status: open, or closed for cleaning or repair.
    """

    room_id: RoomId
    name: Text
    species: Species
    max_size: PetSize
    nightly_rate: Money
    status: RoomStatus


class Stay(Row):
    """A row of stays.

    A boarding stay of a pet in a room from a first to a last day: reserved, checked in, checked out
    or cancelled.

    Attributes:
        stay_id: The stay.
        pet_id: The pet that stays.
        room_id: The room it has.
        first_day: Day of arrival.
        last_day: Day of departure; the nights before it are booked.
        nightly_rate: Rate of the room when reserved. In EUR.
        left_on: Day it was checked out.
        cancel_reason: Why it was cancelled.
        status: reserved, checked_in, checked_out or cancelled.
    """

    stay_id: StayId
    pet_id: PetId
    room_id: RoomId
    first_day: Date
    last_day: Date
    nightly_rate: Money
    left_on: Date | None = None
    cancel_reason: CancelReason | None = None
    status: StayStatus


class StayExtra(Row):
    """A row of stay_extras.

    An extra service ordered for a stay, such as a bath or an extra walk: quantity, price, ordered,
    done or dropped.

    Attributes:
        stay_extra_id: The stay extra.
        stay_id: The stay it is ordered for.
        service_id: The stay extra service.
        quantity: How often, 1 to 10.
        unit_price: Price of the service when ordered. In EUR.
        status: ordered, done or dropped.
    """

    stay_extra_id: StayExtraId
    stay_id: StayId
    service_id: ServiceId
    quantity: Integer
    unit_price: Money
    status: ExtraStatus


class Medication(Row):
    """A row of medications.

    A medication instruction for a pet: medicine, dose, how often a day at most, from and until,
    active or stopped.

    Attributes:
        medication_id: The medication.
        pet_id: The pet that gets it.
        medicine: Name of the medicine, e.g. Carprofen.
        dose: Dose each time, e.g. 20 mg with food.
        daily_limit: Most doses a day, 1 to 4.
        from_day: First day.
        until_day: Last day.
        stop_reason: Why it was stopped.
        status: active or stopped.
    """

    medication_id: MedicationId
    pet_id: PetId
    medicine: Text
    dose: Text
    daily_limit: Integer
    from_day: Date
    until_day: Date
    stop_reason: StopReason | None = None
    status: MedicationStatus


class DoseLog(Row):
    """A row of dose_logs.

    One dose of a medication given, or refused by the pet, during a stay: day, time of day and
    caregiver.

    Attributes:
        dose_log_id: The dose log.
        medication_id: The instruction followed.
        stay_id: The stay during which it was.
        caregiver_id: Who gave it.
        given_on: The day.
        day_part: Time of day.
        outcome: given or refused by the pet.
    """

    dose_log_id: DoseLogId
    medication_id: MedicationId
    stay_id: StayId
    caregiver_id: CaregiverId
    given_on: Date
    day_part: DayPart
    outcome: DoseOutcome


class Incident(Row):
    """A row of incidents.

    Something that went wrong with a pet (bite, injury, escape, illness): severity, description,
    open, under review or closed.

    Attributes:
        incident_id: The incident.
        pet_id: The pet it happened with.
        caregiver_id: Who reported it.
        kind: What it was.
        severity: How bad it was.
        description: What happened.
        happened_on: The day.
        outcome: What closing it decided.
        status: open, under_review or closed.
    """

    incident_id: IncidentId
    pet_id: PetId
    caregiver_id: CaregiverId
    kind: IncidentKind
    severity: Severity
    description: Text
    happened_on: Date
    outcome: IncidentOutcome | None = None
    status: IncidentStatus


class CarePass(Row):
    """A row of care_passes.

    A prepaid pass an owner bought for one service: visits bought, visits left, valid until, active
    or ended.

    Attributes:
        care_pass_id: The care pass.
        owner_id: Who bought it.
        service_id: The service it pays for.
        visits_bought: Visits bought, 5 to 20.
        visits_left: Visits not yet used or booked.
        valid_until: Last day a visit with it may be.
        status: active, or ended when used up.
    """

    care_pass_id: CarePassId
    owner_id: OwnerId
    service_id: ServiceId
    visits_bought: Integer
    visits_left: Integer
    valid_until: Date
    status: PassStatus


class WaitlistEntry(Row):
    """A row of waitlist_entries.

    A pet waiting for a room on wanted days: species, days, waiting, offered, taken or withdrawn.

    Attributes:
        waitlist_entry_id: The waitlist entry.
        pet_id: The pet that waits.
        first_day: Day it would arrive.
        last_day: Day it would leave; the nights before it are wanted.
        room_id: The room offered, empty while waiting.
        joined_at: When it joined the waitlist.
        status: waiting, offered, taken or withdrawn.
    """

    waitlist_entry_id: WaitlistEntryId
    pet_id: PetId
    first_day: Date
    last_day: Date
    room_id: RoomId | None = None
    joined_at: Datetime
    status: WaitlistStatus


class Invoice(Row):
    """A row of invoices.

    A bill to an owner: issue date, due date, total, amount paid, and whether draft, open, paid or
    void.

    Attributes:
        invoice_id: The invoice.
        owner_id: Who has to pay.
        issued_on: Day it was made.
        due_on: Last day to pay, 14 days after issued_on.
        total: Sum of the amounts of its lines. In EUR.
        amount_paid: Payments less refunds so far. In EUR.
        status: open, paid in full, or void.
    """

    invoice_id: InvoiceId
    owner_id: OwnerId
    issued_on: Date
    due_on: Date
    total: Money
    amount_paid: Money
    status: InvoiceStatus


class InvoiceLine(Row):
    """A row of invoice_lines.

    One line of an invoice: what it is for (appointment, stay, extra, pass or fee), quantity, unit
    price, amount.

    Attributes:
        invoice_line_id: The invoice line.
        invoice_id: The invoice it is on.
        kind: What it is for.
        appointment_id: The appointment billed or charged a fee for.
        stay_id: The stay billed or charged a fee for.
        stay_extra_id: The extra billed.
        care_pass_id: The pass sold.
        quantity: Visits, nights or times, 1 or more.
        unit_price: Price of one. In EUR.
        amount: quantity times unit_price. In EUR.
    """

    invoice_line_id: InvoiceLineId
    invoice_id: InvoiceId
    kind: LineKind
    appointment_id: AppointmentId | None = None
    stay_id: StayId | None = None
    stay_extra_id: StayExtraId | None = None
    care_pass_id: CarePassId | None = None
    quantity: Integer
    unit_price: Money
    amount: Money


class Payment(Row):
    """Money received from or refunded to an owner on an invoice: amount, method, date, kind.

    Attributes:
        payment_id: The payment.
        invoice_id: The invoice it is for.
        kind: payment received or refund given.
        method: How the money moved.
        amount: Amount, above 0 for refunds too. In EUR.
        paid_on: The day.
    """

    payment_id: PaymentId
    invoice_id: InvoiceId
    kind: PaymentKind
    method: PaymentMethod
    amount: Money
    paid_on: Date


SCHEMAS: dict[str, TableSchema] = {
    "owners": TableSchema(
        name="owners",
        row=Owner,
        key="owner_id",
        noun="owner",
        prefix="OWN",
        unique=("email",),
        policies={"owner_id": "exempt", "emergency_contact": "semantic"},
    ),
    "pets": TableSchema(
        name="pets",
        row=Pet,
        key="pet_id",
        noun="pet",
        prefix="PET",
        references=(Reference(("owner_id",), "owners"),),
        policies={"pet_id": "exempt"},
    ),
    "vaccinations": TableSchema(
        name="vaccinations",
        row=Vaccination,
        key="vaccination_id",
        noun="vaccination",
        prefix="VAC",
        references=(Reference(("pet_id",), "pets"),),
        policies={"vaccination_id": "exempt"},
    ),
    "caregivers": TableSchema(
        name="caregivers",
        row=Caregiver,
        key="caregiver_id",
        noun="caregiver",
        prefix="CGV",
        unique=("email",),
        policies={"caregiver_id": "exempt"},
    ),
    "shifts": TableSchema(
        name="shifts",
        row=Shift,
        key="shift_id",
        noun="shift",
        prefix="SHF",
        references=(Reference(("caregiver_id",), "caregivers"),),
        policies={"shift_id": "exempt"},
    ),
    "services": TableSchema(
        name="services",
        row=Service,
        key="service_id",
        noun="service",
        prefix="SVC",
        unique=("name",),
        policies={"service_id": "exempt"},
    ),
    "appointments": TableSchema(
        name="appointments",
        row=Appointment,
        key="appointment_id",
        noun="appointment",
        prefix="APT",
        references=(
            Reference(("pet_id",), "pets"),
            Reference(("service_id",), "services"),
            Reference(("shift_id",), "shifts"),
            Reference(("care_pass_id",), "care_passes"),
        ),
        policies={"appointment_id": "exempt"},
    ),
    "rooms": TableSchema(
        name="rooms",
        row=Room,
        key="room_id",
        noun="room",
        prefix="ROM",
        unique=("name",),
        policies={"room_id": "exempt"},
    ),
    "stays": TableSchema(
        name="stays",
        row=Stay,
        key="stay_id",
        noun="stay",
        prefix="STY",
        references=(
            Reference(("pet_id",), "pets"),
            Reference(("room_id",), "rooms"),
        ),
        policies={"stay_id": "exempt"},
    ),
    "stay_extras": TableSchema(
        name="stay_extras",
        row=StayExtra,
        key="stay_extra_id",
        noun="stay extra",
        prefix="EXT",
        references=(
            Reference(("stay_id",), "stays"),
            Reference(("service_id",), "services"),
        ),
        policies={"stay_extra_id": "exempt"},
    ),
    "medications": TableSchema(
        name="medications",
        row=Medication,
        key="medication_id",
        noun="medication",
        prefix="MED",
        references=(Reference(("pet_id",), "pets"),),
        policies={"medication_id": "exempt", "dose": "semantic"},
    ),
    "dose_logs": TableSchema(
        name="dose_logs",
        row=DoseLog,
        key="dose_log_id",
        noun="dose log",
        prefix="DOS",
        references=(
            Reference(("medication_id",), "medications"),
            Reference(("stay_id",), "stays"),
            Reference(("caregiver_id",), "caregivers"),
        ),
        policies={"dose_log_id": "exempt"},
    ),
    "incidents": TableSchema(
        name="incidents",
        row=Incident,
        key="incident_id",
        noun="incident",
        prefix="INC",
        references=(
            Reference(("pet_id",), "pets"),
            Reference(("caregiver_id",), "caregivers"),
        ),
        policies={"incident_id": "exempt", "description": "semantic"},
    ),
    "care_passes": TableSchema(
        name="care_passes",
        row=CarePass,
        key="care_pass_id",
        noun="care pass",
        prefix="PAS",
        references=(
            Reference(("owner_id",), "owners"),
            Reference(("service_id",), "services"),
        ),
        policies={"care_pass_id": "exempt"},
    ),
    "waitlist_entries": TableSchema(
        name="waitlist_entries",
        row=WaitlistEntry,
        key="waitlist_entry_id",
        noun="waitlist entry",
        prefix="WTL",
        references=(
            Reference(("pet_id",), "pets"),
            Reference(("room_id",), "rooms"),
        ),
        policies={"waitlist_entry_id": "exempt"},
    ),
    "invoices": TableSchema(
        name="invoices",
        row=Invoice,
        key="invoice_id",
        noun="invoice",
        prefix="INV",
        references=(Reference(("owner_id",), "owners"),),
        policies={"invoice_id": "exempt"},
    ),
    "invoice_lines": TableSchema(
        name="invoice_lines",
        row=InvoiceLine,
        key="invoice_line_id",
        noun="invoice line",
        prefix="LIN",
        references=(
            Reference(("invoice_id",), "invoices"),
            Reference(("appointment_id",), "appointments"),
            Reference(("stay_id",), "stays"),
            Reference(("stay_extra_id",), "stay_extras"),
            Reference(("care_pass_id",), "care_passes"),
        ),
        policies={"invoice_line_id": "exempt"},
    ),
    "payments": TableSchema(
        name="payments",
        row=Payment,
        key="payment_id",
        noun="payment",
        prefix="PAY",
        references=(Reference(("invoice_id",), "invoices"),),
        policies={"payment_id": "exempt"},
    ),
}


class Database(store.Database):
    """The tables of Pet Care Centre."""

    owners: Table[Owner]
    pets: Table[Pet]
    vaccinations: Table[Vaccination]
    caregivers: Table[Caregiver]
    shifts: Table[Shift]
    services: Table[Service]
    appointments: Table[Appointment]
    rooms: Table[Room]
    stays: Table[Stay]
    stay_extras: Table[StayExtra]
    medications: Table[Medication]
    dose_logs: Table[DoseLog]
    incidents: Table[Incident]
    care_passes: Table[CarePass]
    waitlist_entries: Table[WaitlistEntry]
    invoices: Table[Invoice]
    invoice_lines: Table[InvoiceLine]
    payments: Table[Payment]
