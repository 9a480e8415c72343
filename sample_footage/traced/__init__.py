"""The sessions once more, path-traced by Blender: another renderer, to measure recognition by.

``scene_plan`` says what is where in every picture, ``textures`` draws felt, cheques and cards in another style than
``paint``, ``blender_scene`` runs inside Blender's own Python (``pip install bpy``, an environment of its own: it wants
an older numpy), and ``film`` ties them together and encodes.
"""
