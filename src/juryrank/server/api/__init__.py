"""The REST interface: the same functions as the pages, for programs."""
