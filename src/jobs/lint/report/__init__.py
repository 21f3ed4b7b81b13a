"""How findings are written out."""
