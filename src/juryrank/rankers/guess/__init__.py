"""The ranker without a promise: `ranker` meets the contract; what it asks is decided in `rankers/guess/core`."""
