"""The stages of a draft, in the order of ScaleEnv's first phase: each settles a part."""
