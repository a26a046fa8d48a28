"""The panel ranker under the common contract: `ranker` is the class, `core/panel` the statistics."""
