"""Rules on the quota of AI tools: who may run into it, and whether the guard can see it."""
