"""The faults matrix: what can break on the way, and that nothing is lost, doubled or let through (``make faults``)."""
