"""`python -m touchstone`: the command `touchstone`, wherever its script is not on the path."""

from touchstone.command_line import main

if __name__ == "__main__":
    main()
