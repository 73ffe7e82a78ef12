"""The views of the console, with NiceGUI. Thin: nothing here decides, and all text is shown as text."""
