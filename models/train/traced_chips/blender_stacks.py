"""Runs inside Blender's Python: traces the plans of a folder, with their stacks and without.

    python blender_stacks.py FOLDER [FIRST STEP [THREADS]]

Every subfolder with a ``plan.json`` gets ``frame.png`` and ``bare.png`` if it lacks them. Nothing of the project is
imported here; bpy is all there is. One Blender unit is a decimetre.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any, Final

import bpy  # isort: skip  # the next two are found only after it

import bmesh
from mathutils import Matrix, Vector

S: Final = 0.01
CHIP_R, CHIP_H = 19.5, 3.3
SIDES: Final = 64


def main() -> None:
    """Trace what is missing."""
    folder = Path(sys.argv[1])
    first, step = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (0, 1)
    threads = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    for plan in sorted(folder.glob("*/plan.json"))[first::step]:
        if not (plan.parent / "frame.png").exists():
            Scene(plan.parent, threads).trace()
            print(f"traced {plan.parent.name}", flush=True)


class Scene:
    """One plan as Blender sees it."""

    def __init__(self, folder: Path, threads: int) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.folder, self.plan = folder, json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        self.scene = bpy.context.scene
        self.meshes: dict[str, Any] = {}
        self.chips: list[Any] = []
        self.set_engine(threads)
        self.set_camera()
        self.set_light()
        self.lay_felt()
        for stack in self.plan["stacks"]:
            self.put_stack(stack)

    def set_engine(self, threads: int) -> None:
        """Trace few paths and smooth the noise away."""
        scene = self.scene
        scene.render.engine = "CYCLES"
        cycles = scene.cycles
        cycles.device, cycles.samples, cycles.seed = "CPU", self.plan["samples"], 1
        cycles.use_denoising = True
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 2, 1
        cycles.caustics_reflective = cycles.caustics_refractive = False
        scene.render.threads_mode, scene.render.threads = "FIXED", threads
        scene.view_settings.view_transform = "Standard"
        scene.render.image_settings.file_format = "PNG"
        scene.render.resolution_x, scene.render.resolution_y = self.plan["size"]

    def set_camera(self) -> None:
        """Put the pinhole where the plan has it."""
        camera = bpy.data.cameras.new("camera")
        width, _ = self.plan["size"]
        camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
        camera.lens = self.plan["focal_px"] * 36.0 / width
        camera.clip_end = 200.0
        thing = bpy.data.objects.new("camera", camera)
        right, down, ahead = (Vector(row) for row in self.plan["rotation"])
        axes = Matrix((right, -down, -ahead)).transposed().to_4x4()
        thing.matrix_world = Matrix.Translation(Vector(self.plan["eye_mm"]) * S) @ axes
        self.scene.collection.objects.link(thing)
        self.scene.camera = thing

    def set_light(self) -> None:
        """Hang the lamps into the room."""
        world = bpy.data.worlds.new("room")
        world.use_nodes = True
        ground = world.node_tree.nodes["Background"]
        ground.inputs["Color"].default_value = (*self.plan["tint"], 1)
        self.scene.world = world
        self.set_ceiling(world.node_tree)
        for one in self.plan["lamps"]:
            lamp = bpy.data.lights.new("lamp", "AREA")
            lamp.energy, lamp.size, lamp.color = one["power"], one["size_mm"] * S, self.plan["tint"]
            thing = bpy.data.objects.new("lamp", lamp)
            thing.location = Vector(one["at"]) * S
            thing.rotation_euler = (-Vector(one["at"])).to_track_quat("-Z", "Y").to_euler()
            self.scene.collection.objects.link(thing)

    def set_ceiling(self, tree: Any) -> None:
        """Let the room shine from above; from its walls, and from below, a share as much."""
        towards, split = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeSeparateXYZ")
        share = tree.nodes.new("ShaderNodeMapRange")
        for name, value in (
            ("From Max", 0.7),
            ("To Min", self.plan["room"] * self.plan["walls"]),
            ("To Max", self.plan["room"]),
        ):
            share.inputs[name].default_value = value
        tree.links.new(towards.outputs["Generated"], split.inputs["Vector"])
        tree.links.new(split.outputs["Z"], share.inputs["Value"])
        tree.links.new(share.outputs["Result"], tree.nodes["Background"].inputs["Strength"])

    def material(self, image: str, rough: float) -> Any:
        """Return a material with a picture on it."""
        made = bpy.data.materials.new(image)
        made.use_nodes = True
        node = made.node_tree.nodes["Principled BSDF"]
        node.inputs["Roughness"].default_value = rough
        texture = made.node_tree.nodes.new("ShaderNodeTexImage")
        texture.image = bpy.data.images.load(str(self.folder / image))
        made.node_tree.links.new(texture.outputs["Color"], node.inputs["Base Color"])
        return made

    def lay_felt(self) -> None:
        """Lay the felt, three times as wide as its picture."""
        half, repeats = self.plan["felt_mm"] / 2 * 3, 3
        made = bmesh.new()
        layer = made.loops.layers.uv.new()
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        face = made.faces.new([made.verts.new((S * x, S * y, 0.0)) for x, y in corners])
        for loop, (x, y) in zip(face.loops, corners, strict=True):
            loop[layer].uv = ((x / half * repeats + 1) / 2, (y / half * repeats + 1) / 2)
        mesh = _mesh(made)
        mesh.materials.append(self.material("felt.png", 0.95))
        self.scene.collection.objects.link(bpy.data.objects.new("felt", mesh))

    def put_stack(self, stack: Any) -> None:
        """Put the chips of a stack on one another."""
        x, y = stack["at"]
        parts = zip(stack["colours"], stack["offsets"], stack["turns"], strict=True)
        for level, (colour, (aside, away), turn) in enumerate(parts):
            if colour not in self.meshes:
                self.meshes[colour] = chip_mesh(self.plan["bevel_mm"])
                for part in ("rim", "face"):
                    self.meshes[colour].materials.append(
                        self.material(f"{part}-{colour}.png", self.plan["rough"][part])
                    )
            thing = bpy.data.objects.new("chip", self.meshes[colour])
            thing.location = (S * (x + aside), S * (y + away), S * level * CHIP_H)
            thing.rotation_euler = (0, 0, math.radians(turn))
            self.scene.collection.objects.link(thing)
            self.chips.append(thing)

    def trace(self) -> None:
        """Trace the bare felt, half as large, then the stacks on it."""
        for name, hidden, percent in (("bare", True, 50), ("frame", False, 100)):
            self.scene.render.resolution_percentage = percent
            for chip in self.chips:
                chip.hide_render = hidden
            part = self.folder / f"{name}.part.png"
            self.scene.render.filepath = str(part)
            bpy.ops.render.render(write_still=True)
            part.replace(self.folder / f"{name}.png")


def chip_mesh(bevel: float) -> Any:
    """Return a chip with broken edges; the rim has the first material, the faces the second.

    Textures begin towards -y and run counter-clockwise as seen from above.
    """
    made = bmesh.new()
    layer = made.loops.layers.uv.new()
    profile = ((CHIP_R - bevel, 0.02), (CHIP_R, bevel), (CHIP_R, CHIP_H - bevel), (CHIP_R - bevel, CHIP_H - 0.02))
    angles = [2 * math.pi * i / SIDES - math.pi / 2 for i in range(SIDES)]
    rings = [[made.verts.new((S * r * math.cos(a), S * r * math.sin(a), S * z)) for a in angles] for r, z in profile]
    for level in range(3):
        for i in range(SIDES):
            j = (i + 1) % SIDES
            face = made.faces.new((rings[level][i], rings[level][j], rings[level + 1][j], rings[level + 1][i]))
            corners = ((i, level), (i + 1, level), (i + 1, level + 1), (i, level + 1))
            for loop, (n, m) in zip(face.loops, corners, strict=True):
                loop[layer].uv = (n / SIDES, profile[m][1] / CHIP_H)
    for ring in (rings[3], rings[0][::-1]):
        face = made.faces.new(ring)
        face.material_index = 1
        for loop in face.loops:
            x, y = loop.vert.co.x / S, loop.vert.co.y / S
            loop[layer].uv = (0.5 + x / CHIP_R / 2, 0.5 + y / CHIP_R / 2)
    return _mesh(made)


def _mesh(made: Any) -> Any:
    mesh = bpy.data.meshes.new("mesh")
    made.normal_update()
    made.to_mesh(mesh)
    made.free()
    return mesh


if __name__ == "__main__":
    main()
