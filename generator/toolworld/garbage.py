"""How seldom Python's garbage collector looks for cycles here.

Syntax trees and tables are large: by default a fifth of the time of reading them goes into it.
"""

SELDOM = (200_000, 20, 100)
"""What ``gc.set_threshold`` takes."""
