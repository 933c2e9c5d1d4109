"""What is tried on a laptop only, and why. Documentation/Cluster.md has the same reasons; Scripts/lint-laptop holds the two together.

By folder of Collector/Tests, and by the name of the check.
"""

ONLY = {
    "MCP": {
        "stdio_of_data": "`automobile mcp --data` reads the index of a data directory, and a cluster's has none: agents take `--url`",
    },
}
