"""The solids that ``blender_scene`` puts on the table: cards, cheques, arms. Runs inside Blender's Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import bpy  # isort: skip  # the next two are found only after it

import bmesh
from mathutils import Matrix, Vector

S: Final = 0.01
"""Blender's units in a millimetre."""
CHIP_R, CHIP_H = 19.5, 3.3
CARD_W, CARD_H, CARD_CORNER = 63.0, 88.0, 3.5
CUFF_AT: Final = 205.0
Point = Sequence[float]
Cone = tuple[Point, Point, float, float]
"""From where to where, with which radii, in millimetres."""


def finished(made: Any, name: str, *, smooth: bool = True) -> Any:
    """Return the mesh of a bmesh."""
    mesh = bpy.data.meshes.new(name)
    made.normal_update()
    made.to_mesh(mesh)
    made.free()
    if smooth:
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return mesh


def flat_mesh(points: Sequence[Point], *, uv: Sequence[Point]) -> Any:
    """Return one polygon on the felt with its texture coordinates."""
    made = bmesh.new()
    layer = made.loops.layers.uv.new()
    face = made.faces.new([made.verts.new((S * x, S * y, 0.0)) for x, y in points])
    for loop, at in zip(face.loops, uv, strict=True):
        loop[layer].uv = at
    return finished(made, "flat", smooth=False)


def card_mesh(name: str) -> Any:
    """Return a card with round corners, its picture upright for the players."""
    w, h, r = CARD_W / 2, CARD_H / 2, CARD_CORNER
    points = []
    for cx, cy, start in ((w - r, h - r, 0), (-w + r, h - r, 90), (-w + r, -h + r, 180), (w - r, -h + r, 270)):
        for i in range(5):
            a = math.radians(start + i * 22.5)
            points.append((cx + r * math.cos(a), cy + r * math.sin(a)))
    mesh = flat_mesh(points, uv=[((w - x) / CARD_W, (h - y) / CARD_H) for x, y in points])
    mesh.name = name
    return mesh


def chip_mesh() -> Any:
    """Return a cheque with broken edges: the rim has the first material, the faces the second."""
    made = bmesh.new()
    layer = made.loops.layers.uv.new()
    sides = 48
    rings = []
    for radius, z in ((CHIP_R - 0.35, 0.02), (CHIP_R, 0.35), (CHIP_R, CHIP_H - 0.35), (CHIP_R - 0.35, CHIP_H - 0.02)):
        ring = [
            (radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides), z)
            for i in range(sides)
        ]
        rings.append([made.verts.new((S * x, S * y, S * z)) for x, y, z in ring])
    for level in range(3):
        for i in range(sides):
            j = (i + 1) % sides
            face = made.faces.new((rings[level][i], rings[level][j], rings[level + 1][j], rings[level + 1][i]))
            ends = ((i, level), (i + 1, level), (i + 1, level + 1), (i, level + 1))
            for loop, (n, m) in zip(face.loops, ends, strict=True):
                loop[layer].uv = (n / sides, m / 3)
    for ring in (rings[3], rings[0][::-1]):
        face = made.faces.new(ring)
        face.material_index = 1
        for loop in face.loops:
            x, y = loop.vert.co.x / S, loop.vert.co.y / S
            loop[layer].uv = (0.5 + x / CHIP_R / 2, 0.5 + y / CHIP_R / 2)
    return finished(made, "cheque", smooth=False)


def arm_rows(hand: Any, *, dealer: bool) -> tuple[list[Cone], list[Cone]]:
    """Return the round cones (start, end, radius, radius) of a hand and of its sleeve; its fingers point along +x."""
    fingers, thumb, wrist = hand["fingers"], hand["thumb"], hand["wrist"]
    skin: list[Cone] = []
    for finger in fingers:
        skin += [(finger[i], finger[i + 1], 9.0 - i, 8.2 - i) for i in range(3)]
        skin.append(((wrist[0] + 14, wrist[1] + (finger[0][1] - wrist[1]) * 0.5, wrist[2]), finger[0], 15.0, 11.0))
    skin += [(thumb[i], thumb[i + 1], 13.0 - 2 * i, 11.0 - 2 * i) for i in range(3)]
    skin.append(((wrist[0] + 6, wrist[1] - 12, wrist[2] - 4), thumb[0], 16.0, 14.0))
    back = 1000.0 if dealer else 560.0

    def along(a: float) -> Point:
        return (-a, 0.0, 14.0 + min(a, 200.0) * 0.16 + max(a - 200.0, 0.0) * 0.26)

    skin.append((wrist, along(CUFF_AT + 20), 24.0, 27.0))
    sleeve: list[Cone] = [
        (along(CUFF_AT), along(CUFF_AT + 40), 36.0, 38.0),
        (along(CUFF_AT + 40), along(back), 38.0, 56.0),
    ]
    return skin, sleeve


def cones_mesh(rows: Sequence[Cone], *, mirrored: bool) -> Any:
    """Return balls and cones as one mesh; a hand's ``b`` runs to the right of where its fingers point."""
    made = bmesh.new()
    for start, end, r0, r1 in rows:
        a, b = (Vector((p[0], (1 if mirrored else -1) * p[1], p[2])) * S for p in (start, end))
        for point, radius in ((a, r0), (b, r1)):
            bmesh.ops.create_uvsphere(
                made, u_segments=16, v_segments=10, radius=radius * S, matrix=Matrix.Translation(point)
            )
        way = b - a
        if way.length > 1e-6:
            turn = way.to_track_quat("Z", "Y").to_matrix().to_4x4()
            place = Matrix.Translation((a + b) / 2) @ turn
            bmesh.ops.create_cone(
                made, cap_ends=True, segments=16, radius1=r0 * S, radius2=r1 * S, depth=way.length, matrix=place
            )
    return finished(made, "arm")
