"""The tools of Pet Care Centre: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from .database.models import (
    Appointment,
    AppointmentId,
    AppointmentOutcome,
    AppointmentStatus,
    CancelReason,
    Caregiver,
    CaregiverId,
    CaregiverRole,
    CarePass,
    CarePassId,
    Database,
    DayPart,
    DoseLog,
    DoseOutcome,
    ExtraStatus,
    GetOwnerBalanceResult,
    GetPetResult,
    Incident,
    IncidentId,
    IncidentKind,
    IncidentOutcome,
    IncidentStatus,
    Invoice,
    InvoiceId,
    InvoiceLine,
    InvoiceStatus,
    LineKind,
    Medication,
    MedicationId,
    MedicationStatus,
    Owner,
    OwnerId,
    OwnerStanding,
    PassStatus,
    Payment,
    PaymentKind,
    PaymentMethod,
    Pet,
    PetId,
    PetSize,
    PetStatus,
    Room,
    RoomId,
    Service,
    ServiceId,
    ServiceKind,
    ServiceStatus,
    Severity,
    Shift,
    ShiftId,
    ShiftStatus,
    Species,
    Stay,
    StayExtra,
    StayId,
    StayStatus,
    StopReason,
    Vaccination,
    VaccinationId,
    Vaccine,
    WaitlistEntry,
    WaitlistEntryId,
    WaitlistStatus,
)
from .errors import Rejected
from .values import Money, Page, contains, money, page

MAX_VALID_DAYS = 1100
VACCINE_SPECIES = (
    "rabies dog",
    "rabies cat",
    "distemper dog",
    "parvovirus dog",
    "kennel_cough dog",
    "cat_flu cat",
    "myxomatosis rabbit",
)
MAX_PLAN_DAYS = 90
FIRST_HOUR = 6
LAST_HOUR = 22
MAX_CAPACITY = 8
MAX_WAIT_NIGHTS = 30
SIZE_ORDER = ("small", "medium", "large")
MAX_SEARCH_DAYS = 60
BOOKABLE_KINDS = ("grooming", "walk", "training")
VISIT_ROLES = ("grooming groomer", "walk walker", "training trainer")
BILL_DUE_DAYS = 14
PASS_KINDS = ("grooming", "walk", "training")
MIN_PASS_VISITS = 5
MAX_PASS_VISITS = 20
PASS_DAYS = 180
PASS_PERCENT = 90
MAX_STAY_NIGHTS = 30
SIZES_UPWARD = ("small", "medium", "large")
STAY_DUE_DAYS = 14
FREE_CANCEL_DAYS = 3
MAX_EXTRA_QUANTITY = 10
MAX_DAILY_DOSES = 4
MAX_MEDICATION_DAYS = 365


def find_owner_by_email(db: Database, email: str) -> Owner:
    """Finds the one owner registered with an e-mail address, for the front desk.

    Args:
        email: Whole address, upper or lower case, e.g. mara.lind@example.com.

    Raises:
        Rejected: No owner has this e-mail address.
    """
    wanted = email.strip().lower()
    owners = [row for row in db.owners.all() if row.email.lower() == wanted]
    if not owners:
        raise Rejected(f"No owner has the e-mail {email!r}: search by name or phone.")
    return owners[0]


def search_owners(
    db: Database,
    text: str,
    standing: OwnerStanding | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Owner]:
    """Searches owners by part of their name or phone number, for the front desk.

    Args:
        text: Part of a name or phone number, upper or lower case, e.g. lind.
        standing: Only owners with this standing, e.g. blocked.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    owners = [
        row
        for row in db.owners.all()
        if (contains(row.name, text) or contains(row.phone, text))
        and (standing is None or row.standing == standing)
    ]
    return page(owners, cursor, limit)


def register_owner(
    db: Database, name: str, email: str, phone: str, emergency_contact: str | None = None
) -> Owner:
    """Registers a new owner at the front desk.

    Args:
        name: Full name, e.g. Mara Lind.
        email: E-mail address with an @, e.g. mara.lind@example.com.
        phone: Phone number, e.g. +44 20 7946 0102.
        emergency_contact: Name and phone of someone to call instead, e.g. Jon Lind +44 20 7946
            0103.

    Raises:
        Rejected: The name or the phone is blank.
        Rejected: The e-mail has no @.
        Rejected: Another owner already has this e-mail, upper or lower case.
    """
    address = email.strip().lower()
    if not name.strip() or not phone.strip():
        raise Rejected("The name or the phone is blank: give both.")
    if "@" not in address:
        raise Rejected(f"The e-mail {email!r} has no @: give a whole address.")
    if any(row.email.lower() == address for row in db.owners.all()):
        raise Rejected(f"Another owner already has {address}: use that owner.")
    return db.owners.add(
        name=name,
        email=address,
        phone=phone,
        emergency_contact=emergency_contact,
        standing="active",
    )


def set_owner_standing(db: Database, owner_id: OwnerId, standing: OwnerStanding) -> Owner:
    """Blocks an owner who does not pay, or makes a blocked one active again, for managers.

    Args:
        owner_id: The owner, e.g. OWN-0003.
        standing: The new standing: active or blocked.

    Raises:
        Rejected: There is no such owner.
        Rejected: The owner already has this standing.
        Rejected: Blocking an owner who has no open invoice past its due date.
        Rejected: Making an owner active who still has an open invoice past its due date.
    """
    owner = db.owners.get(owner_id)
    overdue = [
        row
        for row in db.invoices.where(owner_id=owner_id, status="open")
        if row.due_on < db.today()
    ]
    if owner.standing == standing:
        raise Rejected(f"{owner.name} is {standing} already: nothing to change.")
    if standing == "blocked" and not overdue:
        raise Rejected(f"{owner.name} has no overdue open invoice: do not block.")
    if standing == "active" and overdue:
        raise Rejected(f"{owner.name} still has overdue invoices: settle them first.")
    return db.owners.update(owner_id, standing=standing)


def search_pets(
    db: Database,
    text: str | None = None,
    owner_id: OwnerId | None = None,
    species: Species | None = None,
    status: PetStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Pet]:
    """Searches pets by part of their name, by owner or by species, for staff.

    Args:
        text: Part of the name, upper or lower case, e.g. bell.
        owner_id: Only pets of this owner, e.g. OWN-0003.
        species: Only this species, e.g. cat.
        status: Only pets with this status, e.g. active.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such owner.
        Rejected: The cursor or limit is bad.
    """
    if owner_id is not None:
        db.owners.get(owner_id)
    pets = [
        row
        for row in db.pets.all()
        if (text is None or contains(row.name, text))
        and (owner_id is None or row.owner_id == owner_id)
        and (species is None or row.species == species)
        and (status is None or row.status == status)
    ]
    return page(pets, cursor, limit)


def register_pet(
    db: Database, owner_id: OwnerId, name: str, species: Species, size: PetSize, born_on: date
) -> Pet:
    """Registers a pet of an owner at the front desk.

    Args:
        owner_id: The owner, e.g. OWN-0003.
        name: Name of the pet, e.g. Bella.
        species: Its species, e.g. dog.
        size: Its size, e.g. medium.
        born_on: Birth date, not after today, e.g. 2023-04-18.

    Raises:
        Rejected: There is no such owner.
        Rejected: The owner is blocked.
        Rejected: The name is blank.
        Rejected: The birth date is after today.
        Rejected: The owner already has an active pet of this species and name, upper or lower case.
    """
    owner = db.owners.get(owner_id)
    if owner.standing == "blocked":
        raise Rejected(f"{owner.name} is blocked: settle overdue invoices first.")
    if not name.strip():
        raise Rejected("The name is blank: give the name of the pet.")
    if born_on > db.today():
        raise Rejected(f"The birth date {born_on} is after today: check it.")
    wanted = name.strip().lower()
    known = db.pets.where(owner_id=owner_id, species=species, status="active")
    if any(row.name.strip().lower() == wanted for row in known):
        raise Rejected(f"{owner.name} already has a {species} called {name}: use it.")
    return db.pets.add(
        owner_id=owner_id,
        name=name,
        species=species,
        size=size,
        born_on=born_on,
        temperament="calm",
        status="active",
    )


def list_vaccinations(
    db: Database,
    pet_id: PetId,
    vaccine: Vaccine | None = None,
    verified: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Vaccination]:
    """Lists the vaccinations of a pet, verified or not.

    Args:
        pet_id: The pet, e.g. PET-0007.
        vaccine: Only this vaccine, e.g. rabies.
        verified: Only verified ones (true) or only unverified ones (false).
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such pet.
        Rejected: The cursor or limit is bad.
    """
    db.pets.get(pet_id)
    rows = [
        row
        for row in db.vaccinations.where(pet_id=pet_id)
        if (vaccine is None or row.vaccine == vaccine)
        and (verified is None or row.verified == verified)
    ]
    return page(rows, cursor, limit)


def record_vaccination(
    db: Database, pet_id: PetId, vaccine: Vaccine, given_on: date, valid_until: date
) -> Vaccination:
    """Records a vaccination of a pet from its certificate, not yet verified.

    Args:
        pet_id: The pet, e.g. PET-0007.
        vaccine: Vaccine given, e.g. rabies.
        given_on: Day it was given, not after today, e.g. 2026-06-08.
        valid_until: Last day it protects, after given_on and at most 1100 days later, e.g.
            2027-06-08.

    Raises:
        Rejected: There is no such pet.
        Rejected: The pet is deceased.
        Rejected: given_on is after today or before the pet was born.
        Rejected: valid_until is not 1 to 1100 days after given_on.
        Rejected: The vaccine is not for the species: rabies dog or cat; distemper, parvovirus,
            kennel_cough dog; cat_flu cat; myxomatosis rabbit.
        Rejected: The pet already has this vaccine recorded for this day.
    """
    pet = db.pets.get(pet_id)
    if pet.status == "deceased":
        raise Rejected(f"{pet.name} is deceased: nothing can be recorded.")
    if not pet.born_on <= given_on <= db.today():
        raise Rejected(f"given_on must be from {pet.born_on} to today: check it.")
    if not 1 <= (valid_until - given_on).days <= MAX_VALID_DAYS:
        raise Rejected(f"valid_until must be 1 to {MAX_VALID_DAYS} days later.")
    if f"{vaccine} {pet.species}" not in VACCINE_SPECIES:
        raise Rejected(f"{vaccine} is not for a {pet.species}: check the certificate.")
    if db.vaccinations.where(pet_id=pet_id, vaccine=vaccine, given_on=given_on):
        raise Rejected(f"{vaccine} on {given_on} is recorded already: verify that one.")
    return db.vaccinations.add(
        pet_id=pet_id,
        vaccine=vaccine,
        given_on=given_on,
        valid_until=valid_until,
        verified=False,
    )


def verify_vaccination(db: Database, vaccination_id: VaccinationId) -> Vaccination:
    """Marks a vaccination as verified after staff checked its certificate.

    Args:
        vaccination_id: The vaccination, e.g. VAC-0012.

    Raises:
        Rejected: There is no such vaccination.
        Rejected: It is already verified.
        Rejected: Its last valid day has passed.
        Rejected: Its pet is deceased.
    """
    row = db.vaccinations.get(vaccination_id)
    if row.verified:
        raise Rejected("The vaccination is verified already: nothing to do.")
    if row.valid_until < db.today():
        raise Rejected(f"It was valid until {row.valid_until}: record a new one.")
    if db.pets.get(row.pet_id).status == "deceased":
        raise Rejected("Its pet is deceased: nothing to verify.")
    return db.vaccinations.update(vaccination_id, verified=True)


def get_pet(db: Database, pet_id: PetId) -> GetPetResult:
    """Gets a pet with its owner and the vaccines it is covered by today, for staff.

    Args:
        pet_id: The pet, e.g. PET-0007.

    Raises:
        Rejected: There is no such pet.
    """
    pet = db.pets.get(pet_id)
    owner = db.owners.get(pet.owner_id)
    today = db.today()
    vaccines = {
        row.vaccine
        for row in db.vaccinations.where(pet_id=pet_id, verified=True)
        if row.valid_until >= today
    }
    return GetPetResult(
        pet_id=pet.pet_id,
        name=pet.name,
        species=pet.species,
        size=pet.size,
        temperament=pet.temperament,
        status=pet.status,
        owner_id=owner.owner_id,
        owner_name=owner.name,
        owner_standing=owner.standing,
        valid_vaccines=tuple(sorted(vaccines)),
    )


def list_caregivers(
    db: Database,
    role: CaregiverRole | None = None,
    handles_difficult: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Caregiver]:
    """Lists caregivers by role or training, for the front desk and managers.

    Args:
        role: Only this role, e.g. groomer.
        handles_difficult: Only those trained for aggressive pets (true) or not trained (false).
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    rows = [
        row
        for row in db.caregivers.all()
        if (role is None or row.role == role)
        and (handles_difficult is None or row.handles_difficult == handles_difficult)
    ]
    return page(rows, cursor, limit)


def list_shifts(
    db: Database,
    from_day: date,
    until_day: date,
    caregiver_id: CaregiverId | None = None,
    status: ShiftStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Shift]:
    """Lists the shifts in a range of days, for managers and caregivers.

    Args:
        from_day: First day, e.g. 2026-06-10.
        until_day: Last day, not before from_day, e.g. 2026-06-16.
        caregiver_id: Only shifts of this caregiver, e.g. CGV-0002.
        status: Only this status, e.g. planned.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such caregiver.
        Rejected: until_day is before from_day.
        Rejected: The cursor or limit is bad.
    """
    if caregiver_id is not None:
        db.caregivers.get(caregiver_id)
    if until_day < from_day:
        raise Rejected(f"{until_day} is before {from_day}: swap the two days.")
    rows = [
        row
        for row in db.shifts.all()
        if from_day <= row.works_on <= until_day
        and (caregiver_id is None or row.caregiver_id == caregiver_id)
        and (status is None or row.status == status)
    ]
    return page(rows, cursor, limit)


def plan_shift(
    db: Database,
    caregiver_id: CaregiverId,
    works_on: date,
    start_hour: int,
    end_hour: int,
    capacity: int,
) -> Shift:
    """Plans a working day of a caregiver, for the manager.

    Args:
        caregiver_id: The caregiver, e.g. CGV-0002.
        works_on: The day, from today to 90 days ahead, e.g. 2026-06-17.
        start_hour: Hour it starts, 6 to 21, e.g. 9.
        end_hour: Hour it ends, after start_hour and at most 22, e.g. 17.
        capacity: How many appointments fit, 1 to 8 and at most one per hour, e.g. 5.

    Raises:
        Rejected: There is no such caregiver.
        Rejected: works_on is before today or more than 90 days ahead.
        Rejected: start_hour is below 6, end_hour is above 22, or end_hour is not after start_hour.
        Rejected: capacity is below 1, above 8, or above the number of hours.
        Rejected: The caregiver already has a planned shift on this day.
    """
    caregiver = db.caregivers.get(caregiver_id)
    if not 0 <= (works_on - db.today()).days <= MAX_PLAN_DAYS:
        raise Rejected(f"works_on must be from today to {MAX_PLAN_DAYS} days ahead.")
    if not FIRST_HOUR <= start_hour < end_hour <= LAST_HOUR:
        raise Rejected(f"Hours must be within {FIRST_HOUR} to {LAST_HOUR}, in order.")
    if not 1 <= capacity <= min(MAX_CAPACITY, end_hour - start_hour):
        raise Rejected(f"capacity must be 1 to {MAX_CAPACITY}, at most one per hour.")
    if db.shifts.where(caregiver_id=caregiver_id, works_on=works_on, status="planned"):
        raise Rejected(f"{caregiver.name} already has a shift on {works_on}: use that.")
    return db.shifts.add(
        caregiver_id=caregiver_id,
        works_on=works_on,
        start_hour=start_hour,
        end_hour=end_hour,
        capacity=capacity,
        status="planned",
    )


def call_off_shift(db: Database, shift_id: ShiftId) -> Shift:
    """Calls off a planned shift that has no booked appointments, for the manager.

    Args:
        shift_id: The shift, e.g. SHF-0011.

    Raises:
        Rejected: There is no such shift.
        Rejected: The shift is not planned.
        Rejected: Its day has passed.
        Rejected: An appointment on it is still booked.
    """
    shift = db.shifts.get(shift_id)
    if shift.status != "planned":
        raise Rejected("The shift is called off already: nothing to do.")
    if shift.works_on < db.today():
        raise Rejected(f"The shift was on {shift.works_on}: it cannot be called off.")
    if db.appointments.where(shift_id=shift_id, status="booked"):
        raise Rejected("Appointments are booked on it: move or cancel them first.")
    return db.shifts.update(shift_id, status="called_off")


def list_services(
    db: Database,
    kind: ServiceKind | None = None,
    species: Species | None = None,
    status: ServiceStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Service]:
    """Lists the services offered, with prices, for owners and staff.

    Args:
        kind: Only this kind, e.g. grooming.
        species: Only services a pet of this species can have, e.g. cat.
        status: Only this status, e.g. on_sale.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    rows = [
        row
        for row in db.services.all()
        if (kind is None or row.kind == kind)
        and (species is None or row.species is None or row.species == species)
        and (status is None or row.status == status)
    ]
    return page(rows, cursor, limit)


def list_waitlist(
    db: Database,
    status: WaitlistStatus | None = None,
    species: Species | None = None,
    pet_id: PetId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[WaitlistEntry]:
    """Lists the waitlist for rooms, earliest joined first, for the front desk.

    Args:
        status: Only this status, e.g. waiting.
        species: Only pets of this species, e.g. dog.
        pet_id: Only entries of this pet, e.g. PET-0007.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such pet.
        Rejected: The cursor or limit is bad.
    """
    if pet_id is not None:
        db.pets.get(pet_id)
    rows = [
        row
        for row in db.waitlist_entries.all()
        if (status is None or row.status == status)
        and (species is None or db.pets.get(row.pet_id).species == species)
        and (pet_id is None or row.pet_id == pet_id)
    ]
    ordered = sorted(rows, key=lambda row: (row.joined_at, row.waitlist_entry_id))
    return page(ordered, cursor, limit)


def join_waitlist(db: Database, pet_id: PetId, first_day: date, last_day: date) -> WaitlistEntry:
    """Puts a pet on the waitlist for a room on wanted days, for its owner.

    Args:
        pet_id: The pet, e.g. PET-0007.
        first_day: Day it would arrive, today or later, e.g. 2026-07-03.
        last_day: Day it would leave, 1 to 30 days after first_day, e.g. 2026-07-08.

    Raises:
        Rejected: There is no such pet.
        Rejected: The pet is deceased.
        Rejected: Its owner is blocked.
        Rejected: first_day is before today.
        Rejected: last_day is not 1 to 30 days after first_day.
        Rejected: The pet already has a waiting or offered entry with overlapping nights.
        Rejected: The pet already has a reserved or checked-in stay with overlapping nights.
    """
    pet = db.pets.get(pet_id)
    if pet.status == "deceased":
        raise Rejected(f"{pet.name} is deceased: it cannot wait for a room.")
    if db.owners.get(pet.owner_id).standing == "blocked":
        raise Rejected(f"The owner of {pet.name} is blocked: settle invoices first.")
    if first_day < db.today():
        raise Rejected(f"first_day {first_day} is before today: choose a later day.")
    if not 1 <= (last_day - first_day).days <= MAX_WAIT_NIGHTS:
        raise Rejected(f"last_day must be 1 to {MAX_WAIT_NIGHTS} days after first_day.")
    if _pet_waits(db, pet_id, first_day, last_day):
        raise Rejected(f"{pet.name} is on the waitlist for these nights already.")
    if _pet_stays(db, pet_id, first_day, last_day):
        raise Rejected(f"{pet.name} has a stay on these nights: extend that instead.")
    return db.waitlist_entries.add(
        pet_id=pet_id,
        first_day=first_day,
        last_day=last_day,
        joined_at=db.now(),
        status="waiting",
    )


def offer_waitlist_room(
    db: Database, waitlist_entry_id: WaitlistEntryId, room_id: RoomId
) -> WaitlistEntry:
    """Offers a free room to a waiting entry, for the front desk.

    Args:
        waitlist_entry_id: The waiting entry, e.g. WTL-0004.
        room_id: The room to offer, e.g. ROM-0005.

    Raises:
        Rejected: There is no such waitlist entry.
        Rejected: There is no such room.
        Rejected: The entry is not waiting.
        Rejected: Its first day has passed.
        Rejected: The owner of its pet is blocked.
        Rejected: The room is closed.
        Rejected: The room is for another species or too small for the pet.
        Rejected: A reserved or checked-in stay has the room on one of these nights.
        Rejected: Another offered entry holds the room on one of these nights.
        Rejected: A waiting entry that joined earlier, whose pet fits this room, wants one of these
            nights.
    """
    entry = db.waitlist_entries.get(waitlist_entry_id)
    room = db.rooms.get(room_id)
    pet = db.pets.get(entry.pet_id)
    if entry.status != "waiting":
        raise Rejected(f"The entry is {entry.status}: choose one that is waiting.")
    if entry.first_day < db.today():
        raise Rejected(f"Its first day {entry.first_day} has passed: choose another.")
    if db.owners.get(pet.owner_id).standing == "blocked":
        raise Rejected(f"The owner of {pet.name} is blocked: settle invoices first.")
    if room.status != "open":
        raise Rejected(f"{room.name} is closed: choose an open room.")
    if not _room_suits(db, room, entry.pet_id):
        raise Rejected(f"{room.name} does not suit {pet.name}: choose another room.")
    _check_nights_free(db, entry, room)
    return db.waitlist_entries.update(waitlist_entry_id, status="offered", room_id=room_id)


def _pet_waits(db: Database, pet_id: PetId, first_day: date, last_day: date) -> bool:
    return any(
        row.status in ("waiting", "offered")
        and row.first_day < last_day
        and first_day < row.last_day
        for row in db.waitlist_entries.where(pet_id=pet_id)
    )


def _pet_stays(db: Database, pet_id: PetId, first_day: date, last_day: date) -> bool:
    return any(
        row.status in ("reserved", "checked_in")
        and row.first_day < last_day
        and first_day < row.last_day
        for row in db.stays.where(pet_id=pet_id)
    )


def _room_suits(db: Database, room: Room, pet_id: PetId) -> bool:
    pet = db.pets.get(pet_id)
    large_enough = SIZE_ORDER.index(pet.size) <= SIZE_ORDER.index(room.max_size)
    return room.species == pet.species and large_enough


def _check_nights_free(db: Database, entry: WaitlistEntry, room: Room) -> None:
    if any(
        row.status in ("reserved", "checked_in")
        and row.first_day < entry.last_day
        and entry.first_day < row.last_day
        for row in db.stays.where(room_id=room.room_id)
    ):
        raise Rejected(f"{room.name} has a stay on these nights: choose another room.")
    if any(
        row.first_day < entry.last_day and entry.first_day < row.last_day
        for row in db.waitlist_entries.where(room_id=room.room_id, status="offered")
    ):
        raise Rejected(f"{room.name} is offered to another entry: choose another room.")
    if any(
        row.joined_at < entry.joined_at
        and row.first_day < entry.last_day
        and entry.first_day < row.last_day
        and _room_suits(db, room, row.pet_id)
        for row in db.waitlist_entries.where(status="waiting")
    ):
        raise Rejected("An earlier waiting entry wants these nights: offer it first.")


def find_open_shifts(
    db: Database,
    service_id: ServiceId,
    from_day: date,
    until_day: date,
    pet_id: PetId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Shift]:
    """Finds planned shifts with a place left by caregivers who can do a service, for booking.

    Args:
        service_id: Grooming, walk or training service, e.g. SVC-0002.
        from_day: First day, today or later, e.g. 2026-06-11.
        until_day: Last day, 0 to 60 days after from_day, e.g. 2026-06-18.
        pet_id: If the pet is aggressive, only caregivers trained for it, e.g. PET-0007.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such service.
        Rejected: There is no such pet.
        Rejected: from_day is before today.
        Rejected: until_day is not 0 to 60 days after from_day.
        Rejected: The service is not grooming, walk or training.
        Rejected: The cursor or limit is bad.
    """
    service = db.services.get(service_id)
    careful = False
    if pet_id is not None:
        careful = db.pets.get(pet_id).temperament == "aggressive"
    if from_day < db.today():
        raise Rejected(f"from_day {from_day} is before today: start today or later.")
    if not 0 <= (until_day - from_day).days <= MAX_SEARCH_DAYS:
        raise Rejected(f"until_day must be 0 to {MAX_SEARCH_DAYS} days after from_day.")
    if service.kind not in BOOKABLE_KINDS:
        raise Rejected(f"{service.name} is not grooming, walk or training: choose one.")
    rows = [
        row
        for row in db.shifts.where(status="planned")
        if from_day <= row.works_on <= until_day
        and _can_do(db, row, service)
        and _has_place(db, row)
        and (not careful or db.caregivers.get(row.caregiver_id).handles_difficult)
    ]
    return page(rows, cursor, limit)


def list_appointments(
    db: Database,
    pet_id: PetId | None = None,
    shift_id: ShiftId | None = None,
    visit_on: date | None = None,
    status: AppointmentStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Appointment]:
    """Lists appointments by pet, shift, day or status, for owners and staff.

    Args:
        pet_id: Only this pet, e.g. PET-0007.
        shift_id: Only this shift, e.g. SHF-0011.
        visit_on: Only this day, e.g. 2026-06-11.
        status: Only this status, e.g. booked.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such pet.
        Rejected: There is no such shift.
        Rejected: The cursor or limit is bad.
    """
    if pet_id is not None:
        db.pets.get(pet_id)
    if shift_id is not None:
        db.shifts.get(shift_id)
    rows = [
        row
        for row in db.appointments.all()
        if (pet_id is None or row.pet_id == pet_id)
        and (shift_id is None or row.shift_id == shift_id)
        and (visit_on is None or row.visit_on == visit_on)
        and (status is None or row.status == status)
    ]
    return page(rows, cursor, limit)


def book_appointment(
    db: Database,
    pet_id: PetId,
    service_id: ServiceId,
    shift_id: ShiftId,
    care_pass_id: CarePassId | None = None,
) -> Appointment:
    """Books a pet for a service on a shift, paid later or with a visit of a pass.

    Args:
        pet_id: The pet, e.g. PET-0007.
        service_id: Grooming, walk or training service, e.g. SVC-0002.
        shift_id: Planned shift from today on, e.g. SHF-0011.
        care_pass_id: Pass of the owner for this service to pay with, e.g. PAS-0003.

    Raises:
        Rejected: There is no such pet.
        Rejected: There is no such service.
        Rejected: There is no such shift.
        Rejected: There is no such care pass.
        Rejected: The pet is deceased or its owner is blocked.
        Rejected: The service is not on sale, is not grooming, walk or training, or is not for the
            species.
        Rejected: The shift is not planned or its day has passed.
        Rejected: The role of the caregiver does not fit: groomer for grooming, walker for walk,
            trainer for training.
        Rejected: The shift has as many booked appointments as its capacity.
        Rejected: The pet is aggressive and the caregiver is not trained for difficult pets.
        Rejected: The pet already has a booked appointment on this day.
        Rejected: The pass is of another owner or service, not active, has no visits left, or is not
            valid on the day.
    """
    pet = db.pets.get(pet_id)
    service = db.services.get(service_id)
    shift = db.shifts.get(shift_id)
    care_pass = None if care_pass_id is None else db.care_passes.get(care_pass_id)
    if pet.status == "deceased" or db.owners.get(pet.owner_id).standing == "blocked":
        raise Rejected(f"{pet.name} is deceased or its owner is blocked: settle that.")
    _check_service(db, service, pet_id)
    _check_shift(db, shift, service, pet)
    if db.appointments.where(pet_id=pet_id, visit_on=shift.works_on, status="booked"):
        raise Rejected(f"{pet.name} is booked on {shift.works_on}: choose another day.")
    if care_pass is not None:
        _check_pass(db, care_pass, pet_id, service_id, shift.works_on)
    if care_pass is None:
        return db.appointments.add(
            pet_id=pet_id,
            service_id=service_id,
            shift_id=shift_id,
            visit_on=shift.works_on,
            price=service.price,
            status="booked",
        )
    left = care_pass.visits_left - 1
    db.care_passes.update(
        care_pass.care_pass_id,
        visits_left=left,
        status="active" if left > 0 else "ended",
    )
    return db.appointments.add(
        pet_id=pet_id,
        service_id=service_id,
        shift_id=shift_id,
        visit_on=shift.works_on,
        care_pass_id=care_pass.care_pass_id,
        price=money(0),
        status="booked",
    )


def move_appointment(db: Database, appointment_id: AppointmentId, shift_id: ShiftId) -> Appointment:
    """Moves a booked appointment to another shift before its day, for its owner.

    Args:
        appointment_id: The booked appointment, e.g. APT-0009.
        shift_id: The new planned shift, e.g. SHF-0014.

    Raises:
        Rejected: There is no such appointment.
        Rejected: There is no such shift.
        Rejected: The appointment is not booked.
        Rejected: Its day is today or has passed.
        Rejected: It is on this shift already.
        Rejected: The new shift is not planned or its day has passed.
        Rejected: The role of the new caregiver does not fit the service, or the pet is aggressive
            and the caregiver not trained.
        Rejected: The new shift has as many booked appointments as its capacity.
        Rejected: The pet has another booked appointment on the new day.
        Rejected: It is paid with a pass that is not valid on the new day.
    """
    appointment = db.appointments.get(appointment_id)
    shift = db.shifts.get(shift_id)
    pet = db.pets.get(appointment.pet_id)
    service = db.services.get(appointment.service_id)
    if appointment.status != "booked":
        raise Rejected(f"The appointment is {appointment.status}: book a new one.")
    if appointment.visit_on <= db.today():
        raise Rejected("It is due today or has passed: cancel or close it instead.")
    if appointment.shift_id == shift_id:
        raise Rejected("It is on this shift already: choose another shift.")
    _check_shift(db, shift, service, pet)
    if any(
        row.appointment_id != appointment_id
        for row in db.appointments.where(
            pet_id=pet.pet_id, visit_on=shift.works_on, status="booked"
        )
    ):
        raise Rejected(f"{pet.name} is booked on {shift.works_on}: choose another day.")
    if _pass_ends_before(db, appointment, shift.works_on):
        raise Rejected(f"Its pass ends before {shift.works_on}: choose an earlier day.")
    return db.appointments.update(appointment_id, shift_id=shift_id, visit_on=shift.works_on)


def _can_do(db: Database, shift: Shift, service: Service) -> bool:
    caregiver = db.caregivers.get(shift.caregiver_id)
    return f"{service.kind} {caregiver.role}" in VISIT_ROLES


def _has_place(db: Database, shift: Shift) -> bool:
    booked = db.appointments.where(shift_id=shift.shift_id, status="booked")
    return len(booked) < shift.capacity


def _check_service(db: Database, service: Service, pet_id: PetId) -> None:
    pet = db.pets.get(pet_id)
    open_to_all = service.species is None
    if (
        service.status != "on_sale"
        or service.kind not in BOOKABLE_KINDS
        or not (open_to_all or service.species == pet.species)
    ):
        raise Rejected(f"{service.name} cannot be booked for {pet.name}: list others.")


def _check_shift(db: Database, shift: Shift, service: Service, pet: Pet) -> None:
    caregiver = db.caregivers.get(shift.caregiver_id)
    if shift.status != "planned" or shift.works_on < db.today():
        raise Rejected("The shift is called off or past: find an open shift.")
    if not _can_do(db, shift, service):
        raise Rejected(f"A {caregiver.role} does not do {service.name}: find another.")
    if not _has_place(db, shift):
        raise Rejected(f"The shift of {caregiver.name} is full: find an open shift.")
    if pet.temperament == "aggressive" and not caregiver.handles_difficult:
        raise Rejected(f"{caregiver.name} is not trained for {pet.name}: find another.")


def _check_pass(
    db: Database, care_pass: CarePass, pet_id: PetId, service_id: ServiceId, day: date
) -> None:
    pet = db.pets.get(pet_id)
    if (
        care_pass.owner_id != pet.owner_id
        or care_pass.service_id != service_id
        or care_pass.status != "active"
        or care_pass.valid_until < day
    ):
        raise Rejected(f"The pass does not fit this visit on {day}: list the passes.")


def _pass_ends_before(db: Database, appointment: Appointment, day: date) -> bool:
    if appointment.care_pass_id is None:
        return False
    return db.care_passes.get(appointment.care_pass_id).valid_until < day


def cancel_appointment(
    db: Database, appointment_id: AppointmentId, reason: CancelReason
) -> Appointment:
    """Cancels a booked appointment; an owner who cancels on the day pays or loses the visit.

    Args:
        appointment_id: The booked appointment, e.g. APT-0009.
        reason: Why, e.g. owner_request.

    Raises:
        Rejected: There is no such appointment.
        Rejected: The appointment is not booked.
        Rejected: Its day has passed.
    """
    appointment = db.appointments.get(appointment_id)
    if appointment.status != "booked":
        raise Rejected(f"The appointment is {appointment.status}: leave it so.")
    if appointment.visit_on < db.today():
        raise Rejected("Its day has passed: close it as completed or missed.")
    late = appointment.visit_on == db.today() and reason == "owner_request"
    if appointment.care_pass_id is None:
        if late:
            _bill_visit(db, appointment, "fee", money(appointment.price / 2))
    elif not late:
        care_pass = db.care_passes.get(appointment.care_pass_id)
        db.care_passes.update(
            care_pass.care_pass_id,
            visits_left=care_pass.visits_left + 1,
            status="active",
        )
    return db.appointments.update(appointment_id, status="cancelled", cancel_reason=reason)


def close_appointment(
    db: Database, appointment_id: AppointmentId, outcome: AppointmentOutcome
) -> Appointment:
    """Closes a booked appointment as completed or missed and bills it, for caregivers.

    Args:
        appointment_id: The booked appointment, e.g. APT-0009.
        outcome: completed or missed.

    Raises:
        Rejected: There is no such appointment.
        Rejected: The appointment is not booked.
        Rejected: Its day is still to come.
    """
    appointment = db.appointments.get(appointment_id)
    if appointment.status != "booked":
        raise Rejected(f"The appointment is {appointment.status}: it cannot be closed.")
    if appointment.visit_on > db.today():
        raise Rejected(f"It is on {appointment.visit_on}: close it on that day.")
    if appointment.care_pass_id is None:
        if outcome == "completed":
            _bill_visit(db, appointment, "appointment", appointment.price)
        else:
            _bill_visit(db, appointment, "fee", money(appointment.price / 2))
    return db.appointments.update(appointment_id, status=outcome)


def list_care_passes(
    db: Database,
    owner_id: OwnerId,
    service_id: ServiceId | None = None,
    status: PassStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[CarePass]:
    """Lists the prepaid passes of an owner, for the owner and the front desk.

    Args:
        owner_id: The owner, e.g. OWN-0003.
        service_id: Only passes for this service, e.g. SVC-0002.
        status: Only this status, e.g. active.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such owner.
        Rejected: There is no such service.
        Rejected: The cursor or limit is bad.
    """
    db.owners.get(owner_id)
    if service_id is not None:
        db.services.get(service_id)
    rows = [
        row
        for row in db.care_passes.where(owner_id=owner_id)
        if (service_id is None or row.service_id == service_id)
        and (status is None or row.status == status)
    ]
    return page(rows, cursor, limit)


def sell_care_pass(db: Database, owner_id: OwnerId, service_id: ServiceId, visits: int) -> CarePass:
    """Sells an owner a pass of prepaid visits at ten percent off and bills it.

    Args:
        owner_id: The buyer, e.g. OWN-0003.
        service_id: Grooming, walk or training service, e.g. SVC-0002.
        visits: Visits bought, 5 to 20, e.g. 10.

    Raises:
        Rejected: There is no such owner.
        Rejected: There is no such service.
        Rejected: The owner is blocked.
        Rejected: The service is not on sale, or is not grooming, walk or training.
        Rejected: visits is not 5 to 20.
        Rejected: The owner already has an active pass for this service that is still valid today.
    """
    owner = db.owners.get(owner_id)
    service = db.services.get(service_id)
    today = db.today()
    if owner.standing == "blocked":
        raise Rejected(f"{owner.name} is blocked: settle overdue invoices first.")
    if service.status != "on_sale" or service.kind not in PASS_KINDS:
        raise Rejected(f"No pass is sold for {service.name}: choose another service.")
    if not MIN_PASS_VISITS <= visits <= MAX_PASS_VISITS:
        raise Rejected(f"visits must be {MIN_PASS_VISITS} to {MAX_PASS_VISITS}.")
    if any(
        row.valid_until >= today
        for row in db.care_passes.where(owner_id=owner_id, service_id=service_id, status="active")
    ):
        raise Rejected(f"{owner.name} has a valid pass for {service.name}: use that.")
    price = money(service.price * PASS_PERCENT / 100)
    care_pass = db.care_passes.add(
        owner_id=owner_id,
        service_id=service_id,
        visits_bought=visits,
        visits_left=visits,
        valid_until=today + timedelta(days=PASS_DAYS),
        status="active",
    )
    invoice = _open_bill(db, owner_id, money(price * visits))
    db.invoice_lines.add(
        invoice_id=invoice.invoice_id,
        kind="care_pass",
        care_pass_id=care_pass.care_pass_id,
        quantity=visits,
        unit_price=price,
        amount=invoice.total,
    )
    return care_pass


def _open_bill(db: Database, owner_id: OwnerId, total: Decimal) -> Invoice:
    today = db.today()
    return db.invoices.add(
        owner_id=owner_id,
        issued_on=today,
        due_on=today + timedelta(days=BILL_DUE_DAYS),
        total=total,
        amount_paid=money(0),
        status="open",
    )


def _bill_visit(db: Database, appointment: Appointment, kind: LineKind, amount: Decimal) -> None:
    owner_id = db.pets.get(appointment.pet_id).owner_id
    invoice = _open_bill(db, owner_id, amount)
    db.invoice_lines.add(
        invoice_id=invoice.invoice_id,
        kind=kind,
        appointment_id=appointment.appointment_id,
        quantity=1,
        unit_price=amount,
        amount=amount,
    )


def find_free_rooms(
    db: Database,
    pet_id: PetId,
    first_day: date,
    last_day: date,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Room]:
    """Finds open rooms that suit a pet and are free on all wanted nights.

    Args:
        pet_id: The pet, e.g. PET-0007.
        first_day: Day of arrival, today or later, e.g. 2026-06-20.
        last_day: Day of departure, 1 to 30 days after first_day, e.g. 2026-06-24.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such pet.
        Rejected: first_day is before today.
        Rejected: last_day is not 1 to 30 days after first_day.
        Rejected: The cursor or limit is bad.
    """
    pet = db.pets.get(pet_id)
    _check_days(db, first_day, last_day)
    rooms = [
        row
        for row in db.rooms.where(species=pet.species, status="open")
        if _room_fits(db, row, pet_id)
        and not _room_has_stay(db, row.room_id, first_day, last_day)
        and not _room_held(db, row.room_id, pet_id, first_day, last_day)
    ]
    return page(rooms, cursor, limit)


def list_stays(
    db: Database,
    pet_id: PetId | None = None,
    room_id: RoomId | None = None,
    status: StayStatus | None = None,
    day: date | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Stay]:
    """Lists stays by pet, room, status or a day, for owners and staff.

    Args:
        pet_id: Only this pet, e.g. PET-0007.
        room_id: Only this room, e.g. ROM-0005.
        status: Only this status, e.g. reserved.
        day: Only stays with first_day up to and last_day from this day, e.g. 2026-06-10.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such pet.
        Rejected: There is no such room.
        Rejected: The cursor or limit is bad.
    """
    if pet_id is not None:
        db.pets.get(pet_id)
    if room_id is not None:
        db.rooms.get(room_id)
    rows = [
        row
        for row in db.stays.all()
        if (pet_id is None or row.pet_id == pet_id)
        and (room_id is None or row.room_id == room_id)
        and (status is None or row.status == status)
        and (day is None or row.first_day <= day <= row.last_day)
    ]
    return page(rows, cursor, limit)


def reserve_stay(
    db: Database, pet_id: PetId, room_id: RoomId, first_day: date, last_day: date
) -> Stay:
    """Reserves a room for a pet from a first to a last day, for its owner.

    Args:
        pet_id: The pet, e.g. PET-0007.
        room_id: The room, e.g. ROM-0005.
        first_day: Day of arrival, today or later, e.g. 2026-06-20.
        last_day: Day of departure, 1 to 30 days after first_day, e.g. 2026-06-24.

    Raises:
        Rejected: There is no such pet.
        Rejected: There is no such room.
        Rejected: The pet is deceased or its owner is blocked.
        Rejected: first_day is before today.
        Rejected: last_day is not 1 to 30 days after first_day.
        Rejected: The room is closed.
        Rejected: The room is for another species or too small for the pet.
        Rejected: A reserved or checked-in stay has the room on one of these nights.
        Rejected: The room is offered to the waitlist entry of another pet on one of these nights.
        Rejected: The pet already has a reserved or checked-in stay on one of these nights.
    """
    pet = db.pets.get(pet_id)
    room = db.rooms.get(room_id)
    if pet.status == "deceased" or db.owners.get(pet.owner_id).standing == "blocked":
        raise Rejected(f"{pet.name} is deceased or its owner is blocked: settle that.")
    _check_days(db, first_day, last_day)
    if room.status != "open":
        raise Rejected(f"{room.name} is closed: choose an open room.")
    if not _room_fits(db, room, pet_id):
        raise Rejected(f"{room.name} does not suit {pet.name}: find free rooms.")
    if _room_has_stay(db, room_id, first_day, last_day):
        raise Rejected(f"{room.name} is taken on these nights: find free rooms.")
    if _room_held(db, room_id, pet_id, first_day, last_day):
        raise Rejected(f"{room.name} is offered to another pet: find free rooms.")
    if _pet_has_stay(db, pet_id, first_day, last_day):
        raise Rejected(f"{pet.name} has a stay on these nights: extend that instead.")
    stay = db.stays.add(
        pet_id=pet_id,
        room_id=room_id,
        first_day=first_day,
        last_day=last_day,
        nightly_rate=room.nightly_rate,
        status="reserved",
    )
    for entry in _open_entries(db, pet_id, first_day, last_day):
        db.waitlist_entries.update(entry.waitlist_entry_id, status="taken")
    return stay


def extend_stay(db: Database, stay_id: StayId, last_day: date) -> Stay:
    """Moves the last day of a stay later in the same room, for its owner.

    Args:
        stay_id: The stay, e.g. STY-0006.
        last_day: New day of departure, after the present one, e.g. 2026-06-27.

    Raises:
        Rejected: There is no such stay.
        Rejected: The stay is not reserved or checked in.
        Rejected: last_day is not after the present last day.
        Rejected: The stay would be longer than 30 nights.
        Rejected: Another reserved or checked-in stay has the room on one of the added nights.
        Rejected: The room is offered to the waitlist entry of another pet on one of the added
            nights.
        Rejected: A checked-in dog or cat has no verified rabies vaccination valid up to the new
            last day.
    """
    stay = db.stays.get(stay_id)
    if stay.status not in ("reserved", "checked_in"):
        raise Rejected(f"The stay is {stay.status}: reserve a new one.")
    if last_day <= stay.last_day:
        raise Rejected(f"last_day must be after {stay.last_day}: choose a later day.")
    if (last_day - stay.first_day).days > MAX_STAY_NIGHTS:
        raise Rejected(f"A stay has at most {MAX_STAY_NIGHTS} nights: choose earlier.")
    if _room_has_stay(db, stay.room_id, stay.last_day, last_day):
        raise Rejected("Its room is taken on the added nights: choose an earlier day.")
    if _room_held(db, stay.room_id, stay.pet_id, stay.last_day, last_day):
        raise Rejected("Its room is offered to another pet then: choose earlier.")
    if stay.status == "checked_in" and not _rabies_covers(db, stay.pet_id, last_day):
        raise Rejected(f"No verified rabies vaccination until {last_day}: verify one.")
    return db.stays.update(stay_id, last_day=last_day)


def check_in_stay(db: Database, stay_id: StayId) -> Stay:
    """Checks a pet in for its reserved stay on the first day or later, at the front desk.

    Args:
        stay_id: The stay, e.g. STY-0006.

    Raises:
        Rejected: There is no such stay.
        Rejected: The stay is not reserved.
        Rejected: Its first day is still to come or its last day has passed.
        Rejected: The owner of the pet is blocked.
        Rejected: The room is closed.
        Rejected: The pet is a dog or cat without a verified rabies vaccination valid up to the last
            day.
        Rejected: Another stay in this room is still checked in.
    """
    stay = db.stays.get(stay_id)
    pet = db.pets.get(stay.pet_id)
    if stay.status != "reserved":
        raise Rejected(f"The stay is {stay.status}: only a reserved one is checked in.")
    if not stay.first_day <= db.today() <= stay.last_day:
        raise Rejected(f"It runs from {stay.first_day} to {stay.last_day}: come then.")
    if db.owners.get(pet.owner_id).standing == "blocked":
        raise Rejected(f"The owner of {pet.name} is blocked: settle invoices first.")
    if db.rooms.get(stay.room_id).status != "open":
        raise Rejected("Its room is closed: cancel the stay and reserve another room.")
    if not _rabies_covers(db, pet.pet_id, stay.last_day):
        raise Rejected(f"No verified rabies cover until {stay.last_day}: verify one.")
    if db.stays.where(room_id=stay.room_id, status="checked_in"):
        raise Rejected("Another pet is still in the room: check that one out first.")
    return db.stays.update(stay_id, status="checked_in")


def _check_days(db: Database, first_day: date, last_day: date) -> None:
    if first_day < db.today():
        raise Rejected(f"first_day {first_day} is before today: choose a later day.")
    if not 1 <= (last_day - first_day).days <= MAX_STAY_NIGHTS:
        raise Rejected(f"last_day must be 1 to {MAX_STAY_NIGHTS} days after first_day.")


def _room_fits(db: Database, room: Room, pet_id: PetId) -> bool:
    pet = db.pets.get(pet_id)
    large_enough = SIZES_UPWARD.index(pet.size) <= SIZES_UPWARD.index(room.max_size)
    return room.species == pet.species and large_enough


def _room_has_stay(db: Database, room_id: RoomId, first_day: date, last_day: date) -> bool:
    return any(
        row.status in ("reserved", "checked_in")
        and row.first_day < last_day
        and first_day < row.last_day
        for row in db.stays.where(room_id=room_id)
    )


def _room_held(
    db: Database, room_id: RoomId, pet_id: PetId, first_day: date, last_day: date
) -> bool:
    return any(
        row.pet_id != pet_id and row.first_day < last_day and first_day < row.last_day
        for row in db.waitlist_entries.where(room_id=room_id, status="offered")
    )


def _pet_has_stay(db: Database, pet_id: PetId, first_day: date, last_day: date) -> bool:
    return any(
        row.status in ("reserved", "checked_in")
        and row.first_day < last_day
        and first_day < row.last_day
        for row in db.stays.where(pet_id=pet_id)
    )


def _open_entries(
    db: Database, pet_id: PetId, first_day: date, last_day: date
) -> list[WaitlistEntry]:
    return [
        row
        for row in db.waitlist_entries.where(pet_id=pet_id)
        if row.status in ("waiting", "offered")
        and row.first_day < last_day
        and first_day < row.last_day
    ]


def _rabies_covers(db: Database, pet_id: PetId, day: date) -> bool:
    if db.pets.get(pet_id).species not in ("dog", "cat"):
        return True
    return any(
        row.valid_until >= day
        for row in db.vaccinations.where(pet_id=pet_id, vaccine="rabies", verified=True)
    )


def check_out_stay(db: Database, stay_id: StayId) -> Invoice:
    """Checks a pet out and bills the nights and extras of its stay, at the front desk.

    Args:
        stay_id: The stay, e.g. STY-0006.

    Raises:
        Rejected: There is no such stay.
        Rejected: The stay is not checked in.
    """
    stay = db.stays.get(stay_id)
    today = db.today()
    if stay.status != "checked_in":
        raise Rejected(f"The stay is {stay.status}: only a checked-in one leaves.")
    extras = db.stay_extras.where(stay_id=stay_id, status="ordered")
    nights = (max(today, stay.last_day) - stay.first_day).days
    board = money(stay.nightly_rate * nights)
    extra_total = sum((row.unit_price * row.quantity for row in extras), money(0))
    invoice = _open_stay_bill(db, stay, money(board + extra_total))
    db.invoice_lines.add(
        invoice_id=invoice.invoice_id,
        kind="stay",
        stay_id=stay_id,
        quantity=nights,
        unit_price=stay.nightly_rate,
        amount=board,
    )
    for extra in extras:
        db.stay_extras.update(extra.stay_extra_id, status="done")
        db.invoice_lines.add(
            invoice_id=invoice.invoice_id,
            kind="extra",
            stay_id=stay_id,
            stay_extra_id=extra.stay_extra_id,
            quantity=extra.quantity,
            unit_price=extra.unit_price,
            amount=money(extra.unit_price * extra.quantity),
        )
    db.stays.update(stay_id, status="checked_out", left_on=today)
    return invoice


def cancel_stay(db: Database, stay_id: StayId, reason: CancelReason) -> Stay:
    """Cancels a reserved stay; an owner who cancels late pays one night.

    Args:
        stay_id: The stay, e.g. STY-0006.
        reason: Why, e.g. pet_ill.

    Raises:
        Rejected: There is no such stay.
        Rejected: The stay is not reserved.
    """
    stay = db.stays.get(stay_id)
    if stay.status != "reserved":
        raise Rejected(f"The stay is {stay.status}: only a reserved one is cancelled.")
    for extra in db.stay_extras.where(stay_id=stay_id, status="ordered"):
        db.stay_extras.update(extra.stay_extra_id, status="dropped")
    days_left = (stay.first_day - db.today()).days
    if reason == "owner_request" and days_left < FREE_CANCEL_DAYS:
        invoice = _open_stay_bill(db, stay, stay.nightly_rate)
        db.invoice_lines.add(
            invoice_id=invoice.invoice_id,
            kind="fee",
            stay_id=stay_id,
            quantity=1,
            unit_price=stay.nightly_rate,
            amount=stay.nightly_rate,
        )
    return db.stays.update(stay_id, status="cancelled", cancel_reason=reason)


def list_stay_extras(
    db: Database,
    stay_id: StayId,
    status: ExtraStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[StayExtra]:
    """Lists the extras ordered for a stay, for owners and caregivers.

    Args:
        stay_id: The stay, e.g. STY-0006.
        status: Only this status, e.g. ordered.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such stay.
        Rejected: The cursor or limit is bad.
    """
    db.stays.get(stay_id)
    rows = [
        row
        for row in db.stay_extras.where(stay_id=stay_id)
        if status is None or row.status == status
    ]
    return page(rows, cursor, limit)


def add_stay_extra(
    db: Database, stay_id: StayId, service_id: ServiceId, quantity: int
) -> StayExtra:
    """Orders an extra service such as a bath for a stay, for its owner.

    Args:
        stay_id: The stay, e.g. STY-0006.
        service_id: Stay extra service on sale for the species, e.g. SVC-0010.
        quantity: How often, 1 to 10, e.g. 2.

    Raises:
        Rejected: There is no such stay.
        Rejected: There is no such service.
        Rejected: The stay is not reserved or checked in.
        Rejected: The service is not a stay extra or not on sale.
        Rejected: The service is not for the species of the pet.
        Rejected: quantity is not 1 to 10.
        Rejected: The same service is already ordered for this stay.
    """
    stay = db.stays.get(stay_id)
    service = db.services.get(service_id)
    pet = db.pets.get(stay.pet_id)
    if stay.status not in ("reserved", "checked_in"):
        raise Rejected(f"The stay is {stay.status}: nothing can be ordered for it.")
    if service.kind != "stay_extra" or service.status != "on_sale":
        raise Rejected(f"{service.name} is not an extra on sale: choose another one.")
    if service.species is not None and service.species != pet.species:
        raise Rejected(f"{service.name} is not for a {pet.species}: choose another.")
    if not 1 <= quantity <= MAX_EXTRA_QUANTITY:
        raise Rejected(f"quantity must be 1 to {MAX_EXTRA_QUANTITY}.")
    if db.stay_extras.where(stay_id=stay_id, service_id=service_id, status="ordered"):
        raise Rejected(f"{service.name} is ordered for this stay already: keep that.")
    return db.stay_extras.add(
        stay_id=stay_id,
        service_id=service_id,
        quantity=quantity,
        unit_price=service.price,
        status="ordered",
    )


def _open_stay_bill(db: Database, stay: Stay, total: Decimal) -> Invoice:
    today = db.today()
    return db.invoices.add(
        owner_id=db.pets.get(stay.pet_id).owner_id,
        issued_on=today,
        due_on=today + timedelta(days=STAY_DUE_DAYS),
        total=total,
        amount_paid=money(0),
        status="open",
    )


def list_medications(
    db: Database,
    pet_id: PetId,
    status: MedicationStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Medication]:
    """Lists the medication instructions of a pet, for caregivers and owners.

    Args:
        pet_id: The pet, e.g. PET-0007.
        status: Only this status, e.g. active.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such pet.
        Rejected: The cursor or limit is bad.
    """
    db.pets.get(pet_id)
    rows = [
        row for row in db.medications.where(pet_id=pet_id) if status is None or row.status == status
    ]
    return page(rows, cursor, limit)


def start_medication(
    db: Database, pet_id: PetId, medicine: str, dose: str, daily_limit: int, until_day: date
) -> Medication:
    """Starts a medication instruction for a pet from today on, for its owner.

    Args:
        pet_id: The pet, e.g. PET-0007.
        medicine: Name of the medicine, e.g. Carprofen.
        dose: Dose each time, e.g. 20 mg with food.
        daily_limit: Most doses a day, 1 to 4, e.g. 2.
        until_day: Last day, from today to 365 days ahead, e.g. 2026-06-24.

    Raises:
        Rejected: There is no such pet.
        Rejected: The pet is deceased.
        Rejected: The medicine or the dose is blank.
        Rejected: daily_limit is not 1 to 4.
        Rejected: until_day is before today or more than 365 days ahead.
        Rejected: The pet already has an active instruction for this medicine, upper or lower case.
    """
    pet = db.pets.get(pet_id)
    today = db.today()
    if pet.status == "deceased":
        raise Rejected(f"{pet.name} is deceased: no medication can start.")
    if not medicine.strip() or not dose.strip():
        raise Rejected("The medicine or the dose is blank: give both.")
    if not 1 <= daily_limit <= MAX_DAILY_DOSES:
        raise Rejected(f"daily_limit must be 1 to {MAX_DAILY_DOSES}.")
    if not 0 <= (until_day - today).days <= MAX_MEDICATION_DAYS:
        raise Rejected(f"until_day must be today to {MAX_MEDICATION_DAYS} days ahead.")
    wanted = medicine.strip().lower()
    current = db.medications.where(pet_id=pet_id, status="active")
    if any(row.medicine.strip().lower() == wanted for row in current):
        raise Rejected(f"{pet.name} already gets {medicine}: stop that one first.")
    return db.medications.add(
        pet_id=pet_id,
        medicine=medicine,
        dose=dose,
        daily_limit=daily_limit,
        from_day=today,
        until_day=until_day,
        status="active",
    )


def stop_medication(db: Database, medication_id: MedicationId, reason: StopReason) -> Medication:
    """Stops an active medication instruction, for its owner.

    Args:
        medication_id: The instruction, e.g. MED-0004.
        reason: Why, e.g. vet_advice.

    Raises:
        Rejected: There is no such medication.
        Rejected: The instruction is not active.
    """
    medication = db.medications.get(medication_id)
    if medication.stop_reason is not None:
        raise Rejected(f"{medication.medicine} is stopped already: nothing to do.")
    return db.medications.update(medication_id, status="stopped", stop_reason=reason)


def list_doses(
    db: Database,
    medication_id: MedicationId | None = None,
    stay_id: StayId | None = None,
    given_on: date | None = None,
    outcome: DoseOutcome | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[DoseLog]:
    """Lists logged doses by medication, stay or day, for caregivers and owners.

    Args:
        medication_id: Only this instruction, e.g. MED-0004.
        stay_id: Only this stay, e.g. STY-0006.
        given_on: Only this day, e.g. 2026-06-10.
        outcome: Only this outcome, e.g. refused.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such medication.
        Rejected: There is no such stay.
        Rejected: The cursor or limit is bad.
    """
    if medication_id is not None:
        db.medications.get(medication_id)
    if stay_id is not None:
        db.stays.get(stay_id)
    rows = [
        row
        for row in db.dose_logs.all()
        if (medication_id is None or row.medication_id == medication_id)
        and (stay_id is None or row.stay_id == stay_id)
        and (given_on is None or row.given_on == given_on)
        and (outcome is None or row.outcome == outcome)
    ]
    return page(rows, cursor, limit)


def log_dose(
    db: Database,
    medication_id: MedicationId,
    stay_id: StayId,
    caregiver_id: CaregiverId,
    day_part: DayPart,
    outcome: DoseOutcome,
) -> DoseLog:
    """Logs a dose given to, or refused by, a pet during its stay today, for caregivers.

    Args:
        medication_id: The instruction, e.g. MED-0004.
        stay_id: The checked-in stay of the same pet, e.g. STY-0006.
        caregiver_id: Who gave it and is on shift today, e.g. CGV-0002.
        day_part: Time of day, e.g. morning.
        outcome: given or refused.

    Raises:
        Rejected: There is no such medication.
        Rejected: There is no such stay.
        Rejected: There is no such caregiver.
        Rejected: The instruction is not active, or today is not within its days.
        Rejected: The stay is not checked in.
        Rejected: The stay is of another pet than the medication.
        Rejected: The caregiver has no planned shift today.
        Rejected: A dose of it was already given at this time of today.
        Rejected: outcome is given and the doses of it given today have reached the daily limit.
    """
    medication = db.medications.get(medication_id)
    stay = db.stays.get(stay_id)
    caregiver = db.caregivers.get(caregiver_id)
    today = db.today()
    given = db.dose_logs.where(medication_id=medication_id, given_on=today, outcome="given")
    within = medication.from_day <= today <= medication.until_day
    if medication.status != "active" or not within:
        raise Rejected(f"{medication.medicine} is not due today: start a new one.")
    if stay.status != "checked_in":
        raise Rejected(f"The stay is {stay.status}: choose the checked-in stay.")
    if stay.pet_id != medication.pet_id:
        raise Rejected("The stay is of another pet: choose the stay of this pet.")
    if not db.shifts.where(caregiver_id=caregiver_id, works_on=today, status="planned"):
        raise Rejected(f"{caregiver.name} has no shift today: name who is on shift.")
    if any(row.day_part == day_part for row in given):
        raise Rejected(f"A dose was given this {day_part} already: log another time.")
    if outcome == "given" and len(given) >= medication.daily_limit:
        raise Rejected(f"All {medication.daily_limit} doses of today are given: wait.")
    return db.dose_logs.add(
        medication_id=medication_id,
        stay_id=stay_id,
        caregiver_id=caregiver_id,
        given_on=today,
        day_part=day_part,
        outcome=outcome,
    )


def list_incidents(
    db: Database,
    pet_id: PetId | None = None,
    status: IncidentStatus | None = None,
    severity: Severity | None = None,
    kind: IncidentKind | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Incident]:
    """Lists incidents by pet, status or severity, for staff.

    Args:
        pet_id: Only this pet, e.g. PET-0007.
        status: Only this status, e.g. under_review.
        severity: Only this severity, e.g. serious.
        kind: Only this kind, e.g. bite.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such pet.
        Rejected: The cursor or limit is bad.
    """
    if pet_id is not None:
        db.pets.get(pet_id)
    rows = [
        row
        for row in db.incidents.all()
        if (pet_id is None or row.pet_id == pet_id)
        and (status is None or row.status == status)
        and (severity is None or row.severity == severity)
        and (kind is None or row.kind == kind)
    ]
    return page(rows, cursor, limit)


def report_incident(
    db: Database,
    pet_id: PetId,
    caregiver_id: CaregiverId,
    kind: IncidentKind,
    severity: Severity,
    description: str,
) -> Incident:
    """Reports something that went wrong with a pet today, for caregivers.

    Args:
        pet_id: The pet, e.g. PET-0007.
        caregiver_id: Who reports it, e.g. CGV-0002.
        kind: What it was, e.g. bite.
        severity: How bad, e.g. serious.
        description: What happened, e.g. Snapped at the groomer while being dried.

    Raises:
        Rejected: There is no such pet.
        Rejected: There is no such caregiver.
        Rejected: The pet is deceased.
        Rejected: The description is blank.
        Rejected: The pet already has an incident of this kind today that is not closed.
    """
    pet = db.pets.get(pet_id)
    db.caregivers.get(caregiver_id)
    today = db.today()
    if pet.status == "deceased":
        raise Rejected(f"{pet.name} is deceased: check the pet.")
    if not description.strip():
        raise Rejected("The description is blank: say what happened.")
    same = db.incidents.where(pet_id=pet_id, kind=kind, happened_on=today)
    if any(row.status != "closed" for row in same):
        raise Rejected(f"A {kind} of {pet.name} is reported today already: close that.")
    return db.incidents.add(
        pet_id=pet_id,
        caregiver_id=caregiver_id,
        kind=kind,
        severity=severity,
        description=description,
        happened_on=today,
        status="open" if severity == "minor" else "under_review",
    )


def close_incident(db: Database, incident_id: IncidentId, outcome: IncidentOutcome) -> Incident:
    """Closes an incident with an outcome, for the manager.

    Args:
        incident_id: The incident, e.g. INC-0002.
        outcome: What was decided, e.g. owner_informed.

    Raises:
        Rejected: There is no such incident.
        Rejected: The incident is already closed.
        Rejected: outcome is no_action and the severity is serious or critical.
        Rejected: outcome is marked_aggressive and the kind is not bite.
    """
    incident = db.incidents.get(incident_id)
    if incident.outcome is not None:
        raise Rejected(f"The incident is closed with {incident.outcome}: leave it so.")
    if outcome == "no_action" and incident.severity != "minor":
        raise Rejected(f"A {incident.severity} incident needs action: choose another.")
    if outcome == "marked_aggressive" and incident.kind != "bite":
        raise Rejected("Only a bite marks a pet as aggressive: choose another outcome.")
    if outcome == "marked_aggressive":
        db.pets.update(incident.pet_id, temperament="aggressive")
    return db.incidents.update(incident_id, status="closed", outcome=outcome)


def list_invoices(
    db: Database,
    owner_id: OwnerId | None = None,
    status: InvoiceStatus | None = None,
    due_before: date | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Invoice]:
    """Lists invoices by owner, status or due date, for owners and the front desk.

    Args:
        owner_id: Only this owner, e.g. OWN-0003.
        status: Only this status, e.g. open.
        due_before: Only those due before this day, e.g. 2026-06-10.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such owner.
        Rejected: The cursor or limit is bad.
    """
    if owner_id is not None:
        db.owners.get(owner_id)
    rows = [
        row
        for row in db.invoices.all()
        if (owner_id is None or row.owner_id == owner_id)
        and (status is None or row.status == status)
        and (due_before is None or row.due_on < due_before)
    ]
    return page(rows, cursor, limit)


def list_invoice_lines(
    db: Database,
    invoice_id: InvoiceId,
    kind: LineKind | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[InvoiceLine]:
    """Lists the lines of an invoice, for owners and the front desk.

    Args:
        invoice_id: The invoice, e.g. INV-0008.
        kind: Only this kind, e.g. fee.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such invoice.
        Rejected: The cursor or limit is bad.
    """
    db.invoices.get(invoice_id)
    rows = [
        row
        for row in db.invoice_lines.where(invoice_id=invoice_id)
        if kind is None or row.kind == kind
    ]
    return page(rows, cursor, limit)


def list_payments(
    db: Database,
    invoice_id: InvoiceId | None = None,
    kind: PaymentKind | None = None,
    method: PaymentMethod | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Payment]:
    """Lists payments and refunds by invoice, kind or method, for the front desk.

    Args:
        invoice_id: Only this invoice, e.g. INV-0008.
        kind: Only this kind, e.g. refund.
        method: Only this method, e.g. card.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such invoice.
        Rejected: The cursor or limit is bad.
    """
    if invoice_id is not None:
        db.invoices.get(invoice_id)
    rows = [
        row
        for row in db.payments.all()
        if (invoice_id is None or row.invoice_id == invoice_id)
        and (kind is None or row.kind == kind)
        and (method is None or row.method == method)
    ]
    return page(rows, cursor, limit)


def get_owner_balance(db: Database, owner_id: OwnerId) -> GetOwnerBalanceResult:
    """Sums what an owner owes and what of it is overdue, for owners and managers.

    Args:
        owner_id: The owner, e.g. OWN-0003.

    Raises:
        Rejected: There is no such owner.
    """
    owner = db.owners.get(owner_id)
    today = db.today()
    rows = db.invoices.where(owner_id=owner_id, status="open")
    overdue = [row for row in rows if row.due_on < today]
    return GetOwnerBalanceResult(
        owner_id=owner.owner_id,
        standing=owner.standing,
        open_invoices=len(rows),
        balance_due=sum((row.total - row.amount_paid for row in rows), money(0)),
        overdue_invoices=len(overdue),
        overdue_due=sum((row.total - row.amount_paid for row in overdue), money(0)),
        oldest_due_on=min((row.due_on for row in rows), default=None),
    )


def record_payment(
    db: Database, invoice_id: InvoiceId, amount: Money, method: PaymentMethod
) -> Payment:
    """Records money received on an open invoice, at the front desk.

    Args:
        invoice_id: The invoice, e.g. INV-0008.
        amount: Amount above 0, at most what is still due, e.g. 45.00.
        method: How it was paid, e.g. card.

    Raises:
        Rejected: There is no such invoice.
        Rejected: The invoice is not open.
        Rejected: The amount is not above 0.
        Rejected: The amount is more than what is still due.
    """
    invoice = db.invoices.get(invoice_id)
    due = invoice.total - invoice.amount_paid
    if invoice.status != "open":
        raise Rejected(f"The invoice is {invoice.status}: nothing is due on it.")
    if amount <= 0:
        raise Rejected("The amount is not above 0: give what was received.")
    if amount > due:
        raise Rejected(f"Only {due} is still due: take at most that.")
    db.invoices.update(
        invoice_id,
        amount_paid=invoice.amount_paid + amount,
        status="paid" if amount == due else "open",
    )
    return db.payments.add(
        invoice_id=invoice_id,
        kind="payment",
        method=method,
        amount=amount,
        paid_on=db.today(),
    )


def void_invoice(db: Database, invoice_id: InvoiceId) -> Invoice:
    """Voids an open invoice that was billed wrongly and has nothing paid, for the manager.

    Args:
        invoice_id: The invoice, e.g. INV-0008.

    Raises:
        Rejected: There is no such invoice.
        Rejected: The invoice is not open.
        Rejected: Something is still paid on it: refund that first.
    """
    invoice = db.invoices.get(invoice_id)
    if invoice.status != "open":
        raise Rejected(f"The invoice is {invoice.status}: only an open one is voided.")
    if invoice.amount_paid > 0:
        raise Rejected(f"{invoice.amount_paid} is paid on it: refund that first.")
    return db.invoices.update(invoice_id, status="void")


def refund_payment(
    db: Database, invoice_id: InvoiceId, amount: Money, method: PaymentMethod
) -> Payment:
    """Refunds money paid on an invoice, approved by the manager.

    Args:
        invoice_id: The invoice, e.g. INV-0008.
        amount: Amount above 0, at most what was paid by this method and not yet refunded, e.g.
            20.00.
        method: Method it was paid by, e.g. card.

    Raises:
        Rejected: There is no such invoice.
        Rejected: The invoice is void.
        Rejected: The amount is not above 0.
        Rejected: The amount is more than what was paid on this invoice by this method less what was
            refunded by it.
    """
    invoice = db.invoices.get(invoice_id)
    rows = db.payments.where(invoice_id=invoice_id, method=method)
    paid = sum((row.amount for row in rows if row.kind == "payment"), money(0))
    refunded = sum((row.amount for row in rows if row.kind == "refund"), money(0))
    left = min(paid - refunded, invoice.amount_paid)
    if invoice.status == "void":
        raise Rejected("The invoice is void: nothing is paid on it.")
    if amount <= 0:
        raise Rejected("The amount is not above 0: give what to refund.")
    if amount > left:
        raise Rejected(f"Only {left} by {method} can go back: refund at most that.")
    db.invoices.update(invoice_id, amount_paid=invoice.amount_paid - amount, status="open")
    return db.payments.add(
        invoice_id=invoice_id,
        kind="refund",
        method=method,
        amount=amount,
        paid_on=db.today(),
    )
