"""Prints its arguments and the variables X_0, X_1 ..., one Python literal a line."""

import os
import sys

for word in sys.argv[1:]:
    print(ascii(word))
number = 0
while f"X_{number}" in os.environ:
    print(ascii(os.environ[f"X_{number}"]))
    number += 1
