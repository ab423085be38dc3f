"""Reading tasks blind: a sheet of our messages mixed with published ones, and their ratings."""
