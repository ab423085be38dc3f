"""From a wish to a world: draft, build, proof, tasks and replay, one after the other."""
