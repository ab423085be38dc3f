"""Tasks: what is asked, the rows it starts from, how far an episode has come, its grade."""
