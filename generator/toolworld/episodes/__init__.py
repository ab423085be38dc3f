"""Episodes of packages in this process: of one package, or of several joined into one world."""
