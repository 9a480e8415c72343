"""Inventing sessions of the games that are played by acts: legal rounds, and errors of every kind planted in them.

The few rules needed here are written for this purpose alone, so that the truth never comes from the code it tests.
"""
