"""How the server introduces itself."""

NAME = "toolworld-job-seeking"
VERSION = "0.1.0"
TITLE = "Brightpath Careers: job search and placement service"
SUMMARY = (
    "Brightpath Careers helps candidates find work: it lists postings from "
    "employers, takes applications, arranges interviews and offers, and sells "
    "coaching sessions. Candidate advisors, employers and coaches all ask the "
    "agent to look things up and to move applications, interviews, offers and "
    "payments along."
)
