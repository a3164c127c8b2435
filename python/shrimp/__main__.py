"""The command line: `shrimp`, and `python -m shrimp`."""

import os
import sys

import shrimp


def main():
    """Replace this process by the program in the package, with the same arguments."""
    for folder in shrimp.__path__:
        program = os.path.join(folder, "bin", "shrimp")
        if os.path.exists(program):
            os.execv(program, ["shrimp", *sys.argv[1:]])
    sys.exit("shrimp: this installation of the package does not contain the program.\n        Install it again: pip install --force-reinstall shrimp.")


if __name__ == "__main__":
    main()
