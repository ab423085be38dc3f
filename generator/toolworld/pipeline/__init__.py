"""From a wish to a world: draft, build, prove, make tasks, replay."""
