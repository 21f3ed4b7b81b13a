"""What a manifest will do in a given time: virtual time over launchd, wrappers, breakers and catch-up."""
