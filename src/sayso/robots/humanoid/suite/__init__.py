"""The nine football goals, who plays them, who stands by, and the double that needs no understanding."""
