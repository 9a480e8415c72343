"""Data and training commands of the recognisers; nothing here is needed to run the product."""
