"""Runs inside Blender's Python: builds the table from a plan and traces its pictures, those that are missing.

    python blender_scene.py PLAN.json TEXTURES PICTURES [FIRST STEP]

One Blender unit is a decimetre. Nothing of the project is imported here; numpy and bpy are all there is. With FIRST
and STEP it traces every STEP-th picture from FIRST on, so that several processes can share the work.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import bpy  # isort: skip  # the next two are found only after it

import bmesh
from blender_solids import (
    CARD_W,
    CHIP_H,
    Point,
    S,
    arm_rows,
    card_mesh,
    chip_mesh,
    cones_mesh,
    finished,
    flat_mesh,
)
from mathutils import Matrix, Vector

AWAY: Final = Vector((0.0, 0.0, -40.0))

SKINS: Final = ((0.62, 0.36, 0.24), (0.28, 0.14, 0.08), (0.74, 0.50, 0.38), (0.45, 0.25, 0.15))
SLEEVES: Final = {
    "dealer": (0.02, 0.02, 0.03),
    "player1": (0.30, 0.32, 0.36),
    "player2": (0.05, 0.12, 0.30),
    "player3": (0.40, 0.08, 0.06),
}


def main() -> None:
    """Trace the pictures of the plan."""
    plan_path, textures, pictures = (Path(text) for text in sys.argv[1:4])
    first, step = (int(sys.argv[4]), int(sys.argv[5])) if len(sys.argv) > 5 else (0, 1)
    plan = json.loads(plan_path.read_text(encoding="utf-8"))
    pictures.mkdir(parents=True, exist_ok=True)
    table = Table(plan, textures)
    for number in range(first, len(plan["shots"]), step):
        goal = pictures / f"{number:05d}.png"
        if not goal.exists():
            table.pose(plan["shots"][number])
            table.trace(goal, plan["shots"][number]["changed"])
            print(f"picture {number} of {len(plan['shots'])}", flush=True)  # noqa: T201


class Table:
    """The scene: everything that can be seen, moved from picture to picture."""

    def __init__(self, plan: Any, textures: Path) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.plan, self.textures = plan, textures
        self.scene = bpy.context.scene
        self.materials: dict[str, Any] = {}
        self.meshes: dict[str, Any] = {}
        self.objects: dict[str, Any] = {}
        self.set_engine()
        self.set_camera()
        self.set_light()
        self.furnish()

    def set_engine(self) -> None:
        """Trace few paths and smooth the noise away."""
        scene = self.scene
        scene.render.engine = "CYCLES"
        scene.cycles.device = "CPU"
        scene.cycles.samples = self.plan["samples"]
        scene.cycles.use_adaptive_sampling = True
        scene.cycles.adaptive_threshold = 0.05
        scene.cycles.use_denoising = True
        scene.cycles.max_bounces = 3
        scene.cycles.diffuse_bounces = 1
        scene.cycles.glossy_bounces = 1
        scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
        scene.cycles.seed = 1
        scene.render.use_persistent_data = True
        scene.render.threads_mode = "FIXED"
        scene.render.threads = self.plan["threads"]
        scene.view_settings.view_transform = "Standard"
        scene.render.image_settings.file_format = "PNG"
        scene.render.image_settings.compression = 15
        width, height = self.plan["size"]
        scene.render.resolution_x, scene.render.resolution_y = width, height

    def set_camera(self) -> None:
        """Put the pinhole where the plan has it."""
        camera = bpy.data.cameras.new("camera")
        width, _ = self.plan["size"]
        camera.sensor_width, camera.lens = 36.0, self.plan["focal_px"] * 36.0 / width
        camera.clip_end = 200.0
        thing = bpy.data.objects.new("camera", camera)
        right, down, ahead = (Vector(row) for row in self.plan["rotation"])
        axes = Matrix((right, -down, -ahead)).transposed().to_4x4()
        thing.matrix_world = Matrix.Translation(Vector(self.plan["eye_mm"]) * S) @ axes
        self.scene.collection.objects.link(thing)
        self.scene.camera = thing

    def set_light(self) -> None:
        """Hang two lamps into a room that is not dark."""
        world = bpy.data.worlds.new("room")
        world.use_nodes = True
        world.node_tree.nodes["Background"].inputs["Color"].default_value = (1.0, 0.95, 0.88, 1)
        world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.45
        self.scene.world = world
        for x, y, power, size in ((-3.0, 3.0, 900.0, 5.0), (5.0, 7.0, 500.0, 3.0)):
            lamp = bpy.data.lights.new("lamp", "AREA")
            lamp.energy, lamp.size, lamp.color = power, size, (1.0, 0.93, 0.82)
            thing = bpy.data.objects.new("lamp", lamp)
            thing.location = (x, y, 13.0)
            aim = Vector((0.0, 3.0, 0.0)) - Vector(thing.location)
            thing.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()
            self.scene.collection.objects.link(thing)

    def material(
        self, name: str, *, colour: Point = (0.5, 0.5, 0.5), rough: float = 0.5, image: str | None = None
    ) -> Any:
        """Return a material, made once."""
        if name not in self.materials:
            made = bpy.data.materials.new(name)
            made.use_nodes = True
            node = made.node_tree.nodes["Principled BSDF"]
            node.inputs["Base Color"].default_value = (*colour, 1)
            node.inputs["Roughness"].default_value = rough
            if image is not None:
                texture = made.node_tree.nodes.new("ShaderNodeTexImage")
                texture.image = bpy.data.images.load(str(self.textures / image), check_existing=True)
                texture.extension = "EXTEND"
                made.node_tree.links.new(texture.outputs["Color"], node.inputs["Base Color"])
            self.materials[name] = made
        return self.materials[name]

    def add(self, name: str, mesh: Any, *, at: Point = (0, 0, 0)) -> Any:
        """Put a mesh into the scene, at a place in millimetres."""
        thing = bpy.data.objects.new(name, mesh)
        thing.location = Vector(at) * S
        self.scene.collection.objects.link(thing)
        return thing

    # what never moves

    def furnish(self) -> None:
        """Build felt, rail, rack, shoe and discard rack."""
        x0, y0, x1, y1 = self.plan["felt_mm"]
        felt = flat_mesh([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], uv=[(0, 1), (1, 1), (1, 0), (0, 0)])
        felt.materials.append(self.material("felt", rough=0.95, image="felt.png"))
        self.add("felt", felt)
        self.rail()
        wood = self.material("wood", colour=(0.10, 0.05, 0.02), rough=0.35)
        dark = self.material("dark", colour=(0.015, 0.015, 0.018), rough=0.3)
        self.box((-900, -420, 900, -196), (-8.0, 6.0), wood)
        rx0, ry0, rx1, ry1 = self.plan["rack_mm"]
        self.box(
            (rx0 - 8, ry0 - 6, rx1 + 8, ry1), (0.0, 4.0), self.material("metal", colour=(0.4, 0.4, 0.42), rough=0.3)
        )
        for index, colour in enumerate(self.plan["tubes"]):
            x = (index - (len(self.plan["tubes"]) - 1) / 2) * self.plan["tube_step_mm"]
            for n in range(36 - index):
                thing = self.add("cheque", self.chip_mesh(colour), at=(x, ry1 - 6 - n * CHIP_H, 7.0 + 14.0))
                thing.rotation_euler = (math.pi / 2, (n * 37 % 20) * 0.1, 0.0)
        sx0, sy0, sx1, sy1 = self.plan["shoe_mm"]
        self.box((sx0, sy0, sx1 - 30, sy1), (0.0, 82.0), dark)
        self.box((sx1 - 30, sy0, sx1, sy1), (0.0, 30.0), dark)
        dx0, dy0, dx1, dy1 = self.plan["discard_mm"]
        self.box((dx0, dy0, dx1, dy1), (0.0, 3.0), dark)
        self.box((dx0, dy0, dx0 + 4, dy1), (0.0, 40.0), dark)
        self.box((dx1 - 4, dy0, dx1, dy1), (0.0, 40.0), dark)
        if self.plan["finder_mm"]:
            self.box(self.plan["finder_mm"], (0.0, 7.0), dark)

    def rail(self) -> None:
        """Build the padded rail along the players' side."""
        radius, centre = self.plan["edge_radius_mm"], self.plan["arc_centre_y"]
        made, rings = bmesh.new(), []
        for low, high in ((0, -6), (6, 14), (40, 26), (90, 24), (140, 4)):
            ring = []
            for i in range(97):
                a = math.radians(-48 + i)
                ring.append(
                    made.verts.new(
                        (S * (radius + low) * math.sin(a), S * (centre + (radius + low) * math.cos(a)), S * high)
                    )
                )
            rings.append(ring)
        for near, far in pairwise(rings):
            for i in range(96):
                made.faces.new((near[i], near[i + 1], far[i + 1], far[i]))
        mesh = finished(made, "rail")
        mesh.materials.append(self.material("leather", colour=(0.02, 0.015, 0.012), rough=0.4))
        self.add("rail", mesh)

    def box(self, corners: Point, z: tuple[float, float], material: Any) -> Any:
        """Put a box on the felt: x0, y0, x1, y1, and from which height to which."""
        x0, y0, x1, y1 = corners
        made = bmesh.new()
        bmesh.ops.create_cube(made, size=1.0)
        bmesh.ops.scale(made, vec=(S * (x1 - x0), S * (y1 - y0), S * (z[1] - z[0])), verts=made.verts)
        mesh = finished(made, "box", smooth=False)
        mesh.materials.append(material)
        return self.add("box", mesh, at=((x0 + x1) / 2, (y0 + y1) / 2, (z[0] + z[1]) / 2))

    # what moves

    def chip_mesh(self, colour: str) -> Any:
        """Return a cheque of a colour, made once."""
        if colour not in self.meshes:
            mesh = chip_mesh()
            mesh.materials.append(self.material(f"rim-{colour}", rough=0.45, image=f"rim-{colour}.png"))
            mesh.materials.append(self.material(f"top-{colour}", rough=0.45, image=f"top-{colour}.png"))
            self.meshes[colour] = mesh
        return self.meshes[colour]

    def card_objects(self, name: str, code: str) -> Any:
        """Make a card: its face and its back, turned together."""
        front = card_mesh(f"front-{code}")
        front.materials.append(self.material(f"card-{code}", rough=0.35, image=f"card-{code}.png"))
        back = card_mesh("back")
        back.materials.append(self.material("card-back", rough=0.35, image="card-back.png"))
        pivot = bpy.data.objects.new(name, None)
        self.scene.collection.objects.link(pivot)
        for mesh, z, turned in ((front, 0.15, 0.0), (back, -0.15, math.pi)):
            thing = self.add(name, mesh, at=(0, 0, z))
            thing.rotation_euler = (0, turned, 0)
            thing.parent = pivot
        return pivot

    def pile_objects(self, name: str, stack: Sequence[str]) -> Any:
        """Make a pile of cheques, none quite upon the other."""
        pivot = bpy.data.objects.new(name, None)
        self.scene.collection.objects.link(pivot)
        for i, colour in enumerate(stack):
            wobble = math.sin(i * 12.9898 + len(name) * 78.233) * 43758.5453
            off = (wobble % 1.0 - 0.5, (wobble * 7.13) % 1.0 - 0.5)
            thing = self.add(name, self.chip_mesh(colour), at=(off[0] * 1.4, off[1] * 1.4, i * CHIP_H))
            thing.rotation_euler = (0, 0, wobble % 6.28)
            thing.parent = pivot
        return pivot

    def thing_object(self, one: Any) -> Any:
        """Return what a thing of the plan is in the scene, made once."""
        if one["key"] not in self.objects:
            if one["kind"] == "chips":
                made = self.pile_objects(one["key"], one["stack"])
            elif one["kind"] in ("card", "cut_card"):
                made = self.card_objects(one["key"], one["card"] or "back")
            else:
                message = f"expected cards and cheques, found {one['kind']!r}"
                raise SystemExit(message)
            self.objects[one["key"]] = made
        return self.objects[one["key"]]

    def arm_object(self, one: Any) -> Any:
        """Return an arm in a grip, made once."""
        name = f"{one['key']}.{one['grip']}"
        if name not in self.objects:
            pivot = bpy.data.objects.new(name, None)
            self.scene.collection.objects.link(pivot)
            skin = self.material(f"skin-{one['key']}", colour=SKINS[sum(map(ord, one["key"])) % len(SKINS)], rough=0.5)
            cloth = SLEEVES["dealer" if one["dealer"] else one["key"]]
            sleeve = self.material(f"sleeve-{one['key']}", colour=cloth, rough=0.9)
            for rows, material in zip(
                arm_rows(self.plan["hands"][one["grip"]], dealer=one["dealer"]), (skin, sleeve), strict=True
            ):
                mesh = cones_mesh(rows, mirrored=one["mirrored"])
                mesh.materials.append(material)
                part = self.add(name, mesh)
                part.parent = pivot
                melt = part.modifiers.new("melt", "REMESH")
                melt.mode, melt.voxel_size, melt.use_smooth_shade = "VOXEL", 0.035, True
                part.modifiers.new("smooth", "SMOOTH").iterations = 4
            self.objects[name] = pivot
        return self.objects[name]

    def pose(self, shot: Any) -> None:
        """Put everything where it is in that picture."""
        seen = set()
        for one in shot["things"]:
            thing = self.thing_object(one)
            seen.add(one["key"])
            turn = one["turn"]
            flipped = one["up"] != (turn >= 0.5)
            lying = one["kind"] in ("card", "cut_card")
            about = math.pi * turn + (0.0 if flipped else math.pi)
            rise = 0.4 + CARD_W / 2 * abs(math.sin(math.pi * turn)) if lying else 0.0
            thing.location = (S * one["x"], S * one["y"], S * (one["z"] + rise))
            tilt = Matrix.Rotation(about, 3, "Y") if lying else Matrix.Identity(3)
            thing.rotation_euler = (Matrix.Rotation(math.radians(one["angle"]), 3, "Z") @ tilt).to_euler()
        for one in shot["arms"]:
            arm = self.arm_object(one)
            seen.add(f"{one['key']}.{one['grip']}")
            x, y, z = one["tip"]
            towards = math.atan2(y - one["anchor"][1], x - one["anchor"][0])
            arm.location = (S * x, S * y, S * z)
            arm.rotation_euler = (0, 0, towards)
        for key, thing in self.objects.items():
            if key not in seen:
                thing.location = AWAY

    def trace(self, goal: Path, changed: Sequence[int] | None) -> None:
        """Trace the changed part of the picture (all of it if None) to the file, whole or not at all."""
        render = self.scene.render
        width, height = self.plan["size"]
        render.use_border = render.use_crop_to_border = changed is not None
        if changed is not None:
            x0, y0, x1, y1 = changed
            render.border_min_x, render.border_max_x = x0 / width, x1 / width
            render.border_min_y, render.border_max_y = 1 - y1 / height, 1 - y0 / height
        part = goal.with_name(f".{goal.name}")
        render.filepath = str(part)
        bpy.ops.render.render(write_still=True)
        part.replace(goal)


if __name__ == "__main__":
    main()
