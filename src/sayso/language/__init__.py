"""MiniSpec, the plan language: parsed while it streams, checked before it runs. Pure."""
