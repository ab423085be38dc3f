"""Many episodes in one server, written to at random: do they stay apart, and leave no memory?"""
