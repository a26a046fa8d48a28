"""Who may do what: `identity` of a request, `cookies`, `secrets`, the `vault` of credentials, `rate_limits`."""
