"""YAML text -> scenarios, overlays and dialects, or every problem of every file with its place and a remedy.

This room knows YAML and where each piece of a file stands. It knows no HTTP, no clock, no bytes on a wire.
"""
