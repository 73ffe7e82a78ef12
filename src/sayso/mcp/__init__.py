"""The MCP server: other programs command the robot, and what a person decides stays a person's."""
