"""Whether anything changed that people, scripts and other installations see: recorded facts, pages, bundles."""
