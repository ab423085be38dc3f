"""How the server introduces itself."""

NAME = "toolworld-pet-care-centre"
VERSION = "0.1.0"
TITLE = "Pet Care Centre"
SUMMARY = (
    "A neighbourhood pet care centre grooms, walks, trains and boards dogs, "
    "cats and small animals for…"
)
