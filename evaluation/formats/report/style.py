"""The style of a report's page: one column, for a screen in light or dark, and for paper, where nothing is folded."""

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1e2327; --muted: #595f66; --line: #dfdbd4; --dim: #a7a299;
  --one: #0b5a69; --two: #b2521b; --three: #1b6638; --four: #7b3f9e; --five: #8a6d10; --sunken: #f4f2ee; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e2e5e8; --muted: #a5acb4; --line: #343a41;
  --dim: #5f6770; --one: #74c8d5; --two: #f0a074; --three: #84d3a0; --four: #cda0ea; --five: #d9bd5a;
  --sunken: #1f2429; } }
html { font: 100%/1.5 system-ui, "Noto Sans", "Liberation Sans", sans-serif; color: var(--ink);
  background: var(--paper); }
body { max-width: 54rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; font-size: .94rem; overflow-wrap: break-word; }
h1, h2, h3 { margin: 2rem 0 .5rem; line-height: 1.25; text-wrap: balance; break-after: avoid; }
h1 { margin-top: 0; font-size: 1.6rem; }
h2 { font-size: 1.15rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1rem; }
p, dl, pre, ul { margin: 0 0 .75rem; }
a { color: var(--one); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .25rem 0; }
summary { cursor: pointer; padding: .25rem 0; color: var(--muted); }
summary:has(h2) { margin-top: 1.25rem; border-bottom: 1px solid var(--line); color: inherit; }
summary h2 { display: inline; border: 0; padding: 0; }
details > :not(summary) { margin-top: .75rem; }
[id] { scroll-margin-top: 4rem; }
:focus-visible { outline: 2px solid var(--one); outline-offset: 2px; }
.muted, figcaption, caption { color: var(--muted); font-size: .85rem; text-align: left; }
.conclusion { border-left: 3px solid var(--one); margin-bottom: 1rem; padding-left: 1rem; }
.conclusion p { margin-bottom: .4rem; }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 32rem; height: auto; }
figure { margin: 0 0 1.25rem; break-inside: avoid; }
figcaption { margin-bottom: .4rem; }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.25rem; font-variant-numeric: tabular-nums;
  font-size: .86rem; }
caption { padding-bottom: .4rem; }
th, td { padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid var(--dim); vertical-align: bottom; }
tr, pre, li, dd, p, caption, dl:not(.meant) { break-inside: avoid; }
dt, p:has(+ pre) { break-after: avoid; }
caption, thead, tbody tr:first-child { break-after: avoid; }
tbody tr:first-child { break-before: avoid; }
.num { text-align: right; }
td.num, th[scope=row] { white-space: nowrap; }
th[scope=row] { font-weight: 500; }
td small { display: block; color: var(--muted); font-size: .85em; }
code, pre { font-family: ui-monospace, "Liberation Mono", monospace; font-size: .85em; }
pre { padding: .6rem .8rem; background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; }
.hash { overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.meant dd { white-space: pre-line; margin-bottom: .5rem; }
.fits, .narrow { min-width: 0; }
.narrow { display: none; }
@media (max-width: 36rem) { .wide { display: none; } .narrow { display: block; }
  caption { position: sticky; left: 0; max-width: calc(100vw - 2rem); } }
svg text { fill: var(--ink); font-size: 12px; }
svg .end { text-anchor: end; }
svg .mid { text-anchor: middle; fill: var(--muted); }
.grid { stroke: var(--line); }
.zero { stroke: var(--muted); }
.span { stroke: var(--one); stroke-width: 2; }
circle, .apart, .better { fill: var(--one); }
.worse { fill: var(--two); }
.equal { fill: var(--dim); }
.alike { fill: none; stroke: var(--dim); }
.curve { fill: none; stroke: var(--dim); stroke-width: 1.2; }
.c0, .c1, .c2, .c3, .c4 { stroke-width: 2.4; }
.c0 { stroke: var(--one); } .c1 { stroke: var(--two); } .c2 { stroke: var(--three); } .c3 { stroke: var(--four); }
.c4 { stroke: var(--five); }
svg .n0 { fill: var(--one); } svg .n1 { fill: var(--two); } svg .n2 { fill: var(--three); }
svg .n3 { fill: var(--four); } svg .n4 { fill: var(--five); }
@media (max-width: 36rem) { dl { grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: .4rem; } }
@page { size: A4; margin: 16mm 14mm; }
@media print { .wide { display: block; } .narrow { display: none; }
  :root { color-scheme: light; --paper: #fff; --ink: #000; --muted: #444; --line: #ccc; --dim: #999;
  --one: #0b5a69; --two: #b2521b; --three: #1b6638; --four: #7b3f9e; --five: #8a6d10; --sunken: #f4f2ee; }
  nav { display: none; } summary { list-style: none; padding: 0;
  break-after: avoid; } summary::-webkit-details-marker { display: none; }
  details::details-content { content-visibility: visible; }
  body { max-width: none; padding: 0; font-size: 9.5pt; } .scroll { overflow: visible; } svg { min-width: 0; }
  table { font-size: 8pt; } thead { display: table-header-group; } }
"""
