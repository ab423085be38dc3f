"""How the server introduces itself."""

NAME = "toolworld-job-seeking"
VERSION = "0.1.0"
TITLE = "Brightpath Careers: job search and placement service"
SUMMARY = "Brightpath Careers helps candidates find work: it lists postings from employers, takes…"
