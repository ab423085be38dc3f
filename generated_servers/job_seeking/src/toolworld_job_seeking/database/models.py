"""The rows, value objects and enums of Brightpath Careers: job sear…, and its typed database."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..values import Boolean, Date, Datetime, Integer, Key, Money, Row, Text, Value
from . import store
from .schema import Reference, TableSchema
from .table import Table

CandidateStatus: TypeAlias = Literal["active", "paused", "blocked"]
Skill: TypeAlias = Literal[
    "python",
    "sql",
    "data_analysis",
    "project_management",
    "customer_service",
    "sales",
    "bookkeeping",
    "nursing",
    "graphic_design",
    "copywriting",
    "forklift_operation",
    "teaching",
]
SkillLevel: TypeAlias = Literal["beginner", "intermediate", "advanced", "expert"]
ResumeStatus: TypeAlias = Literal["primary", "spare", "archived"]
RefereeStatus: TypeAlias = Literal["listed", "requested", "confirmed", "declined"]
EmployerStatus: TypeAlias = Literal["unverified", "verified", "suspended"]
PostingStatus: TypeAlias = Literal["draft", "open", "closed", "filled"]
WorkMode: TypeAlias = Literal["on_site", "hybrid", "remote"]
EmploymentType: TypeAlias = Literal["full_time", "part_time", "contract", "internship"]
CloseReason: TypeAlias = Literal["budget_cut", "filled_elsewhere", "posted_in_error", "on_hold"]
AlertFrequency: TypeAlias = Literal["daily", "weekly", "monthly"]
AlertStatus: TypeAlias = Literal["active", "paused"]
ApplicationStage: TypeAlias = Literal[
    "submitted", "in_review", "interview", "offer", "hired", "rejected", "withdrawn"
]
StageMove: TypeAlias = Literal["in_review", "interview", "rejected"]
WithdrawReason: TypeAlias = Literal[
    "accepted_other_job", "not_interested", "submitted_by_mistake", "personal_reasons"
]
SlotStatus: TypeAlias = Literal["free", "taken", "blocked"]
InterviewKind: TypeAlias = Literal["phone", "video", "in_person"]
InterviewStatus: TypeAlias = Literal["scheduled", "held", "missed", "cancelled"]
InterviewOutcome: TypeAlias = Literal["passed", "failed", "no_show"]
OfferStatus: TypeAlias = Literal["extended", "accepted", "declined", "withdrawn", "expired"]
OfferAnswer: TypeAlias = Literal["accepted", "declined"]
SenderRole: TypeAlias = Literal["candidate", "employer"]
CoachSpecialty: TypeAlias = Literal[
    "resume_writing", "interview_practice", "career_change", "salary_negotiation"
]
SessionStatus: TypeAlias = Literal["booked", "held", "cancelled", "late_cancelled"]
CancelParty: TypeAlias = Literal["candidate", "coach"]
PaymentMethod: TypeAlias = Literal["card", "bank_transfer", "voucher"]
PaymentStatus: TypeAlias = Literal["paid", "partly_refunded", "refunded"]
ReportReason: TypeAlias = Literal["scam", "misleading", "discriminatory", "duplicate"]
ReportStatus: TypeAlias = Literal["open", "upheld", "dismissed"]
ReportDecision: TypeAlias = Literal["upheld", "dismissed"]

CandidateId: TypeAlias = Key
CandidateSkillId: TypeAlias = Key
ResumeId: TypeAlias = Key
RefereeId: TypeAlias = Key
EmployerId: TypeAlias = Key
PostingId: TypeAlias = Key
RequirementId: TypeAlias = Key
SavedPostingId: TypeAlias = Key
JobAlertId: TypeAlias = Key
ApplicationId: TypeAlias = Key
InterviewSlotId: TypeAlias = Key
InterviewId: TypeAlias = Key
OfferId: TypeAlias = Key
MessageId: TypeAlias = Key
CoachId: TypeAlias = Key
CoachingSessionId: TypeAlias = Key
PaymentId: TypeAlias = Key
PostingReportId: TypeAlias = Key


class GetApplicationResult(Value):
    """Sum up one application: people, stage, interview, offer and unread messages.

    Attributes:
        application_id: The application.
        stage: Its stage.
        candidate_id: Who applied.
        candidate_name: The candidate's name.
        posting_id: The posting applied to.
        posting_title: The posting's title.
        employer_name: The employer's name.
        resume_id: The resume used.
        scheduled_interview_id: Its scheduled interview, if any.
        interviews_passed: How many of its interviews were passed.
        open_offer_id: Its offer with status extended, if any.
        unread_messages: How many of its messages are unread.
    """

    application_id: ApplicationId
    stage: ApplicationStage
    candidate_id: CandidateId
    candidate_name: Text
    posting_id: PostingId
    posting_title: Text
    employer_name: Text
    resume_id: ResumeId
    scheduled_interview_id: InterviewId | None = None
    interviews_passed: Integer
    open_offer_id: OfferId | None = None
    unread_messages: Integer


class Candidate(Row):
    """A person looking for work: contact, city, wished salary, availability and account status.

    Attributes:
        candidate_id: The candidate.
        name: Full name.
        email: E-mail address, in lower case.
        phone: Phone number.
        city: Home city.
        wished_salary: Wished yearly salary, 10000 to 500000. In GBP.
        available_from: Earliest day to start work.
        status: Account status.
        joined_on: Day the account was opened.
    """

    candidate_id: CandidateId
    name: Text
    email: Text
    phone: Text
    city: Text
    wished_salary: Money
    available_from: Date
    status: CandidateStatus
    joined_on: Date


class CandidateSkill(Row):
    """One skill a candidate has, with level and years of experience.

    Attributes:
        candidate_skill_id: The candidate skill.
        candidate_id: Who has the skill.
        skill: The skill.
        level: How well it is mastered.
        years: Years of experience, 0 to 50.
    """

    candidate_skill_id: CandidateSkillId
    candidate_id: CandidateId
    skill: Skill
    level: SkillLevel
    years: Integer


class Resume(Row):
    """A version of a candidate's resume; one may be the primary one, old ones are archived.

    Attributes:
        resume_id: The resume.
        candidate_id: Whose resume.
        title: Title of the version, e.g. Nurse resume 2026.
        pages: Number of pages.
        status: Whether it is primary, spare or archived.
        updated_on: Day its content was last changed.
    """

    resume_id: ResumeId
    candidate_id: CandidateId
    title: Text
    pages: Integer
    status: ResumeStatus
    updated_on: Date


class Referee(Row):
    """A row of referees.

    A person who vouches for a candidate, and whether the reference was requested and confirmed.

    Attributes:
        referee_id: The referee.
        candidate_id: Who is vouched for.
        name: Full name of the referee.
        email: E-mail address of the referee.
        company: Where the two worked together.
        relation: Relation to the candidate, e.g. former manager.
        status: How far the reference has come.
        status_on: Day the status was last set.
    """

    referee_id: RefereeId
    candidate_id: CandidateId
    name: Text
    email: Text
    company: Text
    relation: Text
    status: RefereeStatus
    status_on: Date


class Employer(Row):
    """A company that posts jobs: industry, city, verification and account status.

    Attributes:
        employer_id: The employer.
        name: Company name.
        industry: Line of business, e.g. logistics.
        city: Home city.
        contact_email: E-mail address of the recruiter.
        status: Standing; only verified employers may publish.
        joined_on: Day the employer signed up.
    """

    employer_id: EmployerId
    name: Text
    industry: Text
    city: Text
    contact_email: Text
    status: EmployerStatus
    joined_on: Date


class Posting(Row):
    """A job on offer: title, place, work mode, salary range, openings, deadline and status.

    Attributes:
        posting_id: The posting.
        employer_id: Who offers the job.
        title: Job title, 3 to 80 characters.
        city: City of the job.
        work_mode: Where the work is done.
        employment_type: Kind of employment.
        salary_min: Least yearly salary. In GBP.
        salary_max: Highest yearly salary. In GBP.
        openings: Number of people to hire, 1 to 20.
        openings_left: Number of people still to hire; 0 only when filled.
        deadline: Last day to apply.
        status: draft, open, closed or filled.
        close_reason: Why it was closed; only closed ones have it.
        published_on: Day it was published; empty while a draft.
    """

    posting_id: PostingId
    employer_id: EmployerId
    title: Text
    city: Text
    work_mode: WorkMode
    employment_type: EmploymentType
    salary_min: Money
    salary_max: Money
    openings: Integer
    openings_left: Integer
    deadline: Date
    status: PostingStatus
    close_reason: CloseReason | None = None
    published_on: Date | None = None


class Requirement(Row):
    """One skill that a posting asks for, with the least level and whether it is a must.

    Attributes:
        requirement_id: The requirement.
        posting_id: Which posting asks for it.
        skill: The skill asked for.
        least_level: Least level asked for.
        must: true: applicants without it are refused.
    """

    requirement_id: RequirementId
    posting_id: PostingId
    skill: Skill
    least_level: SkillLevel
    must: Boolean


class SavedPosting(Row):
    """A posting that a candidate has bookmarked, with a note.

    Attributes:
        saved_posting_id: The saved posting.
        candidate_id: Who bookmarked it.
        posting_id: The posting bookmarked.
        note: The candidate's note, at most 200 characters.
        saved_on: Day it was bookmarked.
    """

    saved_posting_id: SavedPostingId
    candidate_id: CandidateId
    posting_id: PostingId
    note: Text | None = None
    saved_on: Date


class JobAlert(Row):
    """A row of job_alerts.

    A candidate's standing search (keyword, city, least salary) with its frequency and whether it is
    active.

    Attributes:
        job_alert_id: The job alert.
        candidate_id: Who gets the alert.
        skill: Skill the postings ask for.
        city: Only this city; any when empty.
        least_salary: Least yearly salary; any when empty. In GBP.
        frequency: How often it is sent.
        status: Whether it is sent.
        created_on: Day it was set up.
    """

    job_alert_id: JobAlertId
    candidate_id: CandidateId
    skill: Skill
    city: Text | None = None
    least_salary: Money | None = None
    frequency: AlertFrequency
    status: AlertStatus
    created_on: Date


class Application(Row):
    """A row of applications.

    A candidate's application to a posting with one resume, moving through stages to hired, rejected
    or withdrawn.

    Attributes:
        application_id: The application.
        candidate_id: Who applied.
        posting_id: The posting applied to.
        resume_id: The candidate's resume used.
        stage: Where it stands.
        submitted_on: Day it was first submitted.
        changed_on: Day the stage last changed.
        withdraw_reason: Why it was withdrawn; only withdrawn ones have it.
    """

    application_id: ApplicationId
    candidate_id: CandidateId
    posting_id: PostingId
    resume_id: ResumeId
    stage: ApplicationStage
    submitted_on: Date
    changed_on: Date
    withdraw_reason: WithdrawReason | None = None


class InterviewSlot(Row):
    """A time an employer offers for interviews on a posting, free or taken.

    Attributes:
        interview_slot_id: The interview slot.
        posting_id: Whose interviews it is for.
        interviewer: Who holds the interview.
        starts_at: When it starts.
        minutes: Length in minutes, 15 to 240.
        status: free, taken by an interview, or blocked.
    """

    interview_slot_id: InterviewSlotId
    posting_id: PostingId
    interviewer: Text
    starts_at: Datetime
    minutes: Integer
    status: SlotStatus


class Interview(Row):
    """An interview of one application in one slot, with its kind, status and outcome.

    Attributes:
        interview_id: The interview.
        application_id: Whose interview.
        interview_slot_id: The slot it is held in.
        kind: How it is held.
        status: scheduled, held, missed or cancelled.
        outcome: What came of it; only held and missed ones have it.
        booked_on: Day it was first booked.
    """

    interview_id: InterviewId
    application_id: ApplicationId
    interview_slot_id: InterviewSlotId
    kind: InterviewKind
    status: InterviewStatus
    outcome: InterviewOutcome | None = None
    booked_on: Date


class Offer(Row):
    """An employer's offer on an application: salary, start date, expiry and status.

    Attributes:
        offer_id: The offer.
        application_id: What it is an offer on.
        salary: Yearly salary offered. In GBP.
        starts_on: First working day.
        expires_on: Last day to answer.
        extended_on: Day it was extended.
        status: Where it stands.
    """

    offer_id: OfferId
    application_id: ApplicationId
    salary: Money
    starts_on: Date
    expires_on: Date
    extended_on: Date
    status: OfferStatus


class Message(Row):
    """A message between candidate and employer about an application, read or unread.

    Attributes:
        message_id: The message.
        application_id: What it is about.
        sender: Which side wrote it.
        body: What it says, 1 to 1000 characters.
        sent_at: When it was sent.
        is_read: Whether the other side has read it.
    """

    message_id: MessageId
    application_id: ApplicationId
    sender: SenderRole
    body: Text
    sent_at: Datetime
    is_read: Boolean


class Coach(Row):
    """A career coach with a specialty, hourly fee and whether taking bookings.

    Attributes:
        coach_id: The coach.
        name: Full name.
        email: E-mail address.
        specialty: What the coach mainly helps with.
        hourly_fee: Fee for 60 minutes. In GBP.
        taking_bookings: Whether new sessions may be booked.
    """

    coach_id: CoachId
    name: Text
    email: Text
    specialty: CoachSpecialty
    hourly_fee: Money
    taking_bookings: Boolean


class CoachingSession(Row):
    """A candidate's booked session with a coach: time, length, price and status.

    Attributes:
        coaching_session_id: The coaching session.
        candidate_id: Who is coached.
        coach_id: Who coaches.
        starts_at: When it starts.
        minutes: Length: 30, 60 or 90 minutes.
        price: Price of the session. In GBP.
        status: Where it stands.
        booked_on: Day it was booked.
    """

    coaching_session_id: CoachingSessionId
    candidate_id: CandidateId
    coach_id: CoachId
    starts_at: Datetime
    minutes: Integer
    price: Money
    status: SessionStatus
    booked_on: Date


class Payment(Row):
    """A candidate's payment for a coaching session, with amount, method, status and any refund.

    Attributes:
        payment_id: The payment.
        coaching_session_id: The session paid for.
        candidate_id: Who paid.
        amount: What was paid. In GBP.
        refunded: What was refunded of it in all, 0 at first. In GBP.
        method: How it was paid.
        status: paid, partly_refunded or refunded.
        paid_on: Day it was paid.
    """

    payment_id: PaymentId
    coaching_session_id: CoachingSessionId
    candidate_id: CandidateId
    amount: Money
    refunded: Money
    method: PaymentMethod
    status: PaymentStatus
    paid_on: Date


class PostingReport(Row):
    """A row of posting_reports.

    A candidate's complaint about a posting (scam, misleading, discriminatory) and how it was
    settled.

    Attributes:
        posting_report_id: The posting report.
        posting_id: The posting complained about.
        candidate_id: Who complained.
        reason: What is wrong.
        details: What the candidate says.
        status: open, upheld or dismissed.
        reported_on: Day it was reported.
        settled_on: Day it was settled; empty while open.
    """

    posting_report_id: PostingReportId
    posting_id: PostingId
    candidate_id: CandidateId
    reason: ReportReason
    details: Text
    status: ReportStatus
    reported_on: Date
    settled_on: Date | None = None


SCHEMAS: dict[str, TableSchema] = {
    "candidates": TableSchema(
        name="candidates",
        row=Candidate,
        key="candidate_id",
        noun="candidate",
        prefix="CAN",
        unique=("email",),
        policies={"candidate_id": "exempt"},
    ),
    "candidate_skills": TableSchema(
        name="candidate_skills",
        row=CandidateSkill,
        key="candidate_skill_id",
        noun="candidate skill",
        prefix="CSK",
        references=(Reference(("candidate_id",), "candidates"),),
        policies={"candidate_skill_id": "exempt"},
    ),
    "resumes": TableSchema(
        name="resumes",
        row=Resume,
        key="resume_id",
        noun="resume",
        prefix="RES",
        references=(Reference(("candidate_id",), "candidates"),),
        policies={"resume_id": "exempt"},
    ),
    "referees": TableSchema(
        name="referees",
        row=Referee,
        key="referee_id",
        noun="referee",
        prefix="REF",
        references=(Reference(("candidate_id",), "candidates"),),
        policies={"referee_id": "exempt", "relation": "semantic"},
    ),
    "employers": TableSchema(
        name="employers",
        row=Employer,
        key="employer_id",
        noun="employer",
        prefix="EMP",
        unique=("name",),
        policies={"employer_id": "exempt"},
    ),
    "postings": TableSchema(
        name="postings",
        row=Posting,
        key="posting_id",
        noun="posting",
        prefix="POS",
        references=(Reference(("employer_id",), "employers"),),
        policies={"posting_id": "exempt"},
    ),
    "requirements": TableSchema(
        name="requirements",
        row=Requirement,
        key="requirement_id",
        noun="requirement",
        prefix="REQ",
        references=(Reference(("posting_id",), "postings"),),
        policies={"requirement_id": "exempt"},
    ),
    "saved_postings": TableSchema(
        name="saved_postings",
        row=SavedPosting,
        key="saved_posting_id",
        noun="saved posting",
        prefix="SAV",
        references=(
            Reference(("candidate_id",), "candidates"),
            Reference(("posting_id",), "postings"),
        ),
        policies={"saved_posting_id": "exempt", "note": "semantic"},
    ),
    "job_alerts": TableSchema(
        name="job_alerts",
        row=JobAlert,
        key="job_alert_id",
        noun="job alert",
        prefix="ALR",
        references=(Reference(("candidate_id",), "candidates"),),
        policies={"job_alert_id": "exempt"},
    ),
    "applications": TableSchema(
        name="applications",
        row=Application,
        key="application_id",
        noun="application",
        prefix="APP",
        references=(
            Reference(("candidate_id",), "candidates"),
            Reference(("posting_id",), "postings"),
            Reference(("resume_id",), "resumes"),
        ),
        policies={"application_id": "exempt"},
    ),
    "interview_slots": TableSchema(
        name="interview_slots",
        row=InterviewSlot,
        key="interview_slot_id",
        noun="interview slot",
        prefix="SLT",
        references=(Reference(("posting_id",), "postings"),),
        policies={"interview_slot_id": "exempt"},
    ),
    "interviews": TableSchema(
        name="interviews",
        row=Interview,
        key="interview_id",
        noun="interview",
        prefix="INT",
        references=(
            Reference(("application_id",), "applications"),
            Reference(("interview_slot_id",), "interview_slots"),
        ),
        policies={"interview_id": "exempt"},
    ),
    "offers": TableSchema(
        name="offers",
        row=Offer,
        key="offer_id",
        noun="offer",
        prefix="OFF",
        references=(Reference(("application_id",), "applications"),),
        policies={"offer_id": "exempt"},
    ),
    "messages": TableSchema(
        name="messages",
        row=Message,
        key="message_id",
        noun="message",
        prefix="MSG",
        references=(Reference(("application_id",), "applications"),),
        policies={"message_id": "exempt", "body": "semantic"},
    ),
    "coaches": TableSchema(
        name="coaches",
        row=Coach,
        key="coach_id",
        noun="coach",
        prefix="COA",
        unique=("name",),
        policies={"coach_id": "exempt"},
    ),
    "coaching_sessions": TableSchema(
        name="coaching_sessions",
        row=CoachingSession,
        key="coaching_session_id",
        noun="coaching session",
        prefix="SES",
        references=(
            Reference(("candidate_id",), "candidates"),
            Reference(("coach_id",), "coaches"),
        ),
        policies={"coaching_session_id": "exempt"},
    ),
    "payments": TableSchema(
        name="payments",
        row=Payment,
        key="payment_id",
        noun="payment",
        prefix="PAY",
        references=(
            Reference(("coaching_session_id",), "coaching_sessions"),
            Reference(("candidate_id",), "candidates"),
        ),
        policies={"payment_id": "exempt"},
    ),
    "posting_reports": TableSchema(
        name="posting_reports",
        row=PostingReport,
        key="posting_report_id",
        noun="posting report",
        prefix="RPT",
        references=(
            Reference(("posting_id",), "postings"),
            Reference(("candidate_id",), "candidates"),
        ),
        policies={"posting_report_id": "exempt", "details": "semantic"},
    ),
}


class Database(store.Database):
    """The tables of Brightpath Careers: job sear…."""

    candidates: Table[Candidate]
    candidate_skills: Table[CandidateSkill]
    resumes: Table[Resume]
    referees: Table[Referee]
    employers: Table[Employer]
    postings: Table[Posting]
    requirements: Table[Requirement]
    saved_postings: Table[SavedPosting]
    job_alerts: Table[JobAlert]
    applications: Table[Application]
    interview_slots: Table[InterviewSlot]
    interviews: Table[Interview]
    offers: Table[Offer]
    messages: Table[Message]
    coaches: Table[Coach]
    coaching_sessions: Table[CoachingSession]
    payments: Table[Payment]
    posting_reports: Table[PostingReport]
