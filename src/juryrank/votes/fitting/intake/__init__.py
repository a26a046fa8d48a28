"""Votes from anywhere as arrays: `ballots` (what a fit works on), `sources` (files, frames, rows, studies),
`coding` (text columns as numbers), `decoding` (numbers as ballots, bad rows named)."""
