"""The version of Touchstone: what files say that they were made by."""

VERSION = "0.2.0"
