"""The rules that every row of Brightpath Careers: job sear… keeps after every call."""

from __future__ import annotations

from .models import (
    Application,
    Candidate,
    CandidateSkill,
    Coach,
    CoachingSession,
    Database,
    Employer,
    Interview,
    InterviewSlot,
    JobAlert,
    Message,
    Offer,
    Payment,
    Posting,
    PostingReport,
    Requirement,
    Resume,
    SavedPosting,
)
from .schema import Invariant


def candidates_wished_salary_in_bounds(db: Database, candidate: Candidate) -> bool:
    """The wished salary is 10000 to 500000."""
    return bool(10000 <= candidate.wished_salary <= 500000)


def candidate_skills_skill_years_in_bounds(db: Database, candidate_skill: CandidateSkill) -> bool:
    """Years of experience are 0 to 50."""
    return bool(0 <= candidate_skill.years <= 50)


def candidate_skills_expert_needs_three_years(
    db: Database, candidate_skill: CandidateSkill
) -> bool:
    """An expert has at least 3 years of experience."""
    return bool(candidate_skill.level != "expert" or candidate_skill.years >= 3)


def candidate_skills_one_row_per_skill(db: Database, candidate_skill: CandidateSkill) -> bool:
    """A candidate has at most one row for a skill."""
    return bool(
        len(
            db.candidate_skills.where(
                candidate_id=candidate_skill.candidate_id, skill=candidate_skill.skill
            )
        )
        <= 1
    )


def resumes_one_primary_resume(db: Database, resume: Resume) -> bool:
    """A candidate has at most one primary resume."""
    return bool(len(db.resumes.where(candidate_id=resume.candidate_id, status="primary")) <= 1)


def resumes_resume_has_pages(db: Database, resume: Resume) -> bool:
    """A resume has at least one page."""
    return bool(resume.pages >= 1)


def employers_open_postings_need_verified_employer(db: Database, employer: Employer) -> bool:
    """Only a verified employer has open postings."""
    return bool(
        employer.status == "verified"
        or len(db.postings.where(employer_id=employer.employer_id, status="open")) == 0
    )


def postings_salary_range_in_order(db: Database, posting: Posting) -> bool:
    """The salary range is in order and within 10000 to 500000."""
    return bool(10000 <= posting.salary_min <= posting.salary_max <= 500000)


def postings_closed_has_reason(db: Database, posting: Posting) -> bool:
    """Closed postings, and only they, have a close reason."""
    return bool((posting.status == "closed") == (posting.close_reason is not None))


def postings_openings_left_in_bounds(db: Database, posting: Posting) -> bool:
    """Openings left are 0 to openings, and 0 only when the posting is filled."""
    return bool(
        1 <= posting.openings <= 20
        and 0 <= posting.openings_left <= posting.openings
        and (posting.status == "filled") == (posting.openings_left == 0)
    )


def requirements_one_requirement_per_skill(db: Database, requirement: Requirement) -> bool:
    """A posting asks for a skill at most once."""
    return bool(
        len(db.requirements.where(posting_id=requirement.posting_id, skill=requirement.skill)) <= 1
    )


def requirements_at_most_six_requirements(db: Database, requirement: Requirement) -> bool:
    """A posting has at most 6 requirements."""
    return bool(len(db.requirements.where(posting_id=requirement.posting_id)) <= 6)


def saved_postings_saved_once(db: Database, saved_posting: SavedPosting) -> bool:
    """A candidate saves a posting at most once."""
    return bool(
        len(
            db.saved_postings.where(
                candidate_id=saved_posting.candidate_id, posting_id=saved_posting.posting_id
            )
        )
        <= 1
    )


def job_alerts_alert_salary_in_bounds(db: Database, job_alert: JobAlert) -> bool:
    """The least salary is empty or 0 to 500000."""
    return bool(job_alert.least_salary is None or 0 <= job_alert.least_salary <= 500000)


def job_alerts_at_most_five_active_alerts(db: Database, job_alert: JobAlert) -> bool:
    """A candidate has at most 5 active alerts."""
    return bool(len(db.job_alerts.where(candidate_id=job_alert.candidate_id, status="active")) <= 5)


def applications_withdrawn_has_reason(db: Database, application: Application) -> bool:
    """Withdrawn applications, and only they, have a withdraw reason."""
    return bool((application.stage == "withdrawn") == (application.withdraw_reason is not None))


def applications_one_live_application(db: Database, application: Application) -> bool:
    """A candidate has at most one application on a posting that is not withdrawn."""
    return bool(
        application.stage == "withdrawn"
        or sum(
            1
            for other in db.applications.where(
                candidate_id=application.candidate_id, posting_id=application.posting_id
            )
            if other.stage != "withdrawn"
        )
        == 1
    )


def applications_own_resume(db: Database, application: Application) -> bool:
    """The resume belongs to the candidate."""
    return bool(
        len(
            db.resumes.where(resume_id=application.resume_id, candidate_id=application.candidate_id)
        )
        == 1
    )


def interview_slots_slot_length_in_bounds(db: Database, interview_slot: InterviewSlot) -> bool:
    """A slot takes 15 to 240 minutes."""
    return bool(15 <= interview_slot.minutes <= 240)


def interviews_outcome_fits_status(db: Database, interview: Interview) -> bool:
    """Held and missed interviews, and only they, have an outcome; missed ones have no_show."""
    return bool(
        (interview.status == "held" or interview.status == "missed")
        == (interview.outcome is not None)
        and (interview.status == "missed") == (interview.outcome == "no_show")
    )


def interviews_scheduled_holds_its_slot(db: Database, interview: Interview) -> bool:
    """The slot of a scheduled interview is taken."""
    return bool(
        interview.status != "scheduled"
        or len(
            db.interview_slots.where(interview_slot_id=interview.interview_slot_id, status="taken")
        )
        == 1
    )


def interviews_scheduled_in_interview_stage(db: Database, interview: Interview) -> bool:
    """A scheduled interview's application is in stage interview."""
    return bool(
        interview.status != "scheduled"
        or len(db.applications.where(application_id=interview.application_id, stage="interview"))
        == 1
    )


def offers_offer_dates_in_order(db: Database, offer: Offer) -> bool:
    """An offer is extended before it expires and expires before work starts."""
    return bool(offer.extended_on < offer.expires_on < offer.starts_on)


def offers_extended_in_offer_stage(db: Database, offer: Offer) -> bool:
    """An extended offer's application is in stage offer."""
    return bool(
        offer.status != "extended"
        or len(db.applications.where(application_id=offer.application_id, stage="offer")) == 1
    )


def offers_one_extended_offer(db: Database, offer: Offer) -> bool:
    """An application has at most one extended offer."""
    return bool(len(db.offers.where(application_id=offer.application_id, status="extended")) <= 1)


def messages_at_most_three_unread(db: Database, message: Message) -> bool:
    """A sender has at most 3 unread messages on an application."""
    return bool(
        len(
            db.messages.where(
                application_id=message.application_id, sender=message.sender, is_read=False
            )
        )
        <= 3
    )


def coaches_fee_above_zero(db: Database, coach: Coach) -> bool:
    """The hourly fee is above 0."""
    return bool(coach.hourly_fee > 0)


def coaching_sessions_session_length_allowed(
    db: Database, coaching_session: CoachingSession
) -> bool:
    """A session takes 30, 60 or 90 minutes."""
    return bool(coaching_session.minutes in (30, 60, 90))


def coaching_sessions_session_price_above_zero(
    db: Database, coaching_session: CoachingSession
) -> bool:
    """The price is above 0."""
    return bool(coaching_session.price > 0)


def payments_refund_within_amount(db: Database, payment: Payment) -> bool:
    """What is refunded is 0 up to the amount, which is above 0."""
    return bool(payment.amount > 0 and 0 <= payment.refunded <= payment.amount)


def payments_status_fits_refund(db: Database, payment: Payment) -> bool:
    """The status is paid when nothing is refunded, refunded when all is, else partly_refunded."""
    return bool(
        (payment.status == "paid") == (payment.refunded == 0)
        and (payment.status == "refunded") == (payment.refunded == payment.amount)
    )


def payments_one_payment_per_session(db: Database, payment: Payment) -> bool:
    """A session has one payment, made by its candidate."""
    return bool(
        len(db.payments.where(coaching_session_id=payment.coaching_session_id)) == 1
        and len(
            db.coaching_sessions.where(
                coaching_session_id=payment.coaching_session_id, candidate_id=payment.candidate_id
            )
        )
        == 1
    )


def posting_reports_settled_unless_open(db: Database, posting_report: PostingReport) -> bool:
    """Reports have a settling day unless they are open."""
    return bool((posting_report.status == "open") == (posting_report.settled_on is None))


INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "candidates": (
        Invariant(
            "wished_salary_in_bounds",
            "The wished salary is 10000 to 500000.",
            candidates_wished_salary_in_bounds,
            columns=frozenset({"wished_salary"}),
            tables=frozenset(),
        ),
    ),
    "candidate_skills": (
        Invariant(
            "skill_years_in_bounds",
            "Years of experience are 0 to 50.",
            candidate_skills_skill_years_in_bounds,
            columns=frozenset({"years"}),
            tables=frozenset(),
        ),
        Invariant(
            "expert_needs_three_years",
            "An expert has at least 3 years of experience.",
            candidate_skills_expert_needs_three_years,
            columns=frozenset({"level", "years"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_row_per_skill",
            "A candidate has at most one row for a skill.",
            candidate_skills_one_row_per_skill,
            columns=frozenset({"candidate_id", "skill"}),
            tables=frozenset({"candidate_skills"}),
        ),
    ),
    "resumes": (
        Invariant(
            "one_primary_resume",
            "A candidate has at most one primary resume.",
            resumes_one_primary_resume,
            columns=frozenset({"candidate_id"}),
            tables=frozenset({"resumes"}),
        ),
        Invariant(
            "resume_has_pages",
            "A resume has at least one page.",
            resumes_resume_has_pages,
            columns=frozenset({"pages"}),
            tables=frozenset(),
        ),
    ),
    "employers": (
        Invariant(
            "open_postings_need_verified_employer",
            "Only a verified employer has open postings.",
            employers_open_postings_need_verified_employer,
            columns=frozenset({"employer_id", "status"}),
            tables=frozenset({"postings"}),
        ),
    ),
    "postings": (
        Invariant(
            "salary_range_in_order",
            "The salary range is in order and within 10000 to 500000.",
            postings_salary_range_in_order,
            columns=frozenset({"salary_max", "salary_min"}),
            tables=frozenset(),
        ),
        Invariant(
            "closed_has_reason",
            "Closed postings, and only they, have a close reason.",
            postings_closed_has_reason,
            columns=frozenset({"close_reason", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "openings_left_in_bounds",
            "Openings left are 0 to openings, and 0 only when the posting is filled.",
            postings_openings_left_in_bounds,
            columns=frozenset({"openings", "openings_left", "status"}),
            tables=frozenset(),
        ),
    ),
    "requirements": (
        Invariant(
            "one_requirement_per_skill",
            "A posting asks for a skill at most once.",
            requirements_one_requirement_per_skill,
            columns=frozenset({"posting_id", "skill"}),
            tables=frozenset({"requirements"}),
        ),
        Invariant(
            "at_most_six_requirements",
            "A posting has at most 6 requirements.",
            requirements_at_most_six_requirements,
            columns=frozenset({"posting_id"}),
            tables=frozenset({"requirements"}),
        ),
    ),
    "saved_postings": (
        Invariant(
            "saved_once",
            "A candidate saves a posting at most once.",
            saved_postings_saved_once,
            columns=frozenset({"candidate_id", "posting_id"}),
            tables=frozenset({"saved_postings"}),
        ),
    ),
    "job_alerts": (
        Invariant(
            "alert_salary_in_bounds",
            "The least salary is empty or 0 to 500000.",
            job_alerts_alert_salary_in_bounds,
            columns=frozenset({"least_salary"}),
            tables=frozenset(),
        ),
        Invariant(
            "at_most_five_active_alerts",
            "A candidate has at most 5 active alerts.",
            job_alerts_at_most_five_active_alerts,
            columns=frozenset({"candidate_id"}),
            tables=frozenset({"job_alerts"}),
        ),
    ),
    "applications": (
        Invariant(
            "withdrawn_has_reason",
            "Withdrawn applications, and only they, have a withdraw reason.",
            applications_withdrawn_has_reason,
            columns=frozenset({"stage", "withdraw_reason"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_live_application",
            ("A candidate has at most one application on a posting that is not withdrawn."),
            applications_one_live_application,
            columns=frozenset({"candidate_id", "posting_id", "stage"}),
            tables=frozenset({"applications"}),
        ),
        Invariant(
            "own_resume",
            "The resume belongs to the candidate.",
            applications_own_resume,
            columns=frozenset({"candidate_id", "resume_id"}),
            tables=frozenset({"resumes"}),
        ),
    ),
    "interview_slots": (
        Invariant(
            "slot_length_in_bounds",
            "A slot takes 15 to 240 minutes.",
            interview_slots_slot_length_in_bounds,
            columns=frozenset({"minutes"}),
            tables=frozenset(),
        ),
    ),
    "interviews": (
        Invariant(
            "outcome_fits_status",
            (
                "Held and missed interviews, and only they, have an outcome; missed ones "
                "have no_show."
            ),
            interviews_outcome_fits_status,
            columns=frozenset({"outcome", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "scheduled_holds_its_slot",
            "The slot of a scheduled interview is taken.",
            interviews_scheduled_holds_its_slot,
            columns=frozenset({"interview_slot_id", "status"}),
            tables=frozenset({"interview_slots"}),
        ),
        Invariant(
            "scheduled_in_interview_stage",
            "A scheduled interview's application is in stage interview.",
            interviews_scheduled_in_interview_stage,
            columns=frozenset({"application_id", "status"}),
            tables=frozenset({"applications"}),
        ),
    ),
    "offers": (
        Invariant(
            "offer_dates_in_order",
            "An offer is extended before it expires and expires before work starts.",
            offers_offer_dates_in_order,
            columns=frozenset({"expires_on", "extended_on", "starts_on"}),
            tables=frozenset(),
        ),
        Invariant(
            "extended_in_offer_stage",
            "An extended offer's application is in stage offer.",
            offers_extended_in_offer_stage,
            columns=frozenset({"application_id", "status"}),
            tables=frozenset({"applications"}),
        ),
        Invariant(
            "one_extended_offer",
            "An application has at most one extended offer.",
            offers_one_extended_offer,
            columns=frozenset({"application_id"}),
            tables=frozenset({"offers"}),
        ),
    ),
    "messages": (
        Invariant(
            "at_most_three_unread",
            "A sender has at most 3 unread messages on an application.",
            messages_at_most_three_unread,
            columns=frozenset({"application_id", "sender"}),
            tables=frozenset({"messages"}),
        ),
    ),
    "coaches": (
        Invariant(
            "fee_above_zero",
            "The hourly fee is above 0.",
            coaches_fee_above_zero,
            columns=frozenset({"hourly_fee"}),
            tables=frozenset(),
        ),
    ),
    "coaching_sessions": (
        Invariant(
            "session_length_allowed",
            "A session takes 30, 60 or 90 minutes.",
            coaching_sessions_session_length_allowed,
            columns=frozenset({"minutes"}),
            tables=frozenset(),
        ),
        Invariant(
            "session_price_above_zero",
            "The price is above 0.",
            coaching_sessions_session_price_above_zero,
            columns=frozenset({"price"}),
            tables=frozenset(),
        ),
    ),
    "payments": (
        Invariant(
            "refund_within_amount",
            "What is refunded is 0 up to the amount, which is above 0.",
            payments_refund_within_amount,
            columns=frozenset({"amount", "refunded"}),
            tables=frozenset(),
        ),
        Invariant(
            "status_fits_refund",
            (
                "The status is paid when nothing is refunded, refunded when all is, else "
                "partly_refunded."
            ),
            payments_status_fits_refund,
            columns=frozenset({"amount", "refunded", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_payment_per_session",
            "A session has one payment, made by its candidate.",
            payments_one_payment_per_session,
            columns=frozenset({"candidate_id", "coaching_session_id"}),
            tables=frozenset({"coaching_sessions", "payments"}),
        ),
    ),
    "posting_reports": (
        Invariant(
            "settled_unless_open",
            "Reports have a settling day unless they are open.",
            posting_reports_settled_unless_open,
            columns=frozenset({"settled_on", "status"}),
            tables=frozenset(),
        ),
    ),
}
