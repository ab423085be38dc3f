"""From a wish to a world: drafted, built, proven, given tasks and replayed, one after the other."""
