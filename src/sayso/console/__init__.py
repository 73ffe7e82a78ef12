"""The web console: see it think, see it move, stop it.

`desk`, `archive`, `solids` and `gate` know no browser; what is drawn from them with NiceGUI lies in `views`.
"""
