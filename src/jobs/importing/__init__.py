"""What people have already (property lists, crontabs) as jobs of a manifest, with a proof that they mean the same."""
