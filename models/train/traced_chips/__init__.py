"""Stacks of chips traced by Blender: shades, reflections and shadows that drawn chips do not have."""
