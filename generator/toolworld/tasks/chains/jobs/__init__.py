"""What tasks hold beyond chains: loops over rows, conditions, and things that cannot be done."""
