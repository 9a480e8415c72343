"""The core: rounds, rules, reconstruction, settlement, procedures and the store.

Everything here is pure except ``store``, the loaders of data files and settings. Pixels are unknown here.
"""
