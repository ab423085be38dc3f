"""The tools of Brightpath Careers: job sear…: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from .database.models import (
    AlertFrequency,
    AlertStatus,
    Application,
    ApplicationId,
    ApplicationStage,
    CancelParty,
    Candidate,
    CandidateId,
    CandidateSkill,
    CloseReason,
    Coach,
    CoachId,
    CoachingSession,
    CoachingSessionId,
    CoachSpecialty,
    Database,
    Employer,
    EmployerId,
    EmployerStatus,
    EmploymentType,
    GetApplicationResult,
    Interview,
    InterviewId,
    InterviewKind,
    InterviewOutcome,
    InterviewSlot,
    InterviewSlotId,
    InterviewStatus,
    JobAlert,
    JobAlertId,
    Message,
    Offer,
    OfferAnswer,
    OfferId,
    OfferStatus,
    Payment,
    PaymentId,
    PaymentMethod,
    PaymentStatus,
    Posting,
    PostingId,
    PostingReport,
    PostingReportId,
    PostingStatus,
    Referee,
    RefereeId,
    RefereeStatus,
    ReportDecision,
    ReportReason,
    ReportStatus,
    Requirement,
    Resume,
    ResumeId,
    ResumeStatus,
    SavedPosting,
    SenderRole,
    SessionStatus,
    Skill,
    SkillLevel,
    SlotStatus,
    StageMove,
    WithdrawReason,
    WorkMode,
)
from .errors import Rejected
from .values import Money, Page, money, page

LEVEL_ORDER = ("beginner", "intermediate", "advanced", "expert")
CITY_SHORTEST = 2
CITY_LONGEST = 60
WISHED_LEAST = 10000
WISHED_MOST = 500000
START_WITHIN_DAYS = 365
YEARS_MOST = 50
EXPERT_YEARS = 3
RESUME_HOLDING_STAGES = ("submitted", "in_review", "interview", "offer")
REFEREE_STEPS = (
    ("listed", "requested"),
    ("requested", "confirmed"),
    ("requested", "declined"),
    ("declined", "requested"),
)
TITLE_SHORTEST = 3
TITLE_LONGEST = 80
RANGE_LEAST = 10000
RANGE_MOST = 500000
DRAFTS_MOST = 5
DRAFT_DAYS = 30
REQUIREMENTS_MOST = 6
OPENINGS_MOST = 20
DEADLINE_MIN_DAYS = 3
DEADLINE_MAX_DAYS = 90
CLOSABLE_STAGES = ("submitted", "in_review", "interview")
SEARCH_LEVELS = ("beginner", "intermediate", "advanced", "expert")
SAVED_MOST = 20
NOTE_LONGEST = 200
ALERT_CITY_SHORTEST = 2
ALERT_CITY_LONGEST = 60
ALERT_SALARY_MOST = 500000
ACTIVE_ALERTS_MOST = 5
MUST_LEVELS = ("beginner", "intermediate", "advanced", "expert")
RUNNING_STAGES = ("submitted", "in_review", "interview", "offer")
RUNNING_MOST = 10
STAGE_STEPS = (
    ("submitted", "in_review"),
    ("in_review", "interview"),
    ("submitted", "rejected"),
    ("in_review", "rejected"),
    ("interview", "rejected"),
)
ENDED_STAGES = ("hired", "rejected", "withdrawn")
REINSTATE_DAYS = 7
BODY_LONGEST = 1000
UNREAD_MOST = 3
RESCHEDULE_HOURS = 2
ANSWER_MIN_DAYS = 2
ANSWER_MAX_DAYS = 30
SESSION_LENGTHS = (30, 60, 90)
LEAD_HOURS = 2
BOOK_WITHIN_DAYS = 60
LATE_HOURS = 24


def find_candidate_by_email(db: Database, email: str) -> Candidate:
    """Find the candidate with this e-mail address.

    Args:
        email: Full e-mail address, in any case, e.g. mia.keller@example.com.

    Raises:
        Rejected: No candidate has this e-mail address.
    """
    wanted = email.strip().lower()
    for row in db.candidates.all():
        if row.email.lower() == wanted:
            return row
    raise Rejected(f"No candidate has the e-mail address {email}: check its spelling.")


def get_candidate(db: Database, candidate_id: CandidateId) -> Candidate:
    """Get one candidate's profile by id.

    Args:
        candidate_id: The candidate, found by e-mail or named by an application.

    Raises:
        Rejected: There is no such candidate.
    """
    return db.candidates.get(candidate_id)


def list_candidate_skills(
    db: Database,
    candidate_id: CandidateId,
    least_level: SkillLevel | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[CandidateSkill]:
    """List the skills of a candidate with level and years.

    Args:
        candidate_id: Whose skills.
        least_level: Only skills of this level or higher, e.g. advanced.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The cursor or limit is bad.
    """
    db.candidates.get(candidate_id)
    rows = db.candidate_skills.where(candidate_id=candidate_id)
    if least_level is not None:
        least = LEVEL_ORDER.index(least_level)
        rows = [row for row in rows if LEVEL_ORDER.index(row.level) >= least]
    return page(rows, cursor, limit)


def list_resumes(
    db: Database,
    candidate_id: CandidateId,
    status: ResumeStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Resume]:
    """List the resumes of a candidate.

    Args:
        candidate_id: Whose resumes.
        status: Only resumes of this status, e.g. primary.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The cursor or limit is bad.
    """
    db.candidates.get(candidate_id)
    rows = db.resumes.where(candidate_id=candidate_id)
    if status is not None:
        rows = db.resumes.where(candidate_id=candidate_id, status=status)
    return page(rows, cursor, limit)


def list_referees(
    db: Database,
    candidate_id: CandidateId,
    status: RefereeStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Referee]:
    """List the referees of a candidate.

    Args:
        candidate_id: Whose referees.
        status: Only referees of this status, e.g. confirmed.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The cursor or limit is bad.
    """
    db.candidates.get(candidate_id)
    rows = db.referees.where(candidate_id=candidate_id)
    if status is not None:
        rows = db.referees.where(candidate_id=candidate_id, status=status)
    return page(rows, cursor, limit)


def update_candidate_profile(
    db: Database,
    candidate_id: CandidateId,
    city: str | None = None,
    wished_salary: Money | None = None,
    available_from: date | None = None,
) -> Candidate:
    """Change a candidate's city, wished salary or earliest start.

    Args:
        candidate_id: The candidate to change.
        city: City of 2 to 60 characters, e.g. Leeds.
        wished_salary: Wished yearly salary, 10000 to 500000.
        available_from: Earliest start, today or within 365 days, e.g. 2026-04-01.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The candidate is blocked.
        Rejected: None of city, wished_salary and available_from is given.
        Rejected: city has fewer than 2 or more than 60 characters without the spaces around it.
        Rejected: wished_salary is below 10000 or above 500000.
        Rejected: available_from is before today or more than 365 days after today.
    """
    _check_not_blocked(db, candidate_id)
    if city is None and wished_salary is None and available_from is None:
        raise Rejected("Give at least one of city, wished_salary and available_from.")
    _check_profile_values(db, city, wished_salary, available_from)
    old = db.candidates.get(candidate_id)
    return db.candidates.update(
        candidate_id,
        city=old.city if city is None else city.strip(),
        wished_salary=(old.wished_salary if wished_salary is None else money(wished_salary)),
        available_from=old.available_from if available_from is None else available_from,
    )


def set_candidate_skill(
    db: Database, candidate_id: CandidateId, skill: Skill, level: SkillLevel, years: int
) -> CandidateSkill:
    """Add a skill to a candidate or change its level and years.

    Args:
        candidate_id: Whose skill.
        skill: The skill, e.g. sql.
        level: Level, e.g. advanced.
        years: Years of experience, 0 to 50.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The candidate is blocked.
        Rejected: years is below 0 or above 50.
        Rejected: level is expert with fewer than 3 years.
    """
    _check_not_blocked(db, candidate_id)
    if not 0 <= years <= YEARS_MOST:
        raise Rejected(f"years must be 0 to {YEARS_MOST}, not {years}.")
    if level == "expert" and years < EXPERT_YEARS:
        raise Rejected(f"An expert needs {EXPERT_YEARS} years: choose a lower level.")
    rows = db.candidate_skills.where(candidate_id=candidate_id, skill=skill)
    if rows:
        key = rows[0].candidate_skill_id
        return db.candidate_skills.update(key, level=level, years=years)
    return db.candidate_skills.add(candidate_id=candidate_id, skill=skill, level=level, years=years)


def set_resume_status(db: Database, resume_id: ResumeId, status: ResumeStatus) -> Resume:
    """Make a resume primary, spare or archived.

    Args:
        resume_id: The resume, such as RES-1.
        status: The new status.

    Raises:
        Rejected: There is no such resume.
        Rejected: The resume already has this status.
        Rejected: The resume is the primary one: another must be made primary first.
        Rejected: status is archived while an application in stage submitted, in_review, interview
            or offer uses the resume.
    """
    resume = db.resumes.get(resume_id)
    if resume.status == status:
        raise Rejected(f"Resume {resume_id} is {status} already: nothing to change.")
    if resume.status == "primary":
        raise Rejected("This resume is the primary one: make another primary first.")
    if status == "archived" and _resume_in_use(db, resume_id):
        raise Rejected("An open application uses this resume: withdraw it first.")
    if status == "primary":
        owner_id = resume.candidate_id
        for row in db.resumes.where(candidate_id=owner_id, status="primary"):
            db.resumes.update(row.resume_id, status="spare")
    return db.resumes.update(resume_id, status=status)


def set_referee_status(db: Database, referee_id: RefereeId, status: RefereeStatus) -> Referee:
    """Record how far a candidate's reference has come.

    Args:
        referee_id: The referee, such as REF-1.
        status: The new status: requested, confirmed or declined.

    Raises:
        Rejected: There is no such referee.
        Rejected: The candidate is blocked.
        Rejected: The step is not listed to requested, requested to confirmed, requested to declined
            or declined to requested.
    """
    referee = db.referees.get(referee_id)
    _check_not_blocked(db, referee.candidate_id)
    if (referee.status, status) not in REFEREE_STEPS:
        raise Rejected(f"A referee who is {referee.status} cannot become {status}.")
    return db.referees.update(referee_id, status=status, status_on=db.today())


def _check_profile_values(
    db: Database,
    city: str | None,
    wished_salary: Money | None,
    available_from: date | None,
) -> None:
    if city is not None and not CITY_SHORTEST <= len(city.strip()) <= CITY_LONGEST:
        raise Rejected(f"city must have 2 to 60 characters, not {len(city.strip())}.")
    if wished_salary is not None and not WISHED_LEAST <= wished_salary <= WISHED_MOST:
        raise Rejected(f"wished_salary must be 10000 to 500000, not {wished_salary}.")
    today = db.today()
    latest = today + timedelta(days=START_WITHIN_DAYS)
    if available_from is not None and not today <= available_from <= latest:
        raise Rejected(f"available_from must be {today} to {latest}.")


def _resume_in_use(db: Database, resume_id: ResumeId) -> bool:
    return any(
        row.stage in RESUME_HOLDING_STAGES for row in db.applications.where(resume_id=resume_id)
    )


def _check_not_blocked(db: Database, candidate_id: CandidateId) -> None:
    if db.candidates.get(candidate_id).status == "blocked":
        raise Rejected(f"Candidate {candidate_id} is blocked: nothing may be changed.")


def find_employer_by_name(db: Database, name: str) -> Employer:
    """Find the employer with this name.

    Args:
        name: Full company name, in any case, e.g. Harbour Logistics.

    Raises:
        Rejected: No employer has this name.
    """
    wanted = name.strip().lower()
    for row in db.employers.all():
        if row.name.lower() == wanted:
            return row
    raise Rejected(f"No employer is called {name}: check the spelling.")


def list_employer_postings(
    db: Database,
    employer_id: EmployerId,
    status: PostingStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Posting]:
    """List the postings of an employer, drafts included.

    Args:
        employer_id: Whose postings.
        status: Only postings of this status, e.g. draft.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such employer.
        Rejected: The cursor or limit is bad.
    """
    db.employers.get(employer_id)
    rows = db.postings.where(employer_id=employer_id)
    if status is not None:
        rows = db.postings.where(employer_id=employer_id, status=status)
    return page(rows, cursor, limit)


def get_posting(db: Database, posting_id: PostingId) -> Posting:
    """Get one posting by id.

    Args:
        posting_id: The posting, such as POS-1.

    Raises:
        Rejected: There is no such posting.
    """
    return db.postings.get(posting_id)


def list_posting_requirements(
    db: Database,
    posting_id: PostingId,
    must_only: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Requirement]:
    """List the skills that a posting asks for.

    Args:
        posting_id: Whose requirements.
        must_only: true: only requirements that are a must.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such posting.
        Rejected: The cursor or limit is bad.
    """
    db.postings.get(posting_id)
    rows = db.requirements.where(posting_id=posting_id)
    if must_only:
        rows = db.requirements.where(posting_id=posting_id, must=True)
    return page(rows, cursor, limit)


def create_posting(
    db: Database,
    employer_id: EmployerId,
    title: str,
    work_mode: WorkMode,
    employment_type: EmploymentType,
    salary_min: Money,
    salary_max: Money,
) -> Posting:
    """Draft a new posting for an employer, in the employer's city.

    Args:
        employer_id: Who offers the job.
        title: Title of 3 to 80 characters, e.g. Night Shift Nurse.
        work_mode: Where the work is done, e.g. hybrid.
        employment_type: Kind of employment, e.g. full_time.
        salary_min: Least yearly salary, from 10000.
        salary_max: Highest yearly salary, salary_min to 500000.

    Raises:
        Rejected: There is no such employer.
        Rejected: The employer is suspended.
        Rejected: title has fewer than 3 or more than 80 characters without the spaces around it.
        Rejected: salary_min is below 10000 or salary_max above 500000.
        Rejected: salary_min is above salary_max.
        Rejected: The employer already has 5 drafts.
    """
    employer = db.employers.get(employer_id)
    if employer.status == "suspended":
        raise Rejected(f"{employer.name} is suspended: it must be verified first.")
    if not TITLE_SHORTEST <= len(title.strip()) <= TITLE_LONGEST:
        raise Rejected(f"title must have 3 to 80 characters, not {len(title.strip())}.")
    if salary_min < RANGE_LEAST or salary_max > RANGE_MOST:
        raise Rejected("salary_min must be at least 10000, salary_max at most 500000.")
    if salary_min > salary_max:
        raise Rejected(f"salary_min {salary_min} is above salary_max {salary_max}.")
    if len(db.postings.where(employer_id=employer_id, status="draft")) >= DRAFTS_MOST:
        raise Rejected(f"{employer.name} has {DRAFTS_MOST} drafts: publish one first.")
    return db.postings.add(
        employer_id=employer_id,
        title=title.strip(),
        city=employer.city,
        work_mode=work_mode,
        employment_type=employment_type,
        salary_min=money(salary_min),
        salary_max=money(salary_max),
        openings=1,
        openings_left=1,
        deadline=db.today() + timedelta(days=DRAFT_DAYS),
        status="draft",
        close_reason=None,
        published_on=None,
    )


def add_posting_requirement(
    db: Database, posting_id: PostingId, skill: Skill, least_level: SkillLevel, must: bool
) -> Requirement:
    """Add a required or wished skill to a draft posting.

    Args:
        posting_id: The draft posting.
        skill: The skill, e.g. nursing.
        least_level: Least level asked for, e.g. intermediate.
        must: true: applicants without it are refused.

    Raises:
        Rejected: There is no such posting.
        Rejected: The posting is not a draft.
        Rejected: The posting already asks for this skill.
        Rejected: The posting already has 6 requirements.
    """
    posting = db.postings.get(posting_id)
    if posting.status != "draft":
        raise Rejected(f"Posting {posting_id} is {posting.status}, not a draft.")
    if db.requirements.where(posting_id=posting_id, skill=skill):
        raise Rejected(f"Posting {posting_id} asks for {skill} already: name another.")
    if len(db.requirements.where(posting_id=posting_id)) >= REQUIREMENTS_MOST:
        raise Rejected(f"Posting {posting_id} has {REQUIREMENTS_MOST}.")
    return db.requirements.add(
        posting_id=posting_id, skill=skill, least_level=least_level, must=must
    )


def publish_posting(db: Database, posting_id: PostingId, openings: int, deadline: date) -> Posting:
    """Publish a draft posting with its openings and deadline.

    Args:
        posting_id: The draft posting.
        openings: Number of people to hire, 1 to 20.
        deadline: Last day to apply, 3 to 90 days after today, e.g. 2026-04-10.

    Raises:
        Rejected: There is no such posting.
        Rejected: The posting is not a draft.
        Rejected: The employer is not verified.
        Rejected: The posting has no requirement.
        Rejected: openings is below 1 or above 20.
        Rejected: deadline is fewer than 3 or more than 90 days after today.
    """
    posting = db.postings.get(posting_id)
    employer = db.employers.get(posting.employer_id)
    first = db.today() + timedelta(days=DEADLINE_MIN_DAYS)
    last = db.today() + timedelta(days=DEADLINE_MAX_DAYS)
    if posting.status != "draft":
        raise Rejected(f"Posting {posting_id} is {posting.status}, not a draft.")
    if employer.status != "verified":
        raise Rejected(f"{employer.name} is {employer.status}: have it verified.")
    if not db.requirements.where(posting_id=posting_id):
        raise Rejected(f"Posting {posting_id} has no requirement: add one first.")
    if not 1 <= openings <= OPENINGS_MOST:
        raise Rejected(f"openings must be 1 to {OPENINGS_MOST}, not {openings}.")
    if not first <= deadline <= last:
        raise Rejected(f"deadline must be {first} to {last}, not {deadline}.")
    return db.postings.update(
        posting_id,
        status="open",
        openings=openings,
        openings_left=openings,
        deadline=deadline,
        published_on=db.today(),
    )


def close_posting(db: Database, posting_id: PostingId, reason: CloseReason) -> Posting:
    """Close an open posting and reject the applications still open on it.

    Args:
        posting_id: The open posting.
        reason: Why it is closed, e.g. budget_cut.

    Raises:
        Rejected: There is no such posting.
        Rejected: The posting is not open.
        Rejected: An application on the posting is in stage offer: its offer must be answered or
            withdrawn first.
    """
    posting = db.postings.get(posting_id)
    if posting.status != "open":
        raise Rejected(f"Posting {posting_id} is {posting.status}, not open.")
    if db.applications.where(posting_id=posting_id, stage="offer"):
        raise Rejected("An offer is unanswered: have it answered or withdrawn first.")
    today = db.today()
    for row in db.applications.where(posting_id=posting_id):
        if row.stage in CLOSABLE_STAGES:
            key = row.application_id
            _block_interviews(db, key)
            db.applications.update(key, stage="rejected", changed_on=today)
    for slot in db.interview_slots.where(posting_id=posting_id, status="free"):
        db.interview_slots.update(slot.interview_slot_id, status="blocked")
    return db.postings.update(posting_id, status="closed", close_reason=reason)


def _block_interviews(db: Database, application_id: ApplicationId) -> None:
    for row in db.interviews.where(application_id=application_id, status="scheduled"):
        db.interviews.update(row.interview_id, status="cancelled")
        db.interview_slots.update(row.interview_slot_id, status="blocked")


def search_postings(
    db: Database,
    skill: Skill | None = None,
    city: str | None = None,
    work_mode: WorkMode | None = None,
    employment_type: EmploymentType | None = None,
    least_salary: Money | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Posting]:
    """Search open postings that still take applications.

    Args:
        skill: Only postings that ask for this skill, e.g. sales.
        city: Only postings in this city, in any case, e.g. Leeds.
        work_mode: Only this work mode, e.g. remote.
        employment_type: Only this kind of employment, e.g. part_time.
        least_salary: Only postings whose salary_max is at least this, e.g. 35000.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    today = db.today()
    rows = [
        row
        for row in db.postings.where(status="open")
        if row.deadline >= today
        and (city is None or row.city.lower() == city.strip().lower())
        and (work_mode is None or row.work_mode == work_mode)
        and (employment_type is None or row.employment_type == employment_type)
        and (least_salary is None or row.salary_max >= least_salary)
    ]
    if skill is not None:
        asking = [need.posting_id for need in db.requirements.where(skill=skill)]
        rows = [row for row in rows if row.posting_id in asking]
    return page(rows, cursor, limit)


def match_candidate_postings(
    db: Database,
    candidate_id: CandidateId,
    any_city: bool | None = None,
    any_salary: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Posting]:
    """List the open postings that a candidate qualifies for and has not applied to.

    Args:
        candidate_id: For whom.
        any_city: true: also postings outside the candidate's city that are not remote.
        any_salary: true: also postings whose salary_max is below the wished salary.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The cursor or limit is bad.
    """
    candidate = db.candidates.get(candidate_id)
    home = candidate.city.lower()
    today = db.today()
    rows = [
        row
        for row in db.postings.where(status="open")
        if row.deadline >= today
        and (any_city or row.work_mode == "remote" or row.city.lower() == home)
        and (any_salary or row.salary_max >= candidate.wished_salary)
        and not _applied_to(db, candidate_id, row.posting_id)
        and _has_musts(db, candidate_id, row.posting_id)
    ]
    return page(rows, cursor, limit)


def list_saved_postings(
    db: Database,
    candidate_id: CandidateId,
    open_only: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SavedPosting]:
    """List the postings a candidate has bookmarked.

    Args:
        candidate_id: Whose bookmarks.
        open_only: true: only bookmarks whose posting is open.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The cursor or limit is bad.
    """
    db.candidates.get(candidate_id)
    rows = db.saved_postings.where(candidate_id=candidate_id)
    if open_only:
        rows = [row for row in rows if db.postings.get(row.posting_id).status == "open"]
    return page(rows, cursor, limit)


def list_job_alerts(
    db: Database,
    candidate_id: CandidateId,
    status: AlertStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[JobAlert]:
    """List the job alerts of a candidate.

    Args:
        candidate_id: Whose alerts.
        status: Only alerts of this status, e.g. active.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The cursor or limit is bad.
    """
    db.candidates.get(candidate_id)
    rows = db.job_alerts.where(candidate_id=candidate_id)
    if status is not None:
        rows = db.job_alerts.where(candidate_id=candidate_id, status=status)
    return page(rows, cursor, limit)


def _has_musts(db: Database, candidate_id: CandidateId, posting_id: PostingId) -> bool:
    for need in db.requirements.where(posting_id=posting_id, must=True):
        held = db.candidate_skills.where(candidate_id=candidate_id, skill=need.skill)
        least = SEARCH_LEVELS.index(need.least_level)
        if not any(SEARCH_LEVELS.index(row.level) >= least for row in held):
            return False
    return True


def _applied_to(db: Database, candidate_id: CandidateId, posting_id: PostingId) -> bool:
    rows = db.applications.where(candidate_id=candidate_id, posting_id=posting_id)
    return any(row.stage != "withdrawn" for row in rows)


def save_posting(
    db: Database, candidate_id: CandidateId, posting_id: PostingId, note: str | None = None
) -> SavedPosting:
    """Bookmark an open posting for a candidate.

    Args:
        candidate_id: For whom.
        posting_id: The open posting.
        note: Note of at most 200 characters, e.g. ask about shifts.

    Raises:
        Rejected: There is no such candidate.
        Rejected: There is no such posting.
        Rejected: The candidate is blocked.
        Rejected: The posting is not open.
        Rejected: The candidate has already saved this posting.
        Rejected: The candidate already has 20 saved postings.
        Rejected: note has more than 200 characters.
    """
    candidate = db.candidates.get(candidate_id)
    posting = db.postings.get(posting_id)
    if candidate.status == "blocked":
        raise Rejected(f"Candidate {candidate_id} is blocked and may save nothing.")
    if posting.status != "open":
        raise Rejected(f"Posting {posting_id} is {posting.status}, not open.")
    if db.saved_postings.where(candidate_id=candidate_id, posting_id=posting_id):
        raise Rejected(f"Posting {posting_id} is saved already: list the saved ones.")
    if len(db.saved_postings.where(candidate_id=candidate_id)) >= SAVED_MOST:
        raise Rejected(f"Candidate {candidate_id} has {SAVED_MOST} saved ones already.")
    if note is not None and len(note) > NOTE_LONGEST:
        raise Rejected(f"note has {len(note)} characters: cut it to {NOTE_LONGEST}.")
    return db.saved_postings.add(
        candidate_id=candidate_id, posting_id=posting_id, note=note, saved_on=db.today()
    )


def create_job_alert(
    db: Database,
    candidate_id: CandidateId,
    skill: Skill,
    frequency: AlertFrequency,
    city: str | None = None,
    least_salary: Money | None = None,
) -> JobAlert:
    """Set up a standing search for a candidate.

    Args:
        candidate_id: For whom.
        skill: Skill the postings ask for, e.g. python.
        frequency: How often, e.g. weekly.
        city: Only this city, 2 to 60 characters; any if left out.
        least_salary: Least salary, 0 to 500000; any if left out.

    Raises:
        Rejected: There is no such candidate.
        Rejected: The candidate is not active.
        Rejected: city has fewer than 2 or more than 60 characters without the spaces around it.
        Rejected: least_salary is below 0 or above 500000.
        Rejected: The candidate already has an active alert for the same skill and city (in any
            case, or both without a city).
        Rejected: The candidate already has 5 active alerts.
    """
    wanted = "" if city is None else city.strip()
    fits = ALERT_CITY_SHORTEST <= len(wanted) <= ALERT_CITY_LONGEST
    db.candidates.get(candidate_id)
    if city is not None and not fits:
        raise Rejected(f"city must have 2 to 60 characters, not {len(wanted)}.")
    if least_salary is not None and not 0 <= least_salary <= ALERT_SALARY_MOST:
        raise Rejected(f"least_salary must be 0 to 500000, not {least_salary}.")
    if _has_same_alert(db, candidate_id, skill, wanted):
        raise Rejected(f"An alert for {skill} there is active already.")
    _check_alert_room(db, candidate_id)
    return db.job_alerts.add(
        candidate_id=candidate_id,
        skill=skill,
        city=None if city is None else wanted,
        least_salary=None if least_salary is None else money(least_salary),
        frequency=frequency,
        status="active",
        created_on=db.today(),
    )


def set_alert_status(db: Database, job_alert_id: JobAlertId, status: AlertStatus) -> JobAlert:
    """Pause a job alert or make it active again.

    Args:
        job_alert_id: The alert, such as ALR-1.
        status: The new status.

    Raises:
        Rejected: There is no such job alert.
        Rejected: The alert already has this status.
        Rejected: status is active and the candidate is not active.
        Rejected: status is active and the candidate already has 5 active alerts.
    """
    alert = db.job_alerts.get(job_alert_id)
    if alert.status == status:
        raise Rejected(f"Alert {job_alert_id} is {status} already: nothing to change.")
    if status == "active":
        _check_alert_room(db, alert.candidate_id)
    return db.job_alerts.update(job_alert_id, status=status)


def _check_alert_room(db: Database, candidate_id: CandidateId) -> None:
    candidate = db.candidates.get(candidate_id)
    if candidate.status != "active":
        raise Rejected(f"Candidate {candidate_id} is {candidate.status}, not active.")
    active = db.job_alerts.where(candidate_id=candidate_id, status="active")
    if len(active) >= ACTIVE_ALERTS_MOST:
        raise Rejected(f"There are {len(active)} active alerts: pause one first.")


def _has_same_alert(db: Database, candidate_id: CandidateId, skill: Skill, city: str) -> bool:
    rows = db.job_alerts.where(candidate_id=candidate_id, skill=skill, status="active")
    return any((row.city or "").lower() == city.lower() for row in rows)


def list_applications(
    db: Database,
    candidate_id: CandidateId | None = None,
    posting_id: PostingId | None = None,
    stage: ApplicationStage | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Application]:
    """List applications of a candidate, on a posting or in a stage.

    Args:
        candidate_id: Only this candidate's.
        posting_id: Only those on this posting.
        stage: Only this stage, e.g. interview.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: There is no such posting.
        Rejected: The cursor or limit is bad.
    """
    rows = db.applications.all()
    if candidate_id is not None:
        db.candidates.get(candidate_id)
        rows = [row for row in rows if row.candidate_id == candidate_id]
    if posting_id is not None:
        db.postings.get(posting_id)
        rows = [row for row in rows if row.posting_id == posting_id]
    if stage is not None:
        rows = [row for row in rows if row.stage == stage]
    return page(rows, cursor, limit)


def get_application(db: Database, application_id: ApplicationId) -> GetApplicationResult:
    """Sum up one application: people, stage, interview, offer and unread messages.

    Args:
        application_id: The application, such as APP-1.

    Raises:
        Rejected: There is no such application.
    """
    row = db.applications.get(application_id)
    candidate = db.candidates.get(row.candidate_id)
    posting = db.postings.get(row.posting_id)
    employer = db.employers.get(posting.employer_id)
    booked = db.interviews.where(application_id=application_id, status="scheduled")
    passed = db.interviews.where(application_id=application_id, outcome="passed")
    offers = db.offers.where(application_id=application_id, status="extended")
    unread = db.messages.where(application_id=application_id, is_read=False)
    return GetApplicationResult(
        application_id=application_id,
        stage=row.stage,
        candidate_id=row.candidate_id,
        candidate_name=candidate.name,
        posting_id=row.posting_id,
        posting_title=posting.title,
        employer_name=employer.name,
        resume_id=row.resume_id,
        scheduled_interview_id=booked[0].interview_id if booked else None,
        interviews_passed=len(passed),
        open_offer_id=offers[0].offer_id if offers else None,
        unread_messages=len(unread),
    )


def list_application_messages(
    db: Database,
    application_id: ApplicationId,
    sender: SenderRole | None = None,
    unread_only: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Message]:
    """List the messages about an application.

    Args:
        application_id: Which application.
        sender: Only messages of this side, e.g. employer.
        unread_only: true: only unread messages.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such application.
        Rejected: The cursor or limit is bad.
    """
    db.applications.get(application_id)
    rows = db.messages.where(application_id=application_id)
    if sender is not None:
        rows = [row for row in rows if row.sender == sender]
    if unread_only:
        rows = [row for row in rows if not row.is_read]
    return page(rows, cursor, limit)


def submit_application(
    db: Database,
    candidate_id: CandidateId,
    posting_id: PostingId,
    resume_id: ResumeId | None = None,
) -> Application:
    """Apply to an open posting for a candidate with a resume.

    Args:
        candidate_id: Who applies.
        posting_id: The open posting.
        resume_id: The resume to use; the primary one if left out.

    Raises:
        Rejected: There is no such candidate.
        Rejected: There is no such posting.
        Rejected: There is no such resume.
        Rejected: The candidate is not active.
        Rejected: The posting is not open or its deadline is before today.
        Rejected: The candidate already has an application on this posting that is not withdrawn.
        Rejected: The candidate lacks a skill that is a must, or has it below the least level.
        Rejected: The resume belongs to another candidate or is archived.
        Rejected: No resume is given and the candidate has no primary one.
        Rejected: The candidate already has 10 applications in stage submitted, in_review, interview
            or offer.
    """
    candidate = db.candidates.get(candidate_id)
    posting = db.postings.get(posting_id)
    today = db.today()
    if candidate.status != "active":
        raise Rejected(f"Candidate {candidate_id} is {candidate.status}, not active.")
    if posting.status != "open" or posting.deadline < today:
        raise Rejected(f"Posting {posting_id} takes no applications: choose another.")
    _check_application_room(db, candidate_id, posting_id)
    used_id = _resume_to_use(db, candidate_id, resume_id)
    _check_must(db, candidate_id, posting_id)
    return db.applications.add(
        candidate_id=candidate_id,
        posting_id=posting_id,
        resume_id=used_id,
        stage="submitted",
        submitted_on=today,
        changed_on=today,
        withdraw_reason=None,
    )


def _check_must(db: Database, candidate_id: CandidateId, posting_id: PostingId) -> None:
    for need in db.requirements.where(posting_id=posting_id, must=True):
        held = db.candidate_skills.where(candidate_id=candidate_id, skill=need.skill)
        least = MUST_LEVELS.index(need.least_level)
        if not any(MUST_LEVELS.index(row.level) >= least for row in held):
            raise Rejected(f"{need.skill} is a must at {need.least_level} or higher.")


def _resume_to_use(db: Database, candidate_id: CandidateId, resume_id: ResumeId | None) -> ResumeId:
    if resume_id is None:
        primary = db.resumes.where(candidate_id=candidate_id, status="primary")
        if not primary:
            raise Rejected("The candidate has no primary resume: give a resume_id.")
        return primary[0].resume_id
    resume = db.resumes.get(resume_id)
    if resume.candidate_id != candidate_id or resume.status == "archived":
        raise Rejected(f"Resume {resume_id} is archived or another candidate's.")
    return resume_id


def _check_application_room(db: Database, candidate_id: CandidateId, posting_id: PostingId) -> None:
    rows = db.applications.where(candidate_id=candidate_id)
    same = [row for row in rows if row.posting_id == posting_id]
    if any(row.stage != "withdrawn" for row in same):
        raise Rejected(f"The candidate has applied to posting {posting_id} already.")
    running = [row for row in rows if row.stage in RUNNING_STAGES]
    if len(running) >= RUNNING_MOST:
        raise Rejected(f"{len(running)} applications are running: withdraw one first.")


def move_application_stage(
    db: Database, application_id: ApplicationId, stage: StageMove
) -> Application:
    """Move an application into review or interview, or reject it, for the employer.

    Args:
        application_id: The application.
        stage: The new stage.

    Raises:
        Rejected: There is no such application.
        Rejected: The step is not submitted to in_review, in_review to interview, or submitted,
            in_review or interview to rejected.
        Rejected: stage is in_review or interview and the posting is not open.
    """
    row = db.applications.get(application_id)
    posting = db.postings.get(row.posting_id)
    if (row.stage, stage) not in STAGE_STEPS:
        raise Rejected(f"An application in stage {row.stage} cannot move to {stage}.")
    if stage != "rejected" and posting.status != "open":
        raise Rejected(f"The posting is {posting.status}: it may only be rejected.")
    if stage == "rejected":
        _free_interviews(db, application_id)
    return db.applications.update(application_id, stage=stage, changed_on=db.today())


def withdraw_application(
    db: Database, application_id: ApplicationId, reason: WithdrawReason
) -> Application:
    """Withdraw a candidate's application and give back its interview slot.

    Args:
        application_id: The application.
        reason: Why, e.g. submitted_by_mistake.

    Raises:
        Rejected: There is no such application.
        Rejected: The application is hired, rejected or already withdrawn.
        Rejected: The application is in stage offer: the offer must be declined or withdrawn
            instead.
    """
    row = db.applications.get(application_id)
    if row.stage in ENDED_STAGES:
        raise Rejected(f"Application {application_id} is {row.stage} already.")
    if row.stage == "offer":
        raise Rejected("An offer is open: have it declined or withdrawn.")
    _free_interviews(db, application_id)
    return db.applications.update(
        application_id,
        stage="withdrawn",
        withdraw_reason=reason,
        changed_on=db.today(),
    )


def reinstate_application(db: Database, application_id: ApplicationId) -> Application:
    """Bring back an application that was withdrawn by mistake.

    Args:
        application_id: The withdrawn application.

    Raises:
        Rejected: There is no such application.
        Rejected: The application is not withdrawn.
        Rejected: withdraw_reason is not submitted_by_mistake.
        Rejected: It was withdrawn more than 7 days before today.
        Rejected: The posting is not open or its deadline is before today.
        Rejected: The candidate is not active.
        Rejected: The candidate has another application on this posting that is not withdrawn.
        Rejected: Its resume is archived.
    """
    row = db.applications.get(application_id)
    if row.withdraw_reason is None:
        raise Rejected(f"Application {application_id} is {row.stage}, not withdrawn.")
    if row.withdraw_reason != "submitted_by_mistake":
        raise Rejected(f"Withdrawn as {row.withdraw_reason}: apply anew instead.")
    if row.changed_on < db.today() - timedelta(days=REINSTATE_DAYS):
        raise Rejected(f"It was withdrawn on {row.changed_on}: apply anew instead.")
    _check_reinstatable(db, row)
    return db.applications.update(
        application_id,
        stage="submitted",
        withdraw_reason=None,
        changed_on=db.today(),
    )


def send_application_message(
    db: Database, application_id: ApplicationId, sender: SenderRole, body: str
) -> Message:
    """Send a message between candidate and employer about an application.

    Args:
        application_id: Which application.
        sender: Which side writes.
        body: Text of 1 to 1000 characters, e.g. Friday at ten suits me.

    Raises:
        Rejected: There is no such application.
        Rejected: The application is rejected or withdrawn.
        Rejected: body is empty or has more than 1000 characters without the spaces around it.
        Rejected: The other side has not yet read 3 messages of this sender on the application.
    """
    row = db.applications.get(application_id)
    text = body.strip()
    if row.stage == "rejected" or row.stage == "withdrawn":
        raise Rejected(f"Application {application_id} is {row.stage}: nothing is sent.")
    if not 1 <= len(text) <= BODY_LONGEST:
        raise Rejected(f"body takes 1 to {BODY_LONGEST} characters, not {len(text)}.")
    unread = db.messages.where(application_id=application_id, sender=sender, is_read=False)
    if len(unread) >= UNREAD_MOST:
        raise Rejected(f"{len(unread)} messages are unread: wait for an answer first.")
    for other in db.messages.where(application_id=application_id, is_read=False):
        if other.sender != sender:
            db.messages.update(other.message_id, is_read=True)
    return db.messages.add(
        application_id=application_id,
        sender=sender,
        body=text,
        sent_at=db.now(),
        is_read=False,
    )


def _free_interviews(db: Database, application_id: ApplicationId) -> None:
    for row in db.interviews.where(application_id=application_id, status="scheduled"):
        db.interviews.update(row.interview_id, status="cancelled")
        db.interview_slots.update(row.interview_slot_id, status="free")


def _check_reinstatable(db: Database, application: Application) -> None:
    posting = db.postings.get(application.posting_id)
    if posting.status != "open" or posting.deadline < db.today():
        raise Rejected(f"Posting {posting.posting_id} takes no applications any more.")
    owner_id = application.candidate_id
    candidate = db.candidates.get(owner_id)
    if candidate.status != "active":
        raise Rejected(f"Candidate {owner_id} is {candidate.status}, not active.")
    rows = db.applications.where(candidate_id=owner_id, posting_id=posting.posting_id)
    if any(row.stage != "withdrawn" for row in rows):
        raise Rejected("The candidate has applied again since: use that application.")
    if db.resumes.get(application.resume_id).status == "archived":
        raise Rejected("Its resume is archived: make it spare again first.")


def list_interview_slots(
    db: Database,
    posting_id: PostingId,
    status: SlotStatus | None = None,
    from_date: date | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[InterviewSlot]:
    """List the interview slots of a posting.

    Args:
        posting_id: Whose slots.
        status: Only slots of this status, e.g. free.
        from_date: Only slots that start on this day or later, e.g. 2026-03-12.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such posting.
        Rejected: The cursor or limit is bad.
    """
    db.postings.get(posting_id)
    rows = db.interview_slots.where(posting_id=posting_id)
    if status is not None:
        rows = [row for row in rows if row.status == status]
    if from_date is not None:
        rows = [row for row in rows if row.starts_at.date() >= from_date]
    return page(rows, cursor, limit)


def list_interviews(
    db: Database,
    application_id: ApplicationId | None = None,
    posting_id: PostingId | None = None,
    status: InterviewStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Interview]:
    """List interviews of an application, a posting or a status.

    Args:
        application_id: Only this application's.
        posting_id: Only those for applications on this posting.
        status: Only this status, e.g. scheduled.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such application.
        Rejected: There is no such posting.
        Rejected: The cursor or limit is bad.
    """
    rows = db.interviews.all()
    if application_id is not None:
        db.applications.get(application_id)
        rows = [row for row in rows if row.application_id == application_id]
    if posting_id is not None:
        db.postings.get(posting_id)
        own = db.applications.where(posting_id=posting_id)
        keys = [application.application_id for application in own]
        rows = [row for row in rows if row.application_id in keys]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def list_offers(
    db: Database,
    application_id: ApplicationId | None = None,
    candidate_id: CandidateId | None = None,
    status: OfferStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Offer]:
    """List offers of an application, a candidate or a status.

    Args:
        application_id: Only this application's.
        candidate_id: Only those to this candidate.
        status: Only this status, e.g. extended.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such application.
        Rejected: There is no such candidate.
        Rejected: The cursor or limit is bad.
    """
    rows = db.offers.all()
    if application_id is not None:
        db.applications.get(application_id)
        rows = [row for row in rows if row.application_id == application_id]
    if candidate_id is not None:
        db.candidates.get(candidate_id)
        own = db.applications.where(candidate_id=candidate_id)
        keys = [application.application_id for application in own]
        rows = [row for row in rows if row.application_id in keys]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def book_interview(
    db: Database,
    application_id: ApplicationId,
    interview_slot_id: InterviewSlotId,
    kind: InterviewKind,
) -> Interview:
    """Book a free interview slot for an application in the interview stage.

    Args:
        application_id: The application.
        interview_slot_id: A free slot of the same posting.
        kind: How it is held, e.g. video.

    Raises:
        Rejected: There is no such application.
        Rejected: There is no such interview slot.
        Rejected: The application is not in stage interview.
        Rejected: The slot is of another posting.
        Rejected: The slot is not free.
        Rejected: The slot starts now or earlier.
        Rejected: The application already has a scheduled interview.
        Rejected: The candidate has another scheduled interview whose slot overlaps this one.
    """
    application = db.applications.get(application_id)
    slot = db.interview_slots.get(interview_slot_id)
    if application.stage != "interview":
        raise Rejected(f"Application {application_id} is in stage {application.stage}.")
    _check_slot_bookable(db, slot, application.posting_id)
    if db.interviews.where(application_id=application_id, status="scheduled"):
        raise Rejected("An interview is scheduled already: reschedule it instead.")
    _check_no_overlap(db, application, slot)
    db.interview_slots.update(interview_slot_id, status="taken")
    return db.interviews.add(
        application_id=application_id,
        interview_slot_id=interview_slot_id,
        kind=kind,
        status="scheduled",
        outcome=None,
        booked_on=db.today(),
    )


def reschedule_interview(
    db: Database, interview_id: InterviewId, interview_slot_id: InterviewSlotId
) -> Interview:
    """Move a scheduled interview to another free slot of the same posting.

    Args:
        interview_id: The scheduled interview.
        interview_slot_id: The new slot.

    Raises:
        Rejected: There is no such interview.
        Rejected: There is no such interview slot.
        Rejected: The interview is not scheduled.
        Rejected: The interview's present slot starts less than 2 hours from now.
        Rejected: The new slot is of another posting.
        Rejected: The new slot is not free.
        Rejected: The new slot starts now or earlier.
        Rejected: The candidate has another scheduled interview whose slot overlaps the new one.
    """
    interview = db.interviews.get(interview_id)
    slot = db.interview_slots.get(interview_slot_id)
    application = db.applications.get(interview.application_id)
    former = db.interview_slots.get(interview.interview_slot_id)
    if interview.status != "scheduled":
        raise Rejected(f"Interview {interview_id} is {interview.status} already.")
    if former.starts_at < db.now() + timedelta(hours=RESCHEDULE_HOURS):
        raise Rejected(f"The interview starts at {former.starts_at}: it is too late.")
    _check_slot_bookable(db, slot, application.posting_id)
    _check_no_overlap(db, application, slot)
    db.interview_slots.update(former.interview_slot_id, status="free")
    db.interview_slots.update(interview_slot_id, status="taken")
    return db.interviews.update(interview_id, interview_slot_id=interview_slot_id)


def _check_slot_bookable(db: Database, slot: InterviewSlot, posting_id: PostingId) -> None:
    if slot.posting_id != posting_id:
        raise Rejected(f"The slot is of posting {slot.posting_id}, not {posting_id}.")
    if slot.status != "free":
        raise Rejected(f"Slot {slot.interview_slot_id} is {slot.status}, not free.")
    if slot.starts_at <= db.now():
        raise Rejected(f"The slot started at {slot.starts_at}: choose a later one.")


def _check_no_overlap(db: Database, application: Application, slot: InterviewSlot) -> None:
    ends_at = slot.starts_at + timedelta(minutes=slot.minutes)
    for row in db.applications.where(candidate_id=application.candidate_id):
        key = row.application_id
        for other in db.interviews.where(application_id=key, status="scheduled"):
            held = db.interview_slots.get(other.interview_slot_id)
            held_until = held.starts_at + timedelta(minutes=held.minutes)
            overlaps = held.starts_at < ends_at and slot.starts_at < held_until
            if overlaps and key != application.application_id:
                raise Rejected(f"Interview {other.interview_id} overlaps that slot.")


def record_interview_outcome(
    db: Database, interview_id: InterviewId, outcome: InterviewOutcome
) -> Interview:
    """Record what came of an interview that has begun.

    Args:
        interview_id: The scheduled interview.
        outcome: What came of it, e.g. passed.

    Raises:
        Rejected: There is no such interview.
        Rejected: The interview is not scheduled.
        Rejected: The interview's slot has not started yet.
    """
    interview = db.interviews.get(interview_id)
    slot = db.interview_slots.get(interview.interview_slot_id)
    if interview.status != "scheduled":
        raise Rejected(f"Interview {interview_id} is {interview.status} already.")
    if slot.starts_at > db.now():
        raise Rejected(f"The interview starts at {slot.starts_at}: wait for it.")
    if outcome == "failed":
        key = interview.application_id
        db.applications.update(key, stage="rejected", changed_on=db.today())
    return db.interviews.update(
        interview_id,
        outcome=outcome,
        status="missed" if outcome == "no_show" else "held",
    )


def extend_offer(
    db: Database, application_id: ApplicationId, salary: Money, starts_on: date, expires_on: date
) -> Offer:
    """Extend an employer's offer on an application with a passed interview.

    Args:
        application_id: The application.
        salary: Yearly salary within the posting's range, e.g. 42000.
        starts_on: First working day, after expires_on.
        expires_on: Last day to answer, 2 to 30 days after today.

    Raises:
        Rejected: There is no such application.
        Rejected: The application is not in stage interview.
        Rejected: The posting is not open.
        Rejected: The application has no passed interview, or still has a scheduled one.
        Rejected: salary is outside the posting's salary_min to salary_max.
        Rejected: expires_on is fewer than 2 or more than 30 days after today.
        Rejected: starts_on is not after expires_on.
        Rejected: The posting already has as many extended offers as openings_left.
    """
    application = db.applications.get(application_id)
    posting = db.postings.get(application.posting_id)
    booked = db.interviews.where(application_id=application_id, status="scheduled")
    passed = db.interviews.where(application_id=application_id, outcome="passed")
    offered = db.applications.where(posting_id=posting.posting_id, stage="offer")
    if application.stage != "interview":
        raise Rejected(f"Application {application_id} is in stage {application.stage}.")
    if posting.status != "open":
        raise Rejected(f"Posting {posting.posting_id} is {posting.status}, not open.")
    if booked or not passed:
        raise Rejected("It needs a passed interview and none still scheduled.")
    _check_offer_terms(db, posting, salary, starts_on, expires_on)
    if len(offered) >= posting.openings_left:
        raise Rejected(f"{len(offered)} offers are out: withdraw one first.")
    db.applications.update(application_id, stage="offer", changed_on=db.today())
    return db.offers.add(
        application_id=application_id,
        salary=money(salary),
        starts_on=starts_on,
        expires_on=expires_on,
        extended_on=db.today(),
        status="extended",
    )


def answer_offer(db: Database, offer_id: OfferId, answer: OfferAnswer) -> Offer:
    """Accept or decline an offer for the candidate.

    Args:
        offer_id: The extended offer.
        answer: accepted or declined.

    Raises:
        Rejected: There is no such offer.
        Rejected: The offer is not extended.
        Rejected: expires_on is before today.
        Rejected: answer is accepted and the candidate already has another accepted offer.
        Rejected: answer is accepted and the posting is not open.
    """
    offer = db.offers.get(offer_id)
    application = db.applications.get(offer.application_id)
    posting = db.postings.get(application.posting_id)
    today = db.today()
    if offer.status != "extended":
        raise Rejected(f"Offer {offer_id} is {offer.status}: it takes no answer.")
    if offer.expires_on < today:
        raise Rejected(f"Offer {offer_id} expired on {offer.expires_on}: ask anew.")
    if answer == "accepted" and _has_accepted_offer(db, application.candidate_id):
        raise Rejected("The candidate has accepted another offer: decline this one.")
    if answer == "accepted" and posting.status != "open":
        raise Rejected(f"The posting is {posting.status}: it can only be declined.")
    if answer == "accepted":
        _hire(db, application.application_id, posting)
    else:
        db.applications.update(
            application.application_id,
            stage="withdrawn",
            withdraw_reason="not_interested",
            changed_on=today,
        )
    return db.offers.update(offer_id, status=answer)


def withdraw_offer(db: Database, offer_id: OfferId) -> Offer:
    """Take back an unanswered offer for the employer.

    Args:
        offer_id: The extended offer.

    Raises:
        Rejected: There is no such offer.
        Rejected: The offer is not extended.
    """
    offer = db.offers.get(offer_id)
    today = db.today()
    if offer.status != "extended":
        raise Rejected(f"Offer {offer_id} is {offer.status}: leave it.")
    db.applications.update(offer.application_id, stage="interview", changed_on=today)
    return db.offers.update(offer_id, status="expired" if offer.expires_on < today else "withdrawn")


def _check_offer_terms(
    db: Database, posting: Posting, salary: Money, starts_on: date, expires_on: date
) -> None:
    least, most = posting.salary_min, posting.salary_max
    if not least <= salary <= most:
        raise Rejected(f"salary must be {least} to {most}, not {salary}.")
    first = db.today() + timedelta(days=ANSWER_MIN_DAYS)
    last = db.today() + timedelta(days=ANSWER_MAX_DAYS)
    if not first <= expires_on <= last:
        raise Rejected(f"expires_on must be {first} to {last}, not {expires_on}.")
    if starts_on <= expires_on:
        raise Rejected(f"starts_on must be after {expires_on}, not {starts_on}.")


def _has_accepted_offer(db: Database, candidate_id: CandidateId) -> bool:
    return any(
        db.offers.where(application_id=row.application_id, status="accepted")
        for row in db.applications.where(candidate_id=candidate_id)
    )


def _hire(db: Database, application_id: ApplicationId, posting: Posting) -> None:
    left = posting.openings_left - 1
    db.postings.update(
        posting.posting_id,
        openings_left=left,
        status="filled" if left == 0 else "open",
    )
    db.applications.update(application_id, stage="hired", changed_on=db.today())


def list_coaches(
    db: Database,
    specialty: CoachSpecialty | None = None,
    highest_fee: Money | None = None,
    taking_bookings: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Coach]:
    """List coaches by specialty and fee.

    Args:
        specialty: Only this specialty, e.g. interview_practice.
        highest_fee: Only coaches whose hourly fee is at most this, e.g. 80.
        taking_bookings: true: only coaches taking bookings; false: only those who are not.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    rows = [
        row
        for row in db.coaches.all()
        if (specialty is None or row.specialty == specialty)
        and (highest_fee is None or row.hourly_fee <= highest_fee)
        and (taking_bookings is None or row.taking_bookings == taking_bookings)
    ]
    return page(rows, cursor, limit)


def list_coaching_sessions(
    db: Database,
    candidate_id: CandidateId | None = None,
    coach_id: CoachId | None = None,
    status: SessionStatus | None = None,
    from_date: date | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[CoachingSession]:
    """List coaching sessions of a candidate, a coach or a status.

    Args:
        candidate_id: Only this candidate's.
        coach_id: Only this coach's.
        status: Only this status, e.g. booked.
        from_date: Only sessions that start on this day or later.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: There is no such coach.
        Rejected: The cursor or limit is bad.
    """
    rows = db.coaching_sessions.all()
    if candidate_id is not None:
        db.candidates.get(candidate_id)
        rows = [row for row in rows if row.candidate_id == candidate_id]
    if coach_id is not None:
        db.coaches.get(coach_id)
        rows = [row for row in rows if row.coach_id == coach_id]
    rows = [
        row
        for row in rows
        if (status is None or row.status == status)
        and (from_date is None or row.starts_at.date() >= from_date)
    ]
    return page(rows, cursor, limit)


def list_payments(
    db: Database,
    candidate_id: CandidateId | None = None,
    coaching_session_id: CoachingSessionId | None = None,
    status: PaymentStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Payment]:
    """List payments of a candidate, a session or a status.

    Args:
        candidate_id: Only this candidate's.
        coaching_session_id: Only the payment for this session.
        status: Only this status, e.g. paid.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such candidate.
        Rejected: There is no such coaching session.
        Rejected: The cursor or limit is bad.
    """
    rows = db.payments.all()
    if candidate_id is not None:
        db.candidates.get(candidate_id)
        rows = [row for row in rows if row.candidate_id == candidate_id]
    if coaching_session_id is not None:
        db.coaching_sessions.get(coaching_session_id)
        rows = [row for row in rows if row.coaching_session_id == coaching_session_id]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def list_posting_reports(
    db: Database,
    employer_id: EmployerId | None = None,
    posting_id: PostingId | None = None,
    status: ReportStatus | None = None,
    reason: ReportReason | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[PostingReport]:
    """List reports on postings for the trust clerk.

    Args:
        employer_id: Only reports on this employer's postings.
        posting_id: Only reports on this posting.
        status: Only this status, e.g. open.
        reason: Only this reason, e.g. scam.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such employer.
        Rejected: There is no such posting.
        Rejected: The cursor or limit is bad.
    """
    rows = db.posting_reports.all()
    if employer_id is not None:
        db.employers.get(employer_id)
        keys = [item.posting_id for item in db.postings.where(employer_id=employer_id)]
        rows = [row for row in rows if row.posting_id in keys]
    if posting_id is not None:
        db.postings.get(posting_id)
        rows = [row for row in rows if row.posting_id == posting_id]
    rows = [
        row
        for row in rows
        if (status is None or row.status == status) and (reason is None or row.reason == reason)
    ]
    return page(rows, cursor, limit)


def book_coaching_session(
    db: Database,
    candidate_id: CandidateId,
    coach_id: CoachId,
    starts_at: datetime,
    minutes: int,
    method: PaymentMethod,
) -> CoachingSession:
    """Book a session with a coach for a candidate and take the payment.

    Args:
        candidate_id: For whom.
        coach_id: A coach taking bookings.
        starts_at: Start, 2 hours to 60 days from now, e.g. 2026-03-16T10:00:00.
        minutes: Length: 30, 60 or 90.
        method: How it is paid, e.g. card.

    Raises:
        Rejected: There is no such candidate.
        Rejected: There is no such coach.
        Rejected: The candidate is blocked.
        Rejected: The coach is not taking bookings.
        Rejected: starts_at is less than 2 hours or more than 60 days from now.
        Rejected: minutes is not 30, 60 or 90.
        Rejected: The coach has a booked session that overlaps.
        Rejected: The candidate has a booked session that overlaps.
        Rejected: method is voucher and the candidate has paid with a voucher before.
    """
    candidate = db.candidates.get(candidate_id)
    coach = db.coaches.get(coach_id)
    if candidate.status == "blocked":
        raise Rejected(f"Candidate {candidate_id} is blocked and may book nothing.")
    if not coach.taking_bookings:
        raise Rejected(f"{coach.name} takes no bookings: choose another coach.")
    _check_session_time(db, candidate_id, coach_id, starts_at, minutes)
    if method == "voucher" and db.payments.where(candidate_id=candidate_id, method="voucher"):
        raise Rejected("The candidate has used a voucher before: pay in another way.")
    price = money(coach.hourly_fee * minutes / 60)
    session = db.coaching_sessions.add(
        candidate_id=candidate_id,
        coach_id=coach_id,
        starts_at=starts_at,
        minutes=minutes,
        price=price,
        status="booked",
        booked_on=db.today(),
    )
    db.payments.add(
        coaching_session_id=session.coaching_session_id,
        candidate_id=candidate_id,
        amount=price,
        refunded=money(0),
        method=method,
        status="paid",
        paid_on=db.today(),
    )
    return session


def _meets_session(
    db: Database, session: CoachingSession, starts_at: datetime, minutes: int
) -> bool:
    ends_at = starts_at + timedelta(minutes=minutes)
    session_ends_at = session.starts_at + timedelta(minutes=session.minutes)
    return session.starts_at < ends_at and starts_at < session_ends_at


def _check_session_time(
    db: Database,
    candidate_id: CandidateId,
    coach_id: CoachId,
    starts_at: datetime,
    minutes: int,
) -> None:
    first = db.now() + timedelta(hours=LEAD_HOURS)
    last = db.now() + timedelta(days=BOOK_WITHIN_DAYS)
    if not first <= starts_at <= last:
        raise Rejected(f"starts_at must be {first} to {last}, not {starts_at}.")
    if minutes not in SESSION_LENGTHS:
        raise Rejected(f"minutes must be 30, 60 or 90, not {minutes}.")
    of_coach = db.coaching_sessions.where(coach_id=coach_id, status="booked")
    if any(_meets_session(db, row, starts_at, minutes) for row in of_coach):
        raise Rejected("The coach has a session at that time: choose another time.")
    own = db.coaching_sessions.where(candidate_id=candidate_id, status="booked")
    if any(_meets_session(db, row, starts_at, minutes) for row in own):
        raise Rejected("The candidate has a session then: choose another time.")


def cancel_coaching_session(
    db: Database, coaching_session_id: CoachingSessionId, cancelled_by: CancelParty
) -> CoachingSession:
    """Cancel a booked coaching session for the candidate or the coach.

    Args:
        coaching_session_id: The booked session.
        cancelled_by: Who cancels.

    Raises:
        Rejected: There is no such coaching session.
        Rejected: The session is not booked.
        Rejected: The session has already started.
    """
    session = db.coaching_sessions.get(coaching_session_id)
    now = db.now()
    if session.status != "booked":
        raise Rejected(f"Session {coaching_session_id} is {session.status} already.")
    if session.starts_at <= now:
        raise Rejected(f"The session started at {session.starts_at}: it is too late.")
    soon = session.starts_at < now + timedelta(hours=LATE_HOURS)
    late = soon and cancelled_by == "candidate"
    return db.coaching_sessions.update(
        coaching_session_id,
        status="late_cancelled" if late else "cancelled",
    )


def refund_payment(db: Database, payment_id: PaymentId, amount: Money) -> Payment:
    """Refund all or part of the payment for a cancelled session.

    Args:
        payment_id: The payment, such as PAY-1.
        amount: Above 0, up to what is left to refund, e.g. 30.

    Raises:
        Rejected: There is no such payment.
        Rejected: The payment was made with a voucher.
        Rejected: The session is booked or held.
        Rejected: The payment is already refunded.
        Rejected: amount is not above 0.
        Rejected: amount and what is refunded already exceed the payment's amount.
        Rejected: The session is late_cancelled and amount and what is refunded already exceed half
            of the payment's amount.
    """
    payment = db.payments.get(payment_id)
    session = db.coaching_sessions.get(payment.coaching_session_id)
    value = money(amount)
    total = payment.refunded + value
    left = payment.amount - payment.refunded
    if payment.method == "voucher":
        raise Rejected("It was paid with a voucher: vouchers are not refunded.")
    if session.status == "booked" or session.status == "held":
        raise Rejected(f"The session is {session.status}: only cancelled ones count.")
    if payment.status == "refunded":
        raise Rejected(f"Payment {payment_id} is refunded in full already.")
    if value <= 0:
        raise Rejected(f"amount must be above 0, not {amount}.")
    if value > left:
        raise Rejected(f"At most {left} is left to refund.")
    if session.status == "late_cancelled" and total * 2 > payment.amount:
        raise Rejected("It was cancelled late: at most half of it is refunded in all.")
    return db.payments.update(
        payment_id,
        refunded=total,
        status="refunded" if total == payment.amount else "partly_refunded",
    )


def resolve_posting_report(
    db: Database, posting_report_id: PostingReportId, decision: ReportDecision
) -> PostingReport:
    """Settle an open report on a posting, closing the posting when upheld.

    Args:
        posting_report_id: The open report.
        decision: upheld or dismissed.

    Raises:
        Rejected: There is no such posting report.
        Rejected: The report is not open.
    """
    report = db.posting_reports.get(posting_report_id)
    posting = db.postings.get(report.posting_id)
    if report.settled_on is not None:
        raise Rejected(f"Report {posting_report_id} is {report.status}, not open.")
    if decision == "upheld" and posting.status == "open":
        db.postings.update(posting.posting_id, status="closed", close_reason="posted_in_error")
    return db.posting_reports.update(posting_report_id, status=decision, settled_on=db.today())


def set_employer_status(db: Database, employer_id: EmployerId, status: EmployerStatus) -> Employer:
    """Verify, suspend or clear an employer for the trust clerk.

    Args:
        employer_id: The employer.
        status: verified or suspended.

    Raises:
        Rejected: There is no such employer.
        Rejected: The employer already has this status.
        Rejected: status is unverified.
        Rejected: status is suspended and no report on the employer's postings is upheld.
        Rejected: status is verified and a report on the employer's postings is open.
    """
    employer = db.employers.get(employer_id)
    if employer.status == status:
        raise Rejected(f"{employer.name} is {status} already: nothing to change.")
    if status == "unverified":
        raise Rejected("status must be verified or suspended, not unverified.")
    if status == "suspended" and not _has_report(db, employer_id, "upheld"):
        raise Rejected(f"No report on {employer.name} is upheld: settle one first.")
    if status == "verified" and _has_report(db, employer_id, "open"):
        raise Rejected(f"A report on {employer.name} is open: settle it first.")
    if status == "suspended":
        for posting in db.postings.where(employer_id=employer_id, status="open"):
            db.postings.update(posting.posting_id, status="closed", close_reason="on_hold")
    return db.employers.update(employer_id, status=status)


def _has_report(db: Database, employer_id: EmployerId, status: ReportStatus) -> bool:
    return any(
        db.posting_reports.where(posting_id=posting.posting_id, status=status)
        for posting in db.postings.where(employer_id=employer_id)
    )
