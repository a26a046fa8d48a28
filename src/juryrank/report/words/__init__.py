"""The words around a result: headlines, forecasts, assumptions, alarms, and how names and numbers are written."""
