"""Plots as SVG, made on the server: figures become places, the templates of `components/plots/` draw them.

Every mark says its figures when pointed at (`<title>`), and a table or sentence beside the plot
says the same. A mark that stands for something with a page of its own, a run, a topic, a document,
is a link to it (`href`, empty without).
"""
