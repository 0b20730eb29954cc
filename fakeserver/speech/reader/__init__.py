"""The reference accumulator's insides: how the events of a reply become drafts of choices, and these an outcome.

From outside, only `fakeserver.speech.accumulator` is called. Nothing here knows how speech is made.
"""
