"""Endless looks at stacks of chips, met by rays and recorded in whole batches on a card or a processor."""
