#!/usr/bin/env python
"""Touchstone's command line in a checkout; installed, it is called `touchstone`."""

from touchstone.command_line import main

if __name__ == "__main__":
    main()
