"""Made-up messages over the wire, against servers of packages and hosts."""
