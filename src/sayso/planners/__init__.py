"""Brief in, plan stream out."""
