"""What is true of each job now: from the manifest, the records, launchd's answers and the receipt."""
