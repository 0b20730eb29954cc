"""Broken: its outcome has keys that there are not, and values of a wrong type."""

print('{"contnt": "Hello there.", "usage": 3, "tool_calls": [{"arguments": {}}]}')
