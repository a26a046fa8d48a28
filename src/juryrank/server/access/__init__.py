"""Who may do what: `identity` of a request, `cookies`, `secrets`, the `vault` of credentials,
`recent_secrets` that are shown once more, `rate_limits`."""
