"""`python -m touchstone`: the command `touchstone`, wherever its script is not on the path."""

from touchstone_command import main

if __name__ == "__main__":
    main()
