"""The command line: names, help, streams, exit statuses."""
