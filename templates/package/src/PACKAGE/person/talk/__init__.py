"""The rules by which a message of an agent is read, from its sentences to what each one does."""
