"""What can be done with a study: making it (`creating`, `intake`, `setup`), judging, managing, downloads."""
