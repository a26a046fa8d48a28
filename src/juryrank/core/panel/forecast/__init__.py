"""What more people would settle, by kind of counting. Forecasts promise nothing."""
