"""The panel ranker under the common contract: `ranker` is the class, `rankers/panel/core` the statistics."""
