"""The Python face: `import touchstone as ts`. Imports neither Django nor torch; docs/library.md is its cookbook."""
