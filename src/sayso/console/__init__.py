"""The web console: see it think, see it move, stop it.

`station`, `archive` and `solids` know no browser; what is drawn from them with NiceGUI lies in `views`.
"""
