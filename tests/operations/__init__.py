"""Every operation of the API: who may, what a good call sends, and collections in which it ends well."""
