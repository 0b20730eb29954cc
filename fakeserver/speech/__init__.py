"""What OpenAI-compatible servers say, and what a correct client makes of it. Pure: it knows no socket and no clock."""
