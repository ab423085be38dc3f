"""What the person of a task says: the opening message, and every answer held back."""
