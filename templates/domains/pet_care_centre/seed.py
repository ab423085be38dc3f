OWNER_NAMES = (
    "Mara Lind",
    "Jonas Weber",
    "Priya Nair",
    "Oscar Bello",
    "Hanna Koski",
    "Liam Doyle",
    "Greta Olsen",
    "Samir Haddad",
    "Clara Rossi",
    "Ben Carter",
    "Ines Duarte",
    "Yuki Tanaka",
    "Mara Lind",
    "Peter Novak",
    "Amina Diallo",
    "Victor Hale",
    "Sofia Marin",
    "Tom Ashby",
    "Dana Fischer",
    "Elsa Brandt",
)
CAREGIVER_NAMES = (
    "Tomas Reed",
    "Nora Quinn",
    "Felix Arndt",
    "Leila Amari",
    "Joan Pike",
    "Marco Silva",
    "Ruth Adeyemi",
    "Ivan Petrov",
    "Emma Clarke",
    "Deniz Kaya",
    "Paula Vogt",
    "Owen Grant",
)
CAREGIVER_ROLES = ("groomer", "walker", "trainer", "sitter")
SERVICE_NAMES = (
    "Full dog groom",
    "Dog wash and brush",
    "Cat groom",
    "Nail trim",
    "Half-hour dog walk",
    "Hour-long dog walk",
    "Puppy training",
    "Leash training",
    "Bird handling lesson",
    "Dog boarding night",
    "Cat boarding night",
    "Bath during stay",
    "Extra play time",
    "Extra garden walk",
    "Photo report",
    "Show clip",
)
SERVICE_KINDS = (
    "grooming",
    "grooming",
    "grooming",
    "grooming",
    "walk",
    "walk",
    "training",
    "training",
    "training",
    "boarding",
    "boarding",
    "stay_extra",
    "stay_extra",
    "stay_extra",
    "stay_extra",
    "grooming",
)
SERVICE_PRICES = (60, 36, 48, 16, 18, 28, 40, 44, 34, 42, 30, 20, 12, 14, 8, 84)
ROOM_NAMES = (
    "Garden Kennel 1",
    "Garden Kennel 2",
    "Oak Suite",
    "Maple Suite",
    "Yard Kennel 1",
    "Yard Kennel 2",
    "Cattery Nook 1",
    "Cattery Nook 2",
    "Cattery Loft",
    "Cattery Window",
    "Rabbit Run",
    "Guinea Pig House",
    "Aviary",
    "Rabbit Burrow",
)
ROOM_SPECIES = (
    "dog",
    "dog",
    "dog",
    "dog",
    "dog",
    "dog",
    "cat",
    "cat",
    "cat",
    "cat",
    "rabbit",
    "guinea_pig",
    "bird",
    "rabbit",
)
ROOM_SIZES = (
    "medium",
    "large",
    "large",
    "large",
    "small",
    "large",
    "medium",
    "medium",
    "large",
    "medium",
    "medium",
    "small",
    "small",
    "large",
)
ROOM_RATES = (34, 38, 52, 54, 28, 36, 26, 26, 34, 28, 18, 14, 16, 20)
PET_NAMES = (
    "Bella",
    "Milo",
    "Rocky",
    "Clover",
    "Zeus",
    "Luna",
    "Max",
    "Peanut",
    "Nala",
    "Kiwi",
    "Charlie",
    "Misty",
    "Daisy",
    "Hazel",
    "Bruno",
    "Simba",
    "Rex",
    "Biscuit",
    "Molly",
    "Sunny",
    "Toby",
    "Cleo",
    "Duke",
    "Thumper",
)
PET_SPECIES = ("dog", "cat", "dog", "rabbit", "dog", "cat", "dog", "guinea_pig", "dog", "bird")
PET_SIZES = (
    "large",
    "medium",
    "small",
    "small",
    "medium",
    "small",
    "large",
    "small",
    "large",
    "small",
)
PET_BREEDS = (
    "Labrador Retriever",
    "Maine Coon",
    "Jack Russell Terrier",
    "Lionhead",
    "Border Collie",
    "Siamese",
    "German Shepherd",
    "Abyssinian",
    "Boxer",
    "Budgerigar",
    "Golden Retriever",
    "British Shorthair",
    "Dachshund",
    "Holland Lop",
    "Cocker Spaniel",
    "Bengal",
    "Rottweiler",
    "Peruvian",
    "Weimaraner",
    "Cockatiel",
)
INVOICE_TOTALS = (60, 36, 84, 28, 126, 48, 180, 16, 44, 90, 152, 40, 72)
INVOICE_STATUSES = (
    "paid",
    "paid",
    "paid",
    "open",
    "paid",
    "paid",
    "open",
    "paid",
    "void",
    "paid",
    "open",
    "paid",
)
PASS_VISITS = (5, 10, 10, 20)
DOG_VACCINES = ("distemper", "parvovirus", "kennel_cough", "distemper")
WAIT_STATUSES = ("waiting", "offered", "waiting", "taken", "waiting", "withdrawn", "offered")
WAIT_STARTS = (21, 22, 23, 24, 25, 26, 22, 30, 24, -1, 21, 16, 40, 28)
STAY_STARTS = (
    -20,
    -25,
    -30,
    -35,
    -40,
    -45,
    -22,
    -27,
    -32,
    -37,
    -2,
    -1,
    0,
    3,
    -2,
    0,
    -1,
    -6,
    0,
    3,
    -3,
    0,
    -2,
    3,
    9,
    12,
    10,
    14,
    8,
    11,
)
STAY_STATUSES = (
    "checked_out",
    "checked_out",
    "checked_out",
    "checked_out",
    "cancelled",
    "checked_out",
    "checked_out",
    "checked_out",
    "cancelled",
    "checked_out",
    "checked_in",
    "checked_in",
    "reserved",
    "reserved",
    "checked_in",
    "reserved",
    "checked_in",
    "checked_in",
    "reserved",
    "reserved",
    "checked_in",
    "reserved",
    "checked_in",
    "reserved",
    "reserved",
    "cancelled",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
)
CANCEL_REASONS = ("owner_request", "pet_ill", "staff_absence", "bad_weather")
MEDICINES = (
    "Carprofen",
    "Amoxicillin",
    "Metronidazole",
    "Prednisolone",
    "Meloxicam",
    "Ear drops",
    "Eye ointment",
    "Cetirizine",
    "Probiotic paste",
    "Joint supplement",
)
DOSES = (
    "20 mg with food",
    "50 mg by mouth",
    "5 ml by mouth",
    "half a tablet",
    "2 drops on food",
    "3 drops in each ear",
    "thin strip in the left eye",
    "quarter tablet",
    "one notch of the syringe",
    "one chew",
)
STOP_REASONS = ("course_finished", "vet_advice", "side_effects", "owner_request")
INCIDENT_KINDS = ("bite", "injury", "escape", "illness")
SEVERITIES = ("serious", "minor", "minor", "critical", "minor", "serious")
OUTCOMES = ("owner_informed", "vet_visit", "owner_informed", "vet_visit")
INCIDENT_NOTES = (
    "Snapped at the groomer while being dried.",
    "Cut a paw on the yard fence.",
    "Slipped out of the lead near the gate and was caught.",
    "Vomited twice after breakfast.",
    "Bit another pet in the play yard.",
    "Tore a nail during the walk.",
    "Climbed out of the run and hid in the store room.",
    "Would not eat and seemed feverish.",
)
LINE_DAYS = (12, 8, 4, 12, 8, 4, 12, 8, 12, 8, 4, 30)
BILL_STATUSES = (
    "paid",
    "open",
    "paid",
    "paid",
    "open",
    "paid",
    "paid",
    "void",
    "paid",
    "open",
    "paid",
    "paid",
    "void",
    "open",
    "paid",
    "paid",
    "open",
    "open",
)
METHODS = ("card", "card", "cash", "cash", "bank_transfer", "bank_transfer")
BILLED_STATUSES = (
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "missed",
    "missed",
    "missed",
)
PASS_STATUSES = (
    "completed",
    "completed",
    "missed",
    "completed",
    "booked",
    "booked",
    "booked",
    "booked",
)
OPEN_STATUSES = ("booked", "booked", "cancelled", "booked", "booked")
VISIT_KINDS = ("grooming", "walk", "training", "walk")
VISIT_REASONS = ("owner_request", "pet_ill", "staff_absence", "bad_weather")
DAY_PARTS = ("morning", "noon", "evening", "night")


def seed_owners(db: Database, fake: Fake, count: int) -> None:
    """Make owners."""
    for n in range(count):
        name = OWNER_NAMES[n % len(OWNER_NAMES)]
        handle = name.lower().replace(" ", ".")
        db.owners.add(
            name=name,
            email=f"{handle}{n + 1}@example.com",
            phone=fake.phone_number(),
            emergency_contact=f"{fake.name()} {fake.phone_number()}" if n % 3 else None,
            standing="blocked" if n in (6, 15, 18) else "active",
        )


def seed_caregivers(db: Database, fake: Fake, count: int) -> None:
    """Make caregivers."""
    for n in range(count):
        name = CAREGIVER_NAMES[n % len(CAREGIVER_NAMES)]
        handle = name.lower().replace(" ", ".")
        db.caregivers.add(
            name=name,
            email=f"{handle}{n + 1}@petcarecentre.example",
            role=CAREGIVER_ROLES[n % len(CAREGIVER_ROLES)],
            handles_difficult=n < 5,
        )


def seed_services(db: Database, fake: Fake, count: int) -> None:
    """Make services."""
    for n in range(count):
        service = db.services.add(
            name=SERVICE_NAMES[n % len(SERVICE_NAMES)],
            kind=SERVICE_KINDS[n % len(SERVICE_KINDS)],
            price=money(SERVICE_PRICES[n % len(SERVICE_PRICES)]),
            status="withdrawn" if n in (8, 14, 15) else "on_sale",
        )
        if n in (0, 1, 4, 5, 6, 7, 9, 13, 15):
            db.services.update(service.service_id, species="dog")
        if n in (2, 10):
            db.services.update(service.service_id, species="cat")
        if n == 8:
            db.services.update(service.service_id, species="bird")


def seed_rooms(db: Database, fake: Fake, count: int) -> None:
    """Make rooms."""
    for n in range(count):
        db.rooms.add(
            name=ROOM_NAMES[n % len(ROOM_NAMES)],
            species=ROOM_SPECIES[n % len(ROOM_SPECIES)],
            max_size=ROOM_SIZES[n % len(ROOM_SIZES)],
            nightly_rate=money(ROOM_RATES[n % len(ROOM_RATES)]),
            status="closed" if n in (5, 9, 13) else "open",
        )


def seed_pets(db: Database, fake: Fake, count: int) -> None:
    """Make pets."""
    owners = db.owners.all()
    for n in range(count):
        owner = owners[n % len(owners)]
        pet = db.pets.add(
            owner_id=owner.owner_id,
            name=PET_NAMES[n % len(PET_NAMES)],
            species=PET_SPECIES[n % len(PET_SPECIES)],
            breed=None if n % 9 == 7 else PET_BREEDS[n % len(PET_BREEDS)],
            size=PET_SIZES[n % len(PET_SIZES)],
            born_on=fake.day(date(2018, 3, 1), date(2025, 6, 30)),
            temperament="nervous" if n % 4 == 1 else "calm",
            status="deceased" if n in (11, 19, 27) else "active",
        )
        if n in (4, 16, 22):
            db.pets.update(pet.pet_id, temperament="aggressive")


def seed_invoices(db: Database, fake: Fake, count: int) -> None:
    """Make invoices."""
    owners = db.owners.all()
    for n in range(count):
        owner = owners[n % len(owners)]
        issued = db.today() - timedelta(days=62 - n * 7 // 4)
        total = money(INVOICE_TOTALS[n % len(INVOICE_TOTALS)])
        status = INVOICE_STATUSES[n % len(INVOICE_STATUSES)]
        db.invoices.add(
            owner_id=owner.owner_id,
            issued_on=issued,
            due_on=issued + timedelta(days=14),
            total=total,
            amount_paid=total if status == "paid" else money(0),
            status=status,
        )


def seed_shifts(db: Database, fake: Fake, count: int) -> None:
    """Make shifts."""
    caregivers = db.caregivers.all()
    for n in range(count):
        caregiver = caregivers[n % len(caregivers)]
        offset = (n // 12 - 1) * (12 - n % 12)
        db.shifts.add(
            caregiver_id=caregiver.caregiver_id,
            works_on=db.today() + timedelta(days=offset),
            start_hour=7 + n % 3,
            end_hour=15 + n % 4,
            capacity=2 if n % 8 == 1 else 3 + n % 3,
            status="called_off" if n in (21, 31, 38) else "planned",
        )


def seed_care_passes(db: Database, fake: Fake, count: int) -> None:
    """Make care passes."""
    dogs = db.pets.where(species="dog", status="active")
    walks = db.services.where(kind="walk", status="on_sale")
    lessons = db.services.where(kind="training", status="on_sale")
    services = walks + lessons
    for n in range(count):
        pet = dogs[n % len(dogs)]
        service = services[(n + n // 10) % len(services)]
        bought = PASS_VISITS[n % len(PASS_VISITS)]
        ended = n % 5 == 3
        db.care_passes.add(
            owner_id=pet.owner_id,
            service_id=service.service_id,
            visits_bought=bought,
            visits_left=0 if ended else bought - 2 - n % 3,
            valid_until=db.today() + timedelta(days=-12 if n in (5, 9) else 40 + n * 9),
            status="ended" if ended else "active",
        )


def seed_vaccinations(db: Database, fake: Fake, count: int) -> None:
    """Make vaccinations."""
    dogs = db.pets.where(species="dog")
    cats = db.pets.where(species="cat")
    rabbits = db.pets.where(species="rabbit")
    pets = dogs + cats + rabbits + dogs + cats
    for n in range(count):
        pet = pets[n % len(pets)]
        start = date(2025, 2, 1) if n % 5 == 3 else date(2025, 9, 1)
        earliest = pet.born_on + timedelta(days=56)
        given = max(earliest, start + timedelta(days=n * 5))
        row = db.vaccinations.add(
            pet_id=pet.pet_id,
            vaccine="rabies",
            given_on=given,
            valid_until=given + timedelta(days=365),
            verified=n % 5 != 1,
        )
        if pet.species == "rabbit":
            db.vaccinations.update(row.vaccination_id, vaccine="myxomatosis")
        elif n >= 24 and pet.species == "cat":
            db.vaccinations.update(row.vaccination_id, vaccine="cat_flu")
        elif n >= 24:
            vaccine = DOG_VACCINES[n % len(DOG_VACCINES)]
            db.vaccinations.update(row.vaccination_id, vaccine=vaccine)


def seed_waitlist_entries(db: Database, fake: Fake, count: int) -> None:
    """Make waitlist entries."""
    pets = db.pets.where(status="active")
    for n in range(count):
        pet = pets[n * 2 % len(pets)]
        rooms = [
            room
            for room in db.rooms.where(species=pet.species, status="open")
            if room.max_size in ("large", pet.size) or pet.size == "small"
        ]
        status = WAIT_STATUSES[n % len(WAIT_STATUSES)]
        first = db.today() + timedelta(days=WAIT_STARTS[n % len(WAIT_STARTS)])
        db.waitlist_entries.add(
            pet_id=pet.pet_id,
            first_day=first,
            last_day=first + timedelta(days=3 + n % 3),
            room_id=rooms[0].room_id if status == "offered" else None,
            joined_at=db.now() - timedelta(days=20 - n, hours=n % 5),
            status=status,
        )


def seed_stays(db: Database, fake: Fake, count: int) -> None:
    """Make stays."""
    rooms = db.rooms.all()
    blocked = [owner.owner_id for owner in db.owners.where(standing="blocked")]
    for n in range(count):
        room = rooms[n % len(rooms)]
        status = STAY_STATUSES[n % len(STAY_STATUSES)]
        first = db.today() + timedelta(days=STAY_STARTS[n % len(STAY_STARTS)])
        last = first + timedelta(days=3 + n % 4)
        busy = [
            stay.pet_id
            for stay in db.stays.all()
            if stay.first_day < last and first < stay.last_day
        ]
        cleared = [
            row.pet_id
            for row in db.vaccinations.where(vaccine="rabies", verified=True)
            if row.valid_until >= last
        ]
        pets = [
            pet
            for pet in db.pets.where(species=room.species, status="active")
            if (room.max_size in ("large", pet.size) or pet.size == "small")
            and pet.pet_id not in busy
            and (
                status != "checked_in"
                or pet.owner_id not in blocked
                and (pet.pet_id in cleared or pet.species not in ("dog", "cat"))
            )
        ]
        reason = CANCEL_REASONS[n % len(CANCEL_REASONS)]
        db.stays.add(
            pet_id=pets[n % len(pets)].pet_id,
            room_id=room.room_id,
            first_day=first,
            last_day=last,
            nightly_rate=room.nightly_rate,
            left_on=last if status == "checked_out" else None,
            cancel_reason=reason if status == "cancelled" else None,
            status=status,
        )


def seed_medications(db: Database, fake: Fake, count: int) -> None:
    """Make medications."""
    inside = db.stays.where(status="checked_in")
    stays = inside + db.stays.where(status="checked_out")
    for n in range(count):
        stay = stays[n % len(stays)]
        active = n < 6 or n in (8, 18)
        reason = STOP_REASONS[n % len(STOP_REASONS)]
        db.medications.add(
            pet_id=stay.pet_id,
            medicine=MEDICINES[n % len(MEDICINES)],
            dose=DOSES[n % len(DOSES)],
            daily_limit=1 + n % 3,
            from_day=stay.first_day - timedelta(days=3),
            until_day=stay.last_day + timedelta(days=6),
            stop_reason=None if active else reason,
            status="active" if active else "stopped",
        )


def seed_incidents(db: Database, fake: Fake, count: int) -> None:
    """Make incidents."""
    pets = db.pets.where(status="active")
    aggressive = db.pets.where(temperament="aggressive")
    caregivers = db.caregivers.all()
    for n in range(count):
        biter = aggressive[n // 8 % len(aggressive)]
        pet = biter if n % 8 == 0 else pets[n * 5 % len(pets)]
        severity = SEVERITIES[n % len(SEVERITIES)]
        closed = n < 12 or n == 16
        db.incidents.add(
            pet_id=pet.pet_id,
            caregiver_id=caregivers[n % len(caregivers)].caregiver_id,
            kind=INCIDENT_KINDS[n % len(INCIDENT_KINDS)],
            severity=severity,
            description=INCIDENT_NOTES[n % len(INCIDENT_NOTES)],
            happened_on=db.today() - timedelta(days=48 - 2 * n),
            outcome=None
            if not closed
            else "marked_aggressive"
            if n % 8 == 0
            else "no_action"
            if n in (1, 7, 10)
            else OUTCOMES[n % len(OUTCOMES)],
            status="closed" if closed else "open" if severity == "minor" else "under_review",
        )


def seed_invoice_lines(db: Database, fake: Fake, count: int) -> None:
    """Make invoice lines."""
    invoices = db.invoices.all()
    stays = db.stays.where(status="checked_out")
    passes = db.care_passes.all()
    extras = db.services.where(kind="stay_extra", status="on_sale")
    nails = db.services.where(name="Nail trim")[0]
    for n in range(count):
        invoice = db.invoices.get(invoices[n % len(invoices)].invoice_id)
        stay = stays[n % len(invoices) % len(stays)]
        care_pass = passes[(n + 1) % len(passes)]
        owner_id = invoice.owner_id
        issued = db.today() - timedelta(days=LINE_DAYS[n % len(LINE_DAYS)])
        quantity = 1
        if n < 13:
            owner_id = db.pets.get(stay.pet_id).owner_id
            issued = stay.last_day
            quantity = (stay.last_day - stay.first_day).days
            total = money(stay.nightly_rate * quantity)
            db.invoice_lines.add(
                invoice_id=invoice.invoice_id,
                kind="stay",
                stay_id=stay.stay_id,
                quantity=quantity,
                unit_price=stay.nightly_rate,
                amount=total,
            )
        elif n < 24:
            owner_id = care_pass.owner_id
            issued = care_pass.valid_until - timedelta(days=180)
            quantity = care_pass.visits_bought
            price = money(db.services.get(care_pass.service_id).price * 9 / 10)
            total = money(price * quantity)
            db.invoice_lines.add(
                invoice_id=invoice.invoice_id,
                kind="care_pass",
                care_pass_id=care_pass.care_pass_id,
                quantity=quantity,
                unit_price=price,
                amount=total,
            )
        elif n < 36:
            total = money(nails.price / 2) if n >= 32 else nails.price
            db.invoice_lines.add(
                invoice_id=invoice.invoice_id,
                kind="fee" if n >= 32 else "appointment",
                quantity=quantity,
                unit_price=total,
                amount=total,
            )
        else:
            issued = invoice.issued_on
            price = extras[n % 2].price
            quantity = 1 + n % 2
            total = invoice.total + money(price * quantity)
            db.invoice_lines.add(
                invoice_id=invoice.invoice_id,
                kind="extra",
                stay_id=stay.stay_id,
                quantity=quantity,
                unit_price=price,
                amount=money(price * quantity),
            )
        status = BILL_STATUSES[n % len(BILL_STATUSES)]
        part = money(10 if n in (9, 19, 31) else 0)
        db.invoices.update(
            invoice.invoice_id,
            owner_id=owner_id,
            issued_on=issued,
            due_on=issued + timedelta(days=14),
            total=total,
            amount_paid=total if status == "paid" else part,
            status=status,
        )


def seed_payments(db: Database, fake: Fake, count: int) -> None:
    """Make payments."""
    payable = [row for row in db.invoices.all() if row.amount_paid > 0]
    for n in range(count):
        spot = n // 2 if n >= 30 else n
        invoice = payable[spot % len(payable)]
        amount = invoice.amount_paid
        if n >= 30:
            amount = money(15)
        elif n < 7 or n >= 23:
            amount = money(invoice.amount_paid / 2)
        paid_on = invoice.issued_on + timedelta(days=1 + n // 4)
        db.payments.add(
            invoice_id=invoice.invoice_id,
            kind="refund" if n >= 30 and n % 2 == 1 else "payment",
            method=METHODS[n % len(METHODS)],
            amount=amount,
            paid_on=min(db.today(), paid_on),
        )


def seed_appointments(db: Database, fake: Fake, count: int) -> None:
    """Make appointments."""
    billed = db.invoice_lines.where(kind="appointment")
    lines = billed + db.invoice_lines.where(kind="fee")
    nails = db.services.where(name="Nail trim")[0]
    passes = db.care_passes.where(status="active")
    dogs = db.pets.where(species="dog", status="active")
    pets = dogs + db.pets.where(species="cat", status="active")
    roles = {"grooming": "groomer", "walk": "walker", "training": "trainer"}
    today = db.today()
    for n in range(11):
        line = lines[n]
        invoice = db.invoices.get(line.invoice_id)
        pet = db.pets.where(owner_id=invoice.owner_id)[0]
        shift = db.shifts.where(works_on=invoice.issued_on)[0]
        made = db.appointments.add(
            pet_id=pet.pet_id,
            service_id=nails.service_id,
            shift_id=shift.shift_id,
            visit_on=shift.works_on,
            price=nails.price,
            status=BILLED_STATUSES[n % len(BILLED_STATUSES)],
        )
        db.invoice_lines.update(line.invoice_line_id, appointment_id=made.appointment_id)
    for n in range(8):
        care_pass = passes[n % 4]
        pet = [dog for dog in dogs if dog.owner_id == care_pass.owner_id][0]
        service = db.services.get(care_pass.service_id)
        shifts = [
            row
            for row in db.shifts.where(status="planned")
            if (row.works_on < today) == (n < 4)
            and db.caregivers.get(row.caregiver_id).role == roles[service.kind]
            and (
                pet.temperament != "aggressive"
                or db.caregivers.get(row.caregiver_id).handles_difficult
            )
        ]
        shift = shifts[n % len(shifts)]
        db.appointments.add(
            pet_id=pet.pet_id,
            service_id=service.service_id,
            shift_id=shift.shift_id,
            visit_on=shift.works_on,
            care_pass_id=care_pass.care_pass_id,
            price=money(0),
            status=PASS_STATUSES[n % len(PASS_STATUSES)],
        )
    for n in range(count - 19):
        pet = pets[n * 3 % len(pets)]
        services = db.services.where(
            kind=VISIT_KINDS[n % len(VISIT_KINDS)],
            species=pet.species,
            status="on_sale",
        ) or [nails]
        service = services[n % len(services)]
        shifts = [
            row
            for row in db.shifts.where(status="planned")
            if row.works_on >= today
            and db.caregivers.get(row.caregiver_id).role == roles[service.kind]
            and (
                pet.temperament != "aggressive"
                or db.caregivers.get(row.caregiver_id).handles_difficult
            )
            and not db.appointments.where(pet_id=pet.pet_id, visit_on=row.works_on)
            and len(db.appointments.where(shift_id=row.shift_id, status="booked")) < row.capacity
        ]
        shift = shifts[n % 3 % len(shifts)]
        status = OPEN_STATUSES[n % len(OPEN_STATUSES)]
        reason = VISIT_REASONS[n % len(VISIT_REASONS)]
        db.appointments.add(
            pet_id=pet.pet_id,
            service_id=service.service_id,
            shift_id=shift.shift_id,
            visit_on=shift.works_on,
            price=service.price,
            cancel_reason=reason if status == "cancelled" else None,
            status=status,
        )


def seed_stay_extras(db: Database, fake: Fake, count: int) -> None:
    """Make stay extras."""
    inside = db.stays.where(status="checked_in")
    coming = db.stays.where(status="reserved")
    stays = db.stays.where(status="checked_out") + inside + coming
    extras = db.services.where(kind="stay_extra", status="on_sale")
    lines = db.invoice_lines.where(kind="extra")
    for n in range(count):
        stay = stays[n % len(stays)]
        service = extras[n % 2]
        made = db.stay_extras.add(
            stay_id=stay.stay_id,
            service_id=service.service_id,
            quantity=1 + n % 2,
            unit_price=service.price,
            status="done" if n < 8 else "dropped" if n < 13 else "ordered",
        )
        if n < 8:
            db.invoice_lines.update(lines[n].invoice_line_id, stay_extra_id=made.stay_extra_id)


def seed_dose_logs(db: Database, fake: Fake, count: int) -> None:
    """Make dose logs."""
    inside = db.stays.where(status="checked_in")
    stays = inside + db.stays.where(status="checked_out")
    medications = db.medications.all()
    sitters = db.caregivers.where(role="sitter")
    for n in range(count):
        medication = medications[n % len(medications)]
        stay = stays[n % len(medications) % len(stays)]
        db.dose_logs.add(
            medication_id=medication.medication_id,
            stay_id=stay.stay_id,
            caregiver_id=sitters[n % len(sitters)].caregiver_id,
            given_on=stay.first_day + timedelta(days=n // len(medications)),
            day_part=DAY_PARTS[n % len(DAY_PARTS)],
            outcome="refused" if n % 7 == 3 else "given",
        )
