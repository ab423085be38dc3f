"""A finished package looked at by a second model, whose findings are run before they count."""
