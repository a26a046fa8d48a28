"""Votes from anywhere as arrays: `ballots` (what a fit works on), `sources` (files, frames, rows, studies)."""
