"""A report as a folder: one page of HTML, tables, plots, the files it rests on, and the commands that make it anew.

The same question and the same files give the same bytes: no date, no path and no machine's name
stands in it.
"""
