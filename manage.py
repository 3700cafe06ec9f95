#!/usr/bin/env python
"""Touchstone's command line in a checkout; installed, it is called `touchstone`."""

from touchstone_command import main

if __name__ == "__main__":
    main()
