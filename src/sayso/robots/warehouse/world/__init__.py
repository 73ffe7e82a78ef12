"""The store and its robot."""
