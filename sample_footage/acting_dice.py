"""Acts with the dice cup: shaken, opened, dice touched, covered again."""

from __future__ import annotations

import math
from typing import Final

from sample_footage.acts import Act
from sample_footage.dealing import RIGHT
from sample_footage.layout import Place
from sample_footage.scene import Scene
from sample_footage.tables import CUP
from sample_footage.tracks import Thing

_IN_THE_AIR: Final = 95.0
_LID_ASIDE: Final = (104.0, -14.0)
_DIE_FROM_MIDDLE: Final = {2: 15.5, 3: 17.5}


def set_up(scene: Scene) -> None:
    """Let the covered cup stand on the table."""
    place = scene.stage.about(CUP)
    scene.dish = scene.stage.add_object("dish", place, at=0)
    scene.lid = scene.stage.add_object("lid", place, at=0)


def _cup(scene: Scene) -> tuple[Thing, Thing]:
    assert scene.dish is not None  # noqa: S101 - set up with the table
    assert scene.lid is not None  # noqa: S101
    return scene.dish, scene.lid


def shake(scene: Scene, act: Act) -> None:
    """Lift the covered cup, shake it so many times, put it down near the centre or where the script says."""
    stage, (dish, lid) = scene.stage, _cup(scene)
    if scene.dice:
        cover(scene, act)
    times, *where = act.numbers
    goal = stage.about(Place(float(where[0]), float(where[1])) if where else CUP, mm=5.0)
    stage.now += stage.pace(200)
    stage.reach(RIGHT, lid, ms=520)
    held = Place(CUP.x + 20.0, CUP.y - 10.0)
    _carry(scene, held, ms=320, rise_mm=(0.0, _IN_THE_AIR))
    for n in range(2 * times):
        side = -1.0 if n % 2 == 0 else 1.0
        swung = Place(held.x + 16.0 * side, held.y + 9.0 * side, 10.0 * side)
        _carry(scene, swung, ms=170, lift_mm=16.0 * side, rise_mm=(_IN_THE_AIR, _IN_THE_AIR))
    end = _carry(scene, goal, ms=420, rise_mm=(_IN_THE_AIR, 0.0))
    dish.shaken.append((end, times))
    stage.release(RIGHT)
    stage.now = end + stage.pace(360)


def _carry(scene: Scene, goal: Place, *, ms: float, rise_mm: tuple[float, float], lift_mm: float = 0.0) -> int:
    """Carry dish and lid together, the lid over the dish."""
    stage, (dish, lid) = scene.stage, _cup(scene)
    start = stage.arms[RIGHT].free_ms
    end = stage.carry(RIGHT, [(lid, goal), (dish, goal)], ms=ms, lift_mm=lift_mm, rise_mm=rise_mm)
    lid.layers.append((start, stage.next_layer()))
    return end


def reveal(scene: Scene, act: Act) -> None:
    """Take the cover off and lay it beside the cup."""
    stage, (dish, lid) = scene.stage, _cup(scene)
    stage.reach(RIGHT, lid, ms=420)
    start = stage.arms[RIGHT].free_ms
    _throw(scene, act.dice, at=start)
    side = Place(dish.place.x + _LID_ASIDE[0], dish.place.y + _LID_ASIDE[1])
    end = stage.carry(RIGHT, [(lid, stage.about(side))], ms=520, lift_mm=46.0)
    stage.release(RIGHT)
    scene.shown = act.dice
    stage.now = end + stage.pace(900)


def _throw(scene: Scene, dice: tuple[tuple[int, str], ...], *, at: int) -> None:
    stage, (dish, _) = scene.stage, _cup(scene)
    off = stage.accidents.uniform
    first = off(0.0, 360.0)
    away = _DIE_FROM_MIDDLE.get(len(dice), 18.0)
    for n, die in enumerate(dice):
        turn = math.radians(first + 360.0 * n / len(dice))
        far = away + off(-1.0, 2.0)
        place = Place(dish.place.x + far * math.cos(turn), dish.place.y + far * math.sin(turn), off(-45.0, 45.0))
        scene.dice.append(stage.add_object("", place, at=at, die=die))


def tip(scene: Scene, act: Act) -> None:
    """Turn a die so that it shows another face."""
    stage, (number, face) = scene.stage, act.numbers
    old = scene.dice[number - 1]
    stage.reach(RIGHT, old, ms=480)
    at = stage.arms[RIGHT].free_ms
    colour = old.die[1] if old.die is not None else ""
    old.gone_ms = at
    scene.dice[number - 1] = stage.add_object("", old.place, at=at, die=(face, colour))
    stage.wait(RIGHT, 160, grip="pinch")
    stage.now = stage.release(RIGHT) + stage.pace(700)


def cover(scene: Scene, _act: Act) -> None:
    """Put the cover back on the cup."""
    stage, (dish, lid) = scene.stage, _cup(scene)
    stage.reach(RIGHT, lid, ms=460)
    end = stage.carry(RIGHT, [(lid, dish.place)], ms=480, lift_mm=46.0)
    stage.release(RIGHT)
    for die in scene.dice:
        die.gone_ms = end
    scene.dice.clear()
    stage.now = end + stage.pace(300)
