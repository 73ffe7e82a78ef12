"""The terminal: a mission live, plans with carets, tables. Text only; nothing decides here."""
