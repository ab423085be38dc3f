"""Guests and their vouchers."""

HOMES = [
    ("Boston", "02116", "US", "+1 617 555 0"),
    ("London", "SW1V 2QT", "GB", "+44 20 7946 0"),
    ("Chicago", "60614", "US", "+1 312 555 0"),
    ("Dublin", "D02 X285", "IE", "+353 20 910 0"),
    ("Toronto", "M5V 2T6", "CA", "+1 416 555 0"),
    ("Seattle", "98101", "US", "+1 206 555 0"),
    ("Manchester", "M1 4BT", "GB", "+44 161 496 0"),
    ("Sydney", "2000", "AU", "+61 2 5550 0"),
    ("Denver", "80202", "US", "+1 303 555 0"),
    ("Edinburgh", "EH1 1YZ", "GB", "+44 131 496 0"),
]
NIGHTS_BEFORE = (0, 3, 0, 8, 1, 12, 0, 5, 30, 2, 0, 17, 6, 0, 55, 4, 0, 9, 24, 48)
PREFERENCES = [
    "A quiet room away from the lift.",
    "A high floor with a view.",
    "Feather-free pillows, please.",
    "Late breakfast, and the newspaper at the door.",
    "A firm mattress.",
    "No carpets because of a dust allergy.",
]


def seed_guests(db: Database, fake: Fake, count: int) -> None:
    """Make guests with the nights they stayed before and a gift of points."""
    for n in range(1, count + 1):
        first, last = fake.first_name(), fake.last_name()
        city, postcode, country, prefix = HOMES[n % len(HOMES)]
        nights = NIGHTS_BEFORE[n % len(NIGHTS_BEFORE)]
        joined = fake.day(date(2019, 3, 1), date(2025, 12, 31))
        guest = db.guests.add(
            first_name=first,
            last_name=last,
            email=f"{first}.{last}{n}@example.com".lower(),
            phone=f"{prefix}{fake.integer(100, 199)}",
            address=Address(
                street=fake.street_address(), city=city, postcode=postcode, country=country
            ),
            joined_on=joined,
            tier=_tier(nights),
            nights_stayed=nights,
            points=500 + nights * 400,
            banned=n % 97 == 50,
            preferences=PREFERENCES[n // 4 % len(PREFERENCES)] if n % 4 == 1 else None,
        )
        db.points_entries.add(
            guest_id=guest.guest_id,
            change=500,
            reason="welcome",
            made_at=_at(db, joined, 9, n % 60),
        )
        if nights > 0:
            db.points_entries.add(
                guest_id=guest.guest_id,
                change=nights * 400,
                reason="stay",
                made_at=_at(db, date(2026, 1, 2), 6, n % 60),
            )


def seed_vouchers(db: Database, fake: Fake, count: int) -> None:
    """Make vouchers nobody has spent; some are past their date or void."""
    guests = [guest for guest in db.guests.all() if not guest.banned]
    reasons: list[VoucherReason] = ["gift", "goodwill", "promotion"]
    for n in range(count):
        value = [25, 50, 100, 40, 150, 75][n % 6]
        days = fake.integer(400, 500) if n % 8 == 5 else n * 5 % 300
        guest = guests[n * 11 % len(guests)]
        issued = max(db.today() - timedelta(days=days), guest.joined_on)
        db.vouchers.add(
            guest_id=guest.guest_id,
            reason=reasons[n % 3],
            value=money(value),
            balance=money(value),
            status="void" if n % 11 == 7 else "active",
            issued_on=issued,
            expires_on=issued + timedelta(days=365),
        )
