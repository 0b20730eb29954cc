"""Examines a client: plays cases to a command, reads what it made of them, and marks that.

It stands above the server and below the command line. It must not know click.
"""
