CANDIDATE_STATUSES = (
    "active",
    "active",
    "active",
    "active",
    "paused",
    "active",
    "active",
    "blocked",
)
HOME_CITIES = ("Leeds", "Bristol", "Glasgow", "Leeds", "Cardiff", "Bristol", "Norwich")
EMPLOYER_NAMES = (
    "Harbour Logistics",
    "Bluebell Care Homes",
    "Northgate Software",
    "Tasty Fork Catering",
    "Aire Valley Bank",
    "QuickCash Promotions",
    "Riverside Academy",
    "Clifton Print Works",
    "Glen Data Labs",
    "Fresh Start Staffing",
    "Oakfield Retail Group",
    "Severn Health Trust",
    "Golden Route Agency",
    "Beacon Media House",
)
INDUSTRIES = (
    "logistics",
    "healthcare",
    "technology",
    "hospitality",
    "finance",
    "marketing",
    "education",
    "printing",
    "technology",
    "staffing",
    "retail",
    "healthcare",
    "staffing",
    "media",
)
EMPLOYER_STATUSES = (
    "verified",
    "verified",
    "verified",
    "unverified",
    "verified",
    "suspended",
    "verified",
)
EMPLOYER_CITIES = ("Leeds", "Bristol", "Glasgow", "Cardiff", "Leeds", "Norwich", "Bristol")
COACH_NAMES = (
    "Priya Nair",
    "Tom Whitfield",
    "Elena Marsh",
    "Samuel Osei",
    "Ruth Calder",
    "Hugo Lindqvist",
    "Aisha Rahman",
    "Declan Byrne",
    "Marta Kowalska",
    "Leon Fischer",
    "Grace Adeyemi",
    "Owen Pritchard",
)
SPECIALTIES = ("resume_writing", "interview_practice", "career_change", "salary_negotiation")
SKILLS_HELD = (
    "python",
    "sql",
    "data_analysis",
    "project_management",
    "sales",
    "customer_service",
    "copywriting",
    "graphic_design",
    "teaching",
    "nursing",
    "forklift_operation",
    "bookkeeping",
)
LEVELS_HELD = ("intermediate", "advanced", "expert", "advanced", "beginner")
YEARS_HELD = (3, 6, 9, 7, 1)
RESUME_TITLES = (
    "General resume",
    "Short resume",
    "Team lead resume",
    "Career change resume",
    "Two-page resume",
    "Resume with portfolio",
)
RELATIONS = (
    "former manager",
    "team lead on a shared project",
    "head of department",
    "colleague of three years",
    "client contact",
    "course tutor",
)
REFEREE_STATUSES = (
    "listed",
    "requested",
    "confirmed",
    "declined",
    "confirmed",
    "requested",
    "listed",
)
ALERT_SKILLS = (
    "python",
    "sql",
    "data_analysis",
    "project_management",
    "sales",
    "customer_service",
    "copywriting",
    "graphic_design",
    "teaching",
    "nursing",
    "forklift_operation",
    "bookkeeping",
)
ALERT_FREQUENCIES = ("weekly", "daily", "weekly", "monthly")
ALERT_STATUSES = ("active", "paused", "active", "paused", "active")
POSTING_TITLES = (
    "Python Developer",
    "Database Analyst",
    "Data Analyst",
    "Project Coordinator",
    "Sales Executive",
    "Customer Service Adviser",
    "Copywriter",
    "Graphic Designer",
    "Trainer for Adult Learners",
    "Staff Nurse",
    "Forklift Operator",
    "Bookkeeper",
)
POSTING_STATUSES = (
    "open",
    "open",
    "open",
    "draft",
    "open",
    "closed",
    "closed",
    "open",
    "filled",
    "open",
    "open",
    "open",
    "draft",
    "open",
    "open",
    "closed",
    "open",
    "filled",
    "open",
    "draft",
)
WORK_MODES = ("on_site", "hybrid", "remote", "on_site", "hybrid")
EMPLOYMENT_TYPES = (
    "full_time",
    "full_time",
    "part_time",
    "contract",
    "internship",
    "full_time",
    "part_time",
)
CLOSE_REASONS = ("posted_in_error", "on_hold", "budget_cut", "filled_elsewhere")
SESSION_STATUSES = (
    "held",
    "booked",
    "cancelled",
    "held",
    "booked",
    "late_cancelled",
    "held",
    "booked",
)
SESSION_MINUTES = (60, 30, 90, 60, 30)
REQUIRED_SKILLS = (
    "python",
    "sql",
    "data_analysis",
    "project_management",
    "sales",
    "customer_service",
    "copywriting",
    "graphic_design",
    "teaching",
    "nursing",
    "forklift_operation",
    "bookkeeping",
)
REQUIRED_LEVELS = ("intermediate", "beginner", "intermediate", "advanced", "beginner")
SAVED_NOTES = (
    "Ask about the shifts",
    "Good fit, apply after the weekend",
    "Check the commute first",
    "Salary looks low",
    "Need a newer resume for this one",
)
OPEN_STAGES = (
    "submitted",
    "in_review",
    "interview",
    "offer",
    "interview",
    "rejected",
    "withdrawn",
    "interview",
)
CLOSED_STAGES = ("rejected", "withdrawn", "rejected", "rejected")
FILLED_STAGES = ("hired", "rejected", "rejected", "rejected")
WITHDRAW_REASONS = (
    "submitted_by_mistake",
    "not_interested",
    "accepted_other_job",
    "submitted_by_mistake",
    "personal_reasons",
)
SLOT_DAYS = (3, -3, 5, -1, -2, 4)
SLOT_MINUTES = (45, 60, 30, 45)
INTERVIEWERS = (
    "Karen Holt",
    "Imran Sheikh",
    "Bea Lawson",
    "Victor Stone",
    "Nadia Petrov",
    "Joe Tanner",
    "Lucy Mbeki",
)
REPORT_STATUSES = ("open", "dismissed", "upheld", "open", "dismissed", "upheld")
REPORT_REASONS = ("scam", "misleading", "discriminatory", "duplicate", "misleading")
REPORT_DETAILS = (
    "They asked for a fee before the interview.",
    "The pay quoted on the phone was far below the range.",
    "The text asks for applicants under thirty only.",
    "The same job is listed twice under two titles.",
    "It says remote, but they want five days on site.",
)
PAYMENT_METHODS = ("card", "card", "bank_transfer", "card", "voucher", "bank_transfer", "card")
EMPLOYER_TEXTS = (
    "Thank you for applying, we will read it this week.",
    "Could you come for an interview next week?",
    "Please tell us your notice period.",
    "Are you able to work early shifts?",
    "We would like to see samples of your work.",
)
CANDIDATE_TEXTS = (
    "Thank you, I look forward to hearing from you.",
    "Tuesday or Thursday morning suits me best.",
    "My notice period is one month.",
    "Is the salary range negotiable?",
    "I can send more references if needed.",
)
PAST_OFFERS = ("withdrawn", "expired", "withdrawn", "expired")
INTERVIEW_PLANS = ("scheduled", "held", "scheduled", "scheduled", "held", "cancelled")
REJECTED_PLANS = ("held", "missed", "held", "missed")
DONE_PLANS = ("held", "held", "held", "held")
LATER_PLANS = ("cancelled", "cancelled", "cancelled", "cancelled")
INTERVIEW_KINDS = ("video", "phone", "in_person", "video", "in_person")


def seed_candidates(db: Database, fake: Fake, count: int) -> None:
    """Make candidates."""
    today = db.today()
    for n in range(count):
        first = fake.first_name()
        last = fake.last_name()
        db.candidates.add(
            name=f"{first} {last}",
            email=f"{first}.{last}{n + 1}@example.com".lower().replace(" ", ""),
            phone=fake.phone_number(),
            city=HOME_CITIES[n % len(HOME_CITIES)],
            wished_salary=money(22000 + n * 7 % 20 * 1500),
            available_from=fake.day(today - timedelta(days=40), today + timedelta(days=90)),
            status=CANDIDATE_STATUSES[n % len(CANDIDATE_STATUSES)],
            joined_on=fake.day(date(2023, 5, 1), date(2025, 12, 31)),
        )


def seed_employers(db: Database, fake: Fake, count: int) -> None:
    """Make employers."""
    for n in range(count):
        name = EMPLOYER_NAMES[n % len(EMPLOYER_NAMES)]
        domain = name.lower().replace(" ", "-")
        db.employers.add(
            name=name,
            industry=INDUSTRIES[n % len(INDUSTRIES)],
            city=EMPLOYER_CITIES[n % len(EMPLOYER_CITIES)],
            contact_email=f"jobs@{domain}.example",
            status=EMPLOYER_STATUSES[n % len(EMPLOYER_STATUSES)],
            joined_on=fake.day(date(2022, 1, 10), date(2025, 6, 30)),
        )


def seed_coaches(db: Database, fake: Fake, count: int) -> None:
    """Make coaches."""
    for n in range(count):
        name = COACH_NAMES[n % len(COACH_NAMES)]
        local = name.lower().replace(" ", ".")
        db.coaches.add(
            name=name,
            email=f"{local}@brightpath.example",
            specialty=SPECIALTIES[n % len(SPECIALTIES)],
            hourly_fee=money(45 + n % 7 * 8),
            taking_bookings=n % 5 != 4,
        )


def seed_candidate_skills(db: Database, fake: Fake, count: int) -> None:
    """Make candidate skills."""
    candidates = db.candidates.all()
    for n in range(count):
        turn = n // len(candidates)
        place = n % len(candidates)
        skill_at = place + turn
        level_at = place + turn * 2
        db.candidate_skills.add(
            candidate_id=candidates[place].candidate_id,
            skill=SKILLS_HELD[skill_at % len(SKILLS_HELD)],
            level=LEVELS_HELD[level_at % len(LEVELS_HELD)],
            years=YEARS_HELD[level_at % len(YEARS_HELD)] + turn,
        )


def seed_resumes(db: Database, fake: Fake, count: int) -> None:
    """Make resumes."""
    candidates = db.candidates.all()
    for n in range(count):
        turn = n // len(candidates)
        title = RESUME_TITLES[n % len(RESUME_TITLES)]
        db.resumes.add(
            candidate_id=candidates[n % len(candidates)].candidate_id,
            title=f"{title} v{turn + 1}",
            pages=1 + n % 3,
            status=(
                "primary"
                if turn == 0 and n % 10 != 9
                else "archived"
                if turn > 0 and n % 3 == 0
                else "spare"
            ),
            updated_on=fake.day(date(2024, 2, 1), date(2026, 3, 9)),
        )


def seed_referees(db: Database, fake: Fake, count: int) -> None:
    """Make referees."""
    candidates = db.candidates.all()
    for n in range(count):
        first = fake.first_name()
        last = fake.last_name()
        db.referees.add(
            candidate_id=candidates[n % len(candidates)].candidate_id,
            name=f"{first} {last}",
            email=f"{first}.{last}@referees.example".lower().replace(" ", ""),
            company=fake.company(),
            relation=RELATIONS[n % len(RELATIONS)],
            status=REFEREE_STATUSES[n % len(REFEREE_STATUSES)],
            status_on=fake.day(date(2025, 6, 1), date(2026, 3, 10)),
        )


def seed_job_alerts(db: Database, fake: Fake, count: int) -> None:
    """Make job alerts."""
    candidates = db.candidates.all()
    for n in range(count):
        candidate = candidates[0 if n < 5 else n % len(candidates)]
        skill_at = n * 5
        db.job_alerts.add(
            candidate_id=candidate.candidate_id,
            skill=ALERT_SKILLS[skill_at % len(ALERT_SKILLS)],
            city=None if n % 3 == 0 else candidate.city,
            least_salary=None if n % 4 == 1 else candidate.wished_salary,
            frequency=ALERT_FREQUENCIES[n % len(ALERT_FREQUENCIES)],
            status="active" if n < 5 else ALERT_STATUSES[n % len(ALERT_STATUSES)],
            created_on=fake.day(date(2026, 1, 5), date(2026, 3, 10)),
        )


def seed_postings(db: Database, fake: Fake, count: int) -> None:
    """Make postings."""
    today = db.today()
    verified = db.employers.where(status="verified")
    everyone = db.employers.all()
    for n in range(count):
        status = POSTING_STATUSES[n % len(POSTING_STATUSES)]
        over = status == "closed" or status == "filled"
        pool = verified if status == "open" or status == "filled" else everyone
        employer = pool[n % len(pool)]
        openings = 1 if status == "filled" else 1 + n % 3
        least = 22000 + n * 5 % 12 * 1500
        reason = CLOSE_REASONS[n % len(CLOSE_REASONS)]
        days = -5 if over or n % 10 == 9 else 6 + n * 3 % 50
        db.postings.add(
            employer_id=employer.employer_id,
            title=POSTING_TITLES[n % len(POSTING_TITLES)],
            city=employer.city,
            work_mode=WORK_MODES[n % len(WORK_MODES)],
            employment_type=EMPLOYMENT_TYPES[n % len(EMPLOYMENT_TYPES)],
            salary_min=money(least),
            salary_max=money(least + 4000 + n % 4 * 2000),
            openings=openings,
            openings_left=0 if status == "filled" else openings,
            deadline=today + timedelta(days=days),
            status=status,
            close_reason=reason if status == "closed" else None,
            published_on=(None if status == "draft" else today - timedelta(days=15 + n % 20)),
        )


def seed_coaching_sessions(db: Database, fake: Fake, count: int) -> None:
    """Make coaching sessions."""
    today = db.today()
    base = db.now().replace(minute=0, second=0, microsecond=0)
    candidates = db.candidates.all()
    coaches = db.coaches.all()
    for n in range(count):
        status = SESSION_STATUSES[n % len(SESSION_STATUSES)]
        coach = coaches[n % len(coaches)]
        minutes = SESSION_MINUTES[n % len(SESSION_MINUTES)]
        ahead = status == "booked" or status == "cancelled"
        days = n if ahead else -2 - n
        shift = timedelta(days=-1 if n == 15 else days, hours=n % 7)
        db.coaching_sessions.add(
            candidate_id=candidates[n * 7 % len(candidates)].candidate_id,
            coach_id=coach.coach_id,
            starts_at=base + (timedelta(hours=6) if n == 1 else shift),
            minutes=minutes,
            price=money(coach.hourly_fee * minutes / 60),
            status=status,
            booked_on=today - timedelta(days=8 + n),
        )


def seed_requirements(db: Database, fake: Fake, count: int) -> None:
    """Make requirements."""
    postings = db.postings.all()[:-1]
    for n in range(count):
        turn = n // len(postings)
        place = n % len(postings)
        skill_at = place + turn
        db.requirements.add(
            posting_id=postings[place].posting_id,
            skill=REQUIRED_SKILLS[skill_at % len(REQUIRED_SKILLS)],
            least_level=REQUIRED_LEVELS[n % len(REQUIRED_LEVELS)],
            must=turn == 0 or n % 2 == 0,
        )


def seed_saved_postings(db: Database, fake: Fake, count: int) -> None:
    """Make saved postings."""
    today = db.today()
    candidates = db.candidates.all()
    posted = [row for row in db.postings.all() if row.status != "draft"]
    for n in range(count):
        turn = n // len(candidates)
        note = SAVED_NOTES[n % len(SAVED_NOTES)]
        db.saved_postings.add(
            candidate_id=candidates[n % len(candidates)].candidate_id,
            posting_id=posted[(n % len(candidates) + turn) % len(posted)].posting_id,
            note=None if n % 3 == 0 else note,
            saved_on=today - timedelta(days=n % 14),
        )


def seed_applications(db: Database, fake: Fake, count: int) -> None:
    """Make applications."""
    today = db.today()
    candidates = db.candidates.all()
    postings = db.postings.all()
    posted = [i for i, row in enumerate(postings) if row.status != "draft"]
    for n in range(count):
        turn = n // len(posted)
        place = posted[n % len(posted)]
        posting = postings[place]
        who = place % 12 + place // 12 % 2 * 12 + turn * 19
        candidate = candidates[who % len(candidates)]
        resumes = db.resumes.where(candidate_id=candidate.candidate_id)
        usable = [row for row in resumes if row.status != "archived"]
        stage = OPEN_STAGES[n % len(OPEN_STAGES)]
        if posting.status == "closed":
            stage = CLOSED_STAGES[n % len(CLOSED_STAGES)]
        if posting.status == "filled":
            stage = FILLED_STAGES[turn % len(FILLED_STAGES)]
        reason = WITHDRAW_REASONS[n % len(WITHDRAW_REASONS)]
        submitted_on = today - timedelta(days=3 + n % 7)
        later = 0 if stage == "submitted" else 1 + n % 3
        db.applications.add(
            candidate_id=candidate.candidate_id,
            posting_id=posting.posting_id,
            resume_id=usable[0].resume_id,
            stage=stage,
            submitted_on=submitted_on,
            changed_on=submitted_on + timedelta(days=later),
            withdraw_reason=reason if stage == "withdrawn" else None,
        )


def seed_interview_slots(db: Database, fake: Fake, count: int) -> None:
    """Make interview slots."""
    base = db.now().replace(minute=0, second=0, microsecond=0)
    waiting = db.applications.where(stage="interview")
    offered = db.applications.where(stage="offer")
    hired = db.applications.where(stage="hired")
    rejected = db.applications.where(stage="rejected")
    met = (waiting + offered + hired + rejected)[:32]
    for n in range(count):
        row = met[n % len(met)]
        days = SLOT_DAYS[n % len(SLOT_DAYS)]
        if n >= len(met):
            days = 2 + n % 9
        elif row.stage != "interview":
            days = -1 - n % 4
        shift = timedelta(days=days, hours=n % 7)
        db.interview_slots.add(
            posting_id=row.posting_id,
            interviewer=INTERVIEWERS[n % len(INTERVIEWERS)],
            starts_at=base + (timedelta(hours=1) if n == 8 else shift),
            minutes=SLOT_MINUTES[n % len(SLOT_MINUTES)],
            status="blocked" if n >= len(met) and n % 8 == 7 else "free",
        )


def seed_posting_reports(db: Database, fake: Fake, count: int) -> None:
    """Make posting reports."""
    today = db.today()
    candidates = db.candidates.all()
    opened = db.postings.where(status="open")
    closed = db.postings.where(status="closed")
    for n in range(count):
        status = REPORT_STATUSES[n % len(REPORT_STATUSES)]
        pool = closed if status == "upheld" or n == 12 else opened
        reported_on = today - timedelta(days=6 + n % 9)
        settled_on = reported_on + timedelta(days=2 + n % 3)
        db.posting_reports.add(
            posting_id=pool[n // 3 % len(pool)].posting_id,
            candidate_id=candidates[(n * 3 + 1) % len(candidates)].candidate_id,
            reason=REPORT_REASONS[n % len(REPORT_REASONS)],
            details=REPORT_DETAILS[n % len(REPORT_DETAILS)],
            status=status,
            reported_on=reported_on,
            settled_on=None if status == "open" else settled_on,
        )


def seed_payments(db: Database, fake: Fake, count: int) -> None:
    """Make payments."""
    sessions = db.coaching_sessions.all()
    for n in range(count):
        session = sessions[n]
        full = session.status == "cancelled" and n % 24 == 2
        part = n == 10 or session.status == "late_cancelled" and n % 24 == 5
        half = money(session.price / 2)
        db.payments.add(
            coaching_session_id=session.coaching_session_id,
            candidate_id=session.candidate_id,
            amount=session.price,
            refunded=session.price if full else half if part else money(0),
            method=PAYMENT_METHODS[n % len(PAYMENT_METHODS)],
            status="refunded" if full else "partly_refunded" if part else "paid",
            paid_on=session.booked_on,
        )


def seed_messages(db: Database, fake: Fake, count: int) -> None:
    """Make messages."""
    base = db.now().replace(minute=0, second=0, microsecond=0)
    applications = db.applications.all()
    for n in range(count):
        place = 0 if n < 3 else n // 2
        from_employer = n < 3 or n % 2 == 0
        asks = EMPLOYER_TEXTS[n % len(EMPLOYER_TEXTS)]
        says = CANDIDATE_TEXTS[n % len(CANDIDATE_TEXTS)]
        ago = timedelta(hours=6 + n // 2) - timedelta(minutes=n % 2 * 90)
        db.messages.add(
            application_id=applications[place % len(applications)].application_id,
            sender="employer" if from_employer else "candidate",
            body=asks if from_employer else says,
            sent_at=base - ago,
            is_read=n >= 3 and (n % 2 == 0 or n % 3 != 0),
        )


def seed_offers(db: Database, fake: Fake, count: int) -> None:
    """Make offers."""
    today = db.today()
    waiting = db.applications.where(stage="interview")
    offered = db.applications.where(stage="offer")
    hired = db.applications.where(stage="hired")
    declined = db.applications.where(withdraw_reason="not_interested")
    mistaken = db.applications.where(withdraw_reason="submitted_by_mistake")
    private = db.applications.where(withdraw_reason="personal_reasons")
    for row in mistaken[1:2]:
        key = row.application_id
        db.applications.update(key, withdraw_reason="accepted_other_job")
    for row in private[:1]:
        key = row.application_id
        db.applications.update(key, withdraw_reason="submitted_by_mistake")
    pool = offered + hired + declined + waiting[1::3] + waiting
    for n in range(count):
        row = pool[n % len(pool)]
        posting = db.postings.get(row.posting_id)
        past = PAST_OFFERS[n % len(PAST_OFFERS)]
        lapsed = n == 2 or row.stage == "interview" and past == "expired"
        expires_on = today + timedelta(days=-1 if lapsed else 2 + n % 12)
        db.offers.add(
            application_id=row.application_id,
            salary=money(posting.salary_min + 500 * (n % 4)),
            starts_on=expires_on + timedelta(days=14 + n),
            expires_on=expires_on,
            extended_on=row.submitted_on + timedelta(days=1),
            status=(
                "extended"
                if row.stage == "offer"
                else "accepted"
                if row.stage == "hired"
                else "declined"
                if row.stage == "withdrawn"
                else past
            ),
        )


def seed_interviews(db: Database, fake: Fake, count: int) -> None:
    """Make interviews."""
    waiting = db.applications.where(stage="interview")
    offered = db.applications.where(stage="offer")
    hired = db.applications.where(stage="hired")
    rejected = db.applications.where(stage="rejected")
    met = (waiting + offered + hired + rejected)[:32]
    slots = db.interview_slots.all()
    for n in range(count):
        row = met[n % len(met)]
        slot = slots[n % len(slots)]
        status = INTERVIEW_PLANS[n % len(INTERVIEW_PLANS)]
        if n >= len(met):
            status = LATER_PLANS[n % len(LATER_PLANS)]
        elif row.stage == "rejected":
            status = REJECTED_PLANS[n % len(REJECTED_PLANS)]
        elif row.stage != "interview":
            status = DONE_PLANS[n % len(DONE_PLANS)]
        if status != "cancelled":
            db.interview_slots.update(slot.interview_slot_id, status="taken")
        db.interviews.add(
            application_id=row.application_id,
            interview_slot_id=slot.interview_slot_id,
            kind=INTERVIEW_KINDS[n % len(INTERVIEW_KINDS)],
            status=status,
            outcome=(
                None
                if status == "scheduled" or status == "cancelled"
                else "no_show"
                if status == "missed"
                else "failed"
                if row.stage == "rejected"
                else "passed"
            ),
            booked_on=row.submitted_on + timedelta(days=1),
        )
