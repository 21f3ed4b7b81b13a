"""What Python does beside the wrappers: records, breaker, catch-up."""
