WORDS = ["Harbour", "Orchard", "Winter", "Lantern", "River", "Glass", "Salt", "Cedar"]
SHAPES = ["The {} House", "Notes from the {}", "A {} Year", "The Last {}", "{} and Stone"]
FIRST = ["Ada", "Boris", "Clara", "Dmitri", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jonas"]
LAST = ["Brook", "Hale", "Ivanova", "Keller", "Lund", "Moreau", "Novak"]
DESKS = ["main", "children", "reading room"]


def seed_members(db: Database, fake: Fake, count: int) -> None:
    """Make members; every ninth is blocked."""
    for n in range(1, count + 1):
        first, last = FIRST[(n - 1) % 10], LAST[(n - 1) % 7]
        db.members.add(
            name=f"{first} {last}",
            email=f"{first}.{last}{n}@example.com".lower(),
            joined_on=fake.day(date(2019, 1, 7), date(2025, 12, 20)),
            blocked=n % 9 == 0,
        )


def seed_books(db: Database, fake: Fake, count: int) -> None:
    """Make books with one to three copies."""
    for n in range(count):
        db.books.add(
            isbn=f"978{n + 1_000_000_000}",
            title=SHAPES[n % 5].replace("{}", WORDS[n % 8]),
            author=f"{fake.first_name()} {fake.last_name()}",
            copies=1 + n % 3,
            price=fake.money(8, 45),
            rating=None if n % 7 == 3 else round(fake.number(2.5, 5.0), 1),
        )


def _fees(
    fake: Fake, status: LoanStatus, due_on: date, late_days: int, price: Decimal
) -> list[Fee]:
    fees = []
    if late_days > 0 and status == "returned":
        day = due_on + timedelta(days=late_days)
        fees.append(Fee(reason="late", amount=money(late_days * Decimal("0.20")), charged_on=day))
        if fake.chance(0.5):
            fees.append(Fee(reason="damaged", amount=fake.money(1, 6), charged_on=day))
    if status == "lost":
        fees.append(Fee(reason="lost", amount=price, charged_on=due_on))
    return fees


def seed_loans(db: Database, fake: Fake, count: int) -> None:
    """Make loans of the past half year; a few are open, and some of those overdue."""
    books = db.books.all()
    members = [member for member in db.members.all() if not member.blocked]
    free = {book.isbn: book.copies for book in books}
    held: dict[str, int] = {}
    for n in range(count):
        book, member = books[n * 5 % len(books)], members[n * 3 % len(members)]
        status: LoanStatus = "lost" if n % 13 == 6 else "returned" if n % 5 < 3 else "open"
        if status == "open" and (free[book.isbn] == 0 or held.get(member.member_id, 0) == 5):
            status = "returned"
        days_ago = fake.integer(2, 30) if status == "open" else fake.integer(60, 180)
        lent_at = db.now() - timedelta(days=days_ago, minutes=fake.integer(0, 59))
        due_on = lent_at.date() + timedelta(days=21)
        late_days = fake.integer(-15, 10)
        fees = _fees(fake, status, due_on, late_days, book.price)
        if status == "open":
            free[book.isbn] -= 1
            held[member.member_id] = held.get(member.member_id, 0) + 1
        db.loans.add(
            member_id=member.member_id,
            isbn=book.isbn,
            status=status,
            lent_at=lent_at,
            due_on=due_on,
            returned_at=lent_at + timedelta(days=21 + late_days) if status == "returned" else None,
            renewals=n % 3 if status == "open" else 0,
            fees=fees,
            fine=sum((fee.amount for fee in fees), Decimal(0)),
            desk=DESKS[n % 3],
            note="The cover is worn." if n % 8 == 1 else None,
        )


def seed_holds(db: Database, fake: Fake, count: int) -> None:
    """Put members in line for books that are all out; at most one hold for each pair."""
    members = db.members.all()
    loans = db.loans.where(status="open")
    readers: dict[str, set[str]] = {}
    for loan in loans:
        readers.setdefault(loan.isbn, set()).add(loan.member_id)
    books = [book for book in db.books.all() if len(readers.get(book.isbn, [])) == book.copies]
    for n in range(count if books else 0):
        book = books[n % len(books)]
        member = members[(n * 7 + n // len(books)) % len(members)]
        if member.member_id in readers[book.isbn]:
            continue
        readers[book.isbn].add(member.member_id)
        db.holds.add(
            member_id=member.member_id,
            isbn=book.isbn,
            placed_at=fake.moment(db.now() - timedelta(days=12), db.now()),
            needed_by=db.today() + timedelta(days=fake.integer(10, 90)),
        )
