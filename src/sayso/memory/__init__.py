"""What outlives the moment: the journal."""
