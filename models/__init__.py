"""Recognition: from pixels to settled table states. Only this package knows pixels."""
