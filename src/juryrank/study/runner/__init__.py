"""Programs as judges of a study: `runner` is the loop, `calls` one call with retries, `pace` a judge's limits."""
