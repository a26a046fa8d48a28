"""Pictures and charts: `picture` and `charts` make a `scene`; `paint` puts it on paper."""
