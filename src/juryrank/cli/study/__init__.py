"""`juryrank study ...`: `app` lists the parts, one file per group of subcommands."""
