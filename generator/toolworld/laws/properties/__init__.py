"""Properties that need no author: what looks wrong in any domain."""
