"""The eleven indoor tasks, who plays them, and the double that needs no understanding."""
