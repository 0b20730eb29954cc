"""Scenario + Ask -> Plan. Pure: no asyncio, no clock, no file, no socket; no randomness without a seed."""
