"""What is drawn from a desk, with NiceGUI. Thin: nothing here decides, and all text is shown as text."""
