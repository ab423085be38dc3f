"""How the server introduces itself."""

NAME = "toolworld-pet-care-centre"
VERSION = "0.1.0"
TITLE = "Pet Care Centre"
SUMMARY = (
    "A neighbourhood pet care centre grooms, walks, trains and boards dogs, "
    "cats and small animals for their owners. Staff and owners use it to book "
    "appointments and stays, keep vaccination and medication records, handle "
    "incidents, sell prepaid passes, and invoice and collect payment."
)
