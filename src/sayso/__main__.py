"""`sayso` and `python -m sayso`: the command line of `program`. An interrupt while that is read in is one line (S8)."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from sayso import program
    except KeyboardInterrupt:
        print("sayso: interrupted", file=sys.stderr)
        sys.exit(1)
    program.main()


if __name__ == "__main__":
    main()
