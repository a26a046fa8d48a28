"""Who may do what: `identity` of a request, `cookies` and secrets shown once more, the `vault` of
credentials, `rate_limits`."""
