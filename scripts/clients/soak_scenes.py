"""Random cases for the soak: valid, and as extreme as they come.

`scene(dice)` gives a `Scene`: the case as a JSON object (docs/case-format.md), and what the checks must know of it that is not in
the results: masses, heights of floors, whether momentum is kept. Numbers are chosen by their ratios: moduli over 15 decades and sizes from a nanometre
to a kilometre set the speed of waves; steps, speeds, weights and the strength of bonds are then drawn over decades around what these give. So most cases can be computed,
and what is refused is refused for a reason.
"""

import math
import random
from dataclasses import dataclass, field

from support import ROOT

MESHES = ROOT / "crates/delassus-mesh/tests/data"


class Dice(random.Random):
    """What the generator asks for."""

    def decades(self, low, high):
        """Between two positive numbers, each decade as likely as another."""
        return 10 ** self.uniform(math.log10(low), math.log10(high))

    def pick(self, *options):
        return self.choice(options)

    def often(self, probability):
        return self.random() < probability

    def sign(self):
        return self.choice((-1.0, 1.0))


@dataclass
class Scene:
    """A case, and what is known of it beforehand."""

    kind: str
    case: dict
    steps: int
    # Bodies, copies counted, in the order of the case: (density, thickness).
    bodies: list = field(default_factory=list)
    # Is every force between the bodies alone?
    momentum_is_kept: bool = False
    # (body, height, facet): flat ground that does not move, under a body that may touch it with all its lower side, and its largest facet there.
    floors: list = field(default_factory=list)
    # Axis of the heights.
    up: int = 1


class World:
    """Scales that all of a case is measured by."""

    def __init__(self, dice, dimension):
        self.dice, self.dimension = dice, dimension
        self.size = dice.decades(1e-9, 1e3) if dice.often(0.8) else 1.0
        self.density = dice.decades(1e-2, 1e6) if dice.often(0.5) else 1e3
        self.young = dice.decades(1.0, 1e15)
        self.wave = math.sqrt(self.young / self.density)
        self.time = self.size / self.wave
        # One in five goes beyond all sense: faster than waves, crushed by its own weight.
        self.is_wild = dice.often(0.2)
        self.speed = self.wave * (dice.decades(1e-14, 1e2) if self.is_wild else dice.decades(1e-8, 1e-1))
        # What its own weight does to a body: a strain of 1e-9 up to one of 0.1, or the Earth's, whatever that does.
        strain = dice.decades(1e-14, 1e3) if self.is_wild else dice.decades(1e-9, 1e-1)
        self.gravity = strain * self.young / (self.density * self.size) if dice.often(0.8) else 9.81

    def vector(self, **components):
        return [components.get(axis, 0.0) for axis in "xyz"[: self.dimension]]

    def material(self, name):
        dice = self.dice
        poisson = dice.pick(0.0, 0.2, 0.3, 0.45, 0.49, 0.4999, 0.499999, -0.5, 0.49999999 if self.is_wild else 0.3)
        moduli = {"young": self.young * (dice.decades(1e-6, 1e6) if dice.often(0.15) else 1.0), "poisson": poisson}
        if dice.often(0.1):
            shear = moduli["young"] / (2 * (1 + poisson))
            moduli = {"mu": shear, "lambda": 2 * shear * poisson / (1 - 2 * poisson)}
        viscosity = self.young * self.time * dice.decades(1e-6, 1e3)
        law = dice.pick("KelvinVoigt", "KelvinVoigt", "KelvinVoigt", "Maxwell", "GeneralizedMaxwell")
        if law == "KelvinVoigt":
            if dice.often(0.4):
                moduli["shear_viscosity"] = viscosity
            if dice.often(0.2):
                moduli["bulk_viscosity"] = viscosity * dice.decades(1e-2, 1e2)
        else:
            moduli["integration"] = dice.pick("Exact", "BackwardEuler")
        if law == "Maxwell" and dice.often(0.7):
            moduli["viscosity"] = viscosity
        if law == "GeneralizedMaxwell":
            n = dice.randint(1, 4)
            moduli["terms"] = [{"share": dice.uniform(0.05, 1.0) / n, "time": self.time * dice.decades(1e-4, 1e4)} for _ in range(n)]
        density = self.density * (dice.decades(1e-3, 1e3) if dice.often(0.15) else 1.0)
        return {"name": name, "density": density, "law": {law: moduli}}

    def scheme(self):
        dice = self.dice
        theta = dice.pick(0.5, 0.5, 0.55, 0.7, 1.0)
        name = dice.pick("Theta", "ModifiedTheta", "ThetaEuler", "ThetaEuler", "Newmark", "Explicit")
        if name == "Newmark":
            gamma = dice.pick(0.5, 0.6, 1.0)
            return {"Newmark": {"gamma": gamma, "beta": dice.pick(0.5 * gamma, 0.5 * gamma, 0.5 * (gamma + 1.0))}}
        if name == "Explicit":
            masses = dice.pick("Real", {"Fictitious": {"safety": dice.uniform(0.2, 0.9)}})
            return {"Explicit": {"masses": masses, "damping": dice.pick(0.0, 0.0, 0.8)}}
        return {name: {"theta": theta}}

    def friction(self):
        dice = self.dice
        return dice.pick(0.0, 0.1, 0.3, 0.6, 1.0, 10.0, dice.decades(1e-4, 10.0))

    def law(self):
        """A contact law with numbers that fit the bodies."""
        dice = self.dice
        mu = self.friction()
        strength = self.young * dice.decades(1e-8, 1e-2)
        stiffness = self.young / self.size * dice.decades(1e-3, 1e3)
        energy = strength**2 / (2 * stiffness) * (1 + dice.decades(1e-3, 1e3))
        name = dice.pick("Frictionless", "SignoriniCoulomb", "SignoriniCoulomb", "SignoriniCoulomb", "StaticDynamic", "RateAndState", "Restitution",
                         "Compliant", "Tied", "Cohesive", "MohrCoulomb", "Adhesive", "BilinearCohesive", "SmoothFriction", "ElasticShear")
        glue = dice.pick("Never", "Never", "OnContact", "UnderPressure")
        keys = {
            "Frictionless": lambda: None,
            "SignoriniCoulomb": lambda: {"friction": mu},
            "StaticDynamic": lambda: {"static_friction": mu * dice.pick(1.0, 1.5, 3.0), "dynamic_friction": mu,
                                      "velocity": dice.pick(None, self.speed * dice.decades(1e-3, 1e3))},
            "RateAndState": lambda: {"reference_friction": max(mu, 1e-3), "direct_effect": dice.decades(1e-3, 1e-1), "evolution_effect": dice.decades(1e-3, 1e-1),
                                     "reference_velocity": self.speed * dice.decades(1e-3, 1e3), "slip_distance": self.size * dice.decades(1e-6, 1e-1),
                                     "evolution": dice.pick("Ageing", "Slip")},
            "Restitution": lambda: {"normal": dice.pick(0.0, 0.5, 1.0), "tangential": dice.pick(0.0, -0.5, 1.0), "friction": mu},
            "Compliant": lambda: {"stiffness": dice.pick(None, stiffness), "damping": dice.pick(None, stiffness * self.time), "friction": mu},
            "SmoothFriction": lambda: {"friction": mu, "curve": [{"speed": self.speed * dice.decades(1e-3, 1e-1), "added": dice.pick(0.3 * mu, -0.3 * mu)},
                                                                 {"speed": self.speed * dice.decades(1.0, 1e2), "added": dice.pick(0.5, -0.5 * mu)}]},
            "ElasticShear": lambda: {"shear_stiffness": stiffness, "normal_stiffness": dice.pick(None, stiffness), "friction": mu},
            "Tied": lambda: {"release": dice.pick("Never", "InTension")},
            "Cohesive": lambda: {"cohesion": strength, "glue": glue},
            "MohrCoulomb": lambda: {"cohesion": strength, "internal_friction": dice.pick(0.1, 0.6, 2.0), "friction": mu, "glue": glue},
            "Adhesive": lambda: {"normal_stiffness": stiffness, "tangential_stiffness": stiffness * dice.pick(1.0, 0.01, 100.0), "energy": energy,
                                 "viscosity": dice.pick(0.0, energy * self.time), "friction": mu, "friction_acts": dice.pick("WithAdhesion", "AfterAdhesion")},
            "BilinearCohesive": lambda: {"strength": strength, "stiffness": stiffness, "energy": energy, "friction": mu},
        }[name]()
        if keys is None:
            return name
        return {name: {k: v for k, v in keys.items() if v is not None}}

    def factor(self, duration):
        dice = self.dice
        return dice.pick(1.0, 1.0, {"Ramp": {"end": 0.5 * duration, "to": 1.0}}, {"Sine": {"amplitude": 1.0, "frequency": 3.0 / duration}},
                         {"Table": [[0.0, 0.0], [0.3 * duration, 1.0], [0.6 * duration, -1.0]]})


class Builder:
    """A case under construction."""

    def __init__(self, dice, kind, dimension, steps=None):
        self.dice, self.world, self.kind, self.dimension = dice, World(dice, dimension), kind, dimension
        w = self.world
        self.h = w.time * (dice.decades(1e-8, 1e8) if w.is_wild else dice.decades(1e-3, 1.0) if dice.often(0.5) else dice.decades(1.0, 1e5))
        self.steps = steps or dice.pick(1, 3, 10, 25, 60, 150)
        self.case = {"title": f"soak: {kind}", "dimension": dimension, "materials": [], "bodies": [], "obstacles": [], "contacts": [], "loads": [],
                     "boundary": [], "probes": []}
        self.scheme = w.scheme()
        self.known, self.floors, self.up = [], [], 1
        self.is_free = True

    @property
    def duration(self):
        return self.h * self.steps

    def body(self, name, mesh, copies=1, is_structured=True, **keys):
        """A body of a random material and formulation."""
        dice, w = self.dice, self.world
        material = w.material(f"of {name}")
        keeps = "KelvinVoigt" not in material["law"]
        self.case["materials"].append(material)
        entry = {"name": name, "mesh": mesh, "material": material["name"], **keys}
        (shape, parameters), thickness = next(iter(mesh.items())), 1.0
        is_quad = shape in ("Rectangle", "Annulus", "Disk") and parameters.get("element", "Quad4") == "Quad4"
        is_hexahedral = shape in ("Box", "Ball", "Cylinder") and parameters.get("element", "Hexahedron8") == "Hexahedron8"
        if self.dimension == 2:
            thickness = dice.pick(1.0, w.size * dice.decades(1e-3, 1e3))
            section = "PlaneStrain" if keeps else dice.pick("PlaneStrain", "PlaneStress")
            entry["section"] = {section: {"thickness": thickness}}
            if is_quad and section == "PlaneStrain" and dice.often(0.2):
                entry["formulation"] = "BBar"
        if is_hexahedral and dice.often(0.2):
            entry["formulation"] = "BBar"
        if (is_quad or is_hexahedral) and not keeps and "formulation" not in entry and dice.often(0.2):
            entry["formulation"] = "IncompatibleModes"
        if "Explicit" not in self.scheme and dice.often(0.25):
            entry["mass"] = "Consistent"
        if dice.often(0.2):
            entry["damping"] = {"alpha": dice.decades(1e-3, 1.0) / w.time, "beta": dice.decades(1e-4, 1e1) * w.time}
        if "Maxwell" in material["law"] and "Newmark" not in self.scheme and dice.often(0.5):
            entry["kinematics"] = {"UpdatedGeometry": {"rate": dice.pick("GreenNaghdi", "Jaumann")}}
            entry.get("damping", {}).pop("beta", None)
        if copies > 1:
            entry["copies"] = {"count": copies, **entry.pop("spread")}
        if is_structured and copies == 1 and dice.often(0.1):
            # Turned about the origin: nothing lies along the axes any more, and flush is flush up to rounding.
            entry["rotation"] = dice.pick(1e-9, 90.0, 180.0, 360.0, 30.0)
            if self.dimension == 3 and dice.often(0.5):
                entry["rotation_axis"] = [1.0, 1.0, 0.0]
        self.case["bodies"].append(entry)
        lumped = is_structured and entry.get("mass", "Lumped") == "Lumped"
        self.known.extend([(material["density"], thickness, lumped)] * copies)
        return entry

    def block(self, name, corner, size, at_most=8, **keys):
        """A rectangle or box; cells may be slivers."""
        dice = self.dice
        cells = [dice.randint(1, at_most) for _ in size]
        if self.dimension == 2:
            mesh = {"Rectangle": {"corner": corner, "size": size, "cells": cells, "element": dice.pick("Quad4", "Quad4", "Triangle3")}}
        else:
            mesh = {"Box": {"corner": corner, "size": size, "cells": [min(c, 4) for c in cells],
                            "element": dice.pick("Hexahedron8", "Hexahedron8", "Tetrahedron4", "Prism6")}}
        return self.body(name, mesh, **keys)

    def extents(self):
        """Lengths of a block: often a cube, else slender by up to four decades."""
        dice, size = self.dice, self.world.size
        ratio = lambda: dice.pick(1.0, 1.0, dice.decades(0.1, 1.0), dice.decades(1e-4, 1.0))
        return [size * ratio() for _ in range(self.dimension)]

    def obstacle(self, name, shape, **keys):
        self.case["obstacles"].append({"name": name, "shape": shape, **keys})
        self.is_free = False

    def contact(self, name, candidates, antagonists, law=None, **keys):
        """A pair: candidates (body, group), antagonists the same or the name of an obstacle."""
        dice = self.dice
        law = law or self.world.law()
        entry = {"name": name, "candidates": dict(zip(("body", "group"), candidates)), "law": law}
        if isinstance(antagonists, str):
            entry["antagonists"] = {"Obstacle": antagonists}
        else:
            entry["antagonists"] = {"Surface": dict(zip(("body", "group"), antagonists))}
            if dice.often(0.1):
                entry["normals"] = "Continuous"
            if dice.often(0.1):
                entry["both"] = True
        if dice.often(0.2):
            entry["points"] = dice.pick({"OnFacets": dice.randint(1, 3)}, "Quadrature")
        if dice.often(0.1):
            entry["initial_penetration"] = self.world.size * dice.decades(1e-12, 1.0)
        entry.update(keys)
        self.case["contacts"].append(entry)

    def ground(self, body, group="bottom", height=0.0, facet=None, **keys):
        """A floor under a body, flat or as a box with the body's own edges."""
        w = self.world
        name = f"floor of {body}"
        point = [0.0] * self.dimension
        point[self.up] = height
        normal = [0.0] * self.dimension
        normal[self.up] = self.dice.pick(1.0, 1.0, 1e-3, 1e6)
        self.obstacle(name, {"HalfPlane": {"point": point, "normal": normal}})
        self.contact(f"on {name}", (body, group), name, **keys)
        if facet is not None:
            self.floors.append((body, height, facet))

    def weight(self):
        if self.dice.often(0.75):
            pull = [0.0] * self.dimension
            pull[self.up] = -self.world.gravity
            if self.dice.often(0.3):
                pull[0] = self.world.gravity * self.dice.uniform(-1, 1)
            self.case["loads"].append({"Gravity": {"acceleration": pull}})
            self.is_free = False
            return True
        return False

    def hold(self, body, group, **velocities):
        axes = "xyz"[: self.dimension]
        self.case["boundary"].append({"body": body, "group": group, **(velocities or {axis: 0.0 for axis in axes})})
        self.is_free = False

    def solver(self):
        dice = self.dice
        policy = dice.pick({"CutStep": {"halvings": dice.randint(0, 6)}}, "Stop", "AcceptAndFlag")
        tolerance = dice.pick(1e-6, 1e-8, 1e-10, 1e-12)
        if self.dimension == 2 and dice.often(0.3):
            return {"Lemke": {"tolerance": tolerance, "on_failure": policy}}
        keys = {"tolerance": tolerance, "max_iterations": dice.pick(1, 50, 5000), "on_failure": policy}
        if dice.often(0.4):
            keys["fallback"] = dice.sample(["Lemke", "Newton", "Nlgs"], dice.randint(0, 3))
        return {"Nlgs": keys}

    def scene(self):
        """The case with scheme, step, solver and output."""
        dice, case = self.dice, self.case
        if "Explicit" in self.scheme and self.scheme["Explicit"]["masses"] == "Real":
            self.h = min(self.h, 0.05 * self.world.time * dice.decades(1e-3, 1.0))
        case |= {"integrator": self.scheme, "step": self.h, "duration": self.duration}
        if dice.often(0.2) and self.dimension in (2, 3) and (case["loads"] or case["boundary"]):
            case["start"] = "Equilibrium"
        if dice.often(0.35):
            case["solver"] = self.solver()
        if dice.often(0.1):
            case["memory"] = dice.decades(1e5, 1e9)
        case["output"] = {"every": max(1, self.steps // dice.randint(1, 8))}
        for body in case["bodies"][:2]:
            if "copies" not in body:
                case["probes"].append({"name": f"probe {body['name']}", "at": {"Body": body["name"]}})
        # Damping in proportion to velocities or forces takes momentum too, and that of fictitious masses is none.
        explicit = self.scheme.get("Explicit", {"masses": "Real", "damping": 0.0})
        is_damped = any(b.get("damping", {}).get("alpha") for b in case["bodies"]) or explicit["damping"] > 0 or explicit["masses"] != "Real"
        return Scene(self.kind, case, self.steps, self.known, self.is_free and not is_damped, self.floors, self.up)


def _velocity(b, down=True):
    """Towards the ground, and along it."""
    dice, w = b.dice, b.world
    v = [dice.pick(0.0, dice.sign()) * w.speed for _ in range(b.dimension)]
    v[b.up] = -w.speed if down and dice.often(0.8) else 0.0
    return v


def _gap(b):
    """Flush, nearly so, or some way off."""
    dice, size = b.dice, b.world.size
    return dice.pick(0.0, 0.0, 0.0, size * dice.decades(1e-12, 1e-3), size * dice.decades(1e-3, 1.0))


def thrown(dice):
    """A block falls on flat ground and slides."""
    b = Builder(dice, "thrown", dice.pick(2, 2, 3))
    size, gap = b.extents(), _gap(b)
    corner = [dice.pick(0.0, -0.5 * size[0])] + [gap] + [0.0] * (b.dimension - 2)
    body = b.block("block", corner, size, velocity=_velocity(b))
    cells = next(iter(body["mesh"].values()))["cells"]
    facet = max(s / c for s, c in zip(size, cells))
    b.ground("block", group="bottom" if "rotation" not in body else "boundary", facet=facet)
    b.weight()
    return b.scene()


def round_body(dice):
    """A disk, ring, ball or cylinder meets one of every kind of obstacle."""
    b = Builder(dice, "round", dice.pick(2, 2, 3))
    w, r = b.world, b.world.size
    gap = _gap(b)
    if b.dimension == 2:
        centre = [0.0, r + gap]
        n = 2 * dice.randint(1, 4)
        mesh = dice.pick({"Disk": {"centre": centre, "radius": r, "core": [n, n], "rings": dice.randint(1, 3)}},
                         {"Annulus": {"centre": centre, "inner_radius": r * dice.pick(0.5, 0.9, 0.999), "outer_radius": r,
                                      "cells": [dice.randint(1, 3), 4 * dice.randint(2, 12)]}})
        group = "outer" if "Annulus" in mesh else "boundary"
        below = {
            "HalfPlane": {"point": [0, 0], "normal": [dice.pick(0.0, 1e-9), 1.0]},
            "Segment": {"a": [2 * r, 0.0], "b": [-2 * r, 0.0]},
            "Circle": {"centre": [0.0, -w.size], "radius": w.size},
            "Hole": {"centre": [0.0, 2 * r], "radius": 2 * r},
            "Box": {"centre": [0.0, -r], "size": [2 * r, 2 * r], "rotation": dice.pick(0.0, 180.0)},
            "Polygon": {"points": [[-r, -r], [2 * r, -r], [2 * r, 0.0], [-r, 0.0]]},
            "Container": {"points": [[-3 * r, 0.0], [3 * r, 0.0], [3 * r, 6 * r], [-3 * r, 6 * r]]},
        }
    else:
        mesh = dice.pick({"Ball": {"centre": [0.0, r + gap, 0.0], "radius": r, "core": 2 * dice.randint(1, 2), "layers": dice.randint(1, 2)}},
                         {"Cylinder": {"centre": [0.0, r + gap, 0.0], "radius": r, "length": r * dice.decades(1e-2, 1e1), "core": [2, 2], "rings": 1,
                                       "layers": dice.randint(1, 3)}})
        group = "boundary"
        below = {
            "HalfSpace": {"point": [0, 0, 0], "normal": [0, 1, 0]},
            "Sphere": {"centre": [0.0, -r, 0.0], "radius": r},
            "Cavity": {"centre": [0.0, 20 * r, 0.0], "radius": 20 * r},
            "Box": {"centre": [0.0, -r, 0.0], "size": [4 * r, 2 * r, 40 * r]},
            "Cylinder": {"centre": [0.0, -r, 0.0], "axis": [0, 0, 1], "radius": r, "length": 40 * r},
            "Bore": {"point": [0.0, 3 * r, 0.0], "axis": [0, 0, 1], "radius": 3 * r},
        }
    b.body("ball", mesh, is_structured=False, velocity=_velocity(b))
    name = dice.choice(sorted(below))
    motion = {}
    if dice.often(0.3):
        motion["velocity"] = {"y": dice.pick(w.speed, {"Sine": {"amplitude": w.speed, "frequency": 1 / b.duration}})}
    if dice.often(0.2):
        motion["spin"] = dice.sign() * w.speed / r
    b.obstacle("thing", {name: below[name]}, **motion)
    b.contact("touch", ("ball", group), "thing")
    b.weight()
    return b.scene()


def stack(dice):
    """Blocks upon blocks, edges flush or not."""
    b = Builder(dice, "stack", dice.pick(2, 2, 2, 3))
    w, n = b.world, dice.randint(2, 5)
    base = b.extents()
    y = 0.0
    for k in range(n):
        size = [e * dice.pick(1.0, 1.0, 0.5, 1.7) for e in base]
        left = dice.pick(0.0, 0.0, 0.25, 1 / 3) * base[0]
        corner = [left, y] + [0.0] * (b.dimension - 2)
        b.block(f"b{k}", corner, size, at_most=4, **({"velocity": _velocity(b, down=False)} if dice.often(0.2) else {}))
        if k:
            b.contact(f"c{k}", (f"b{k}", "bottom"), (f"b{k - 1}", "top"))
        y += size[1]
    if dice.often(0.5):
        b.ground("b0")
    else:
        b.hold("b0", "bottom")
    b.weight()
    if dice.often(0.3):
        pressure = w.young * dice.decades(1e-9, 1e-2)
        b.case["loads"].append({"Pressure": {"body": f"b{n - 1}", "group": "top", "pressure": pressure, "factor": w.factor(b.duration)}})
    return b.scene()


def collision(dice):
    """Two bodies alone in the world."""
    b = Builder(dice, "collision", dice.pick(2, 2, 3))
    w, size, gap = b.world, b.extents(), _gap(b)
    away = [0.0] * (b.dimension - 1)
    offset = [dice.pick(0.0, 0.0, 0.3, 0.999) * s for s in size[1:]]
    b.block("left", [-size[0], *away], size, velocity=[w.speed, *away])
    b.block("right", [gap, *offset], [s * dice.pick(1.0, 1.0, 0.5, 3.0) for s in size], velocity=[-w.speed * dice.pick(1.0, 0.0), *away])
    b.contact("faces", ("left", "right"), ("right", "left"))
    return b.scene()


def crowd(dice):
    """Many copies that touch each other and a floor."""
    b = Builder(dice, "crowd", dice.pick(2, 2, 2, 3), steps=dice.pick(1, 3, 10))
    w = b.world
    n = dice.pick(3, 8, 20, 60) if b.dimension == 2 else dice.pick(3, 8, 15)
    size = [w.size] * b.dimension
    gap = dice.pick(0.0, 0.0, 1e-9, 1e-3) * w.size
    spread = dice.pick(w.vector(x=w.size + gap), w.vector(y=w.size + gap))
    b.block("b", [0.0] * b.dimension, size, at_most=2, copies=n, spread={"translation": spread})
    law = w.law()
    b.contact("between", ("b", "boundary"), ("b", "boundary"), law=law)
    if dice.often(0.7):
        b.ground("b", law=law)
    b.weight()
    return b.scene()


def carpet(dice):
    """Up to thousands of contacts under one body."""
    b = Builder(dice, "carpet", dice.pick(2, 2, 3), steps=dice.pick(1, 2, 4))
    w = b.world
    if b.dimension == 2:
        n = dice.pick(50, 200, 700)
        mesh = {"Rectangle": {"corner": [0.0, 0.0], "size": [w.size * dice.decades(1.0, 1e3), w.size], "cells": [n, dice.randint(1, 2)]}}
    else:
        n = dice.pick(5, 12)
        mesh = {"Box": {"corner": [0.0] * 3, "size": [w.size] * 3, "cells": [n, 1, n]}}
    b.body("carpet", mesh, velocity=_velocity(b))
    b.ground("carpet", points=dice.pick("Nodes", "Nodes", {"OnFacets": 3}))
    b.weight()
    return b.scene()


def crack(dice):
    """A body split inside, its sides bonded or pressed, and pulled."""
    b = Builder(dice, "crack", 2)
    w = b.world
    nx, ny = 2 * dice.randint(1, 4), 2 * dice.randint(1, 3)
    lx, ly = w.size, w.size * dice.pick(1.0, 0.1, 1e-3)
    mesh = {"Rectangle": {"corner": [0.0, 0.0], "size": [lx, ly], "cells": [nx, ny], "element": dice.pick("Quad4", "Triangle3")}}
    end = dice.pick(1.0, 0.5) * lx
    b.body("plate", mesh, split=[{"name": "gap", "facets": {"Box": {"from": [0.0, 0.5 * ly], "to": [end, 0.5 * ly]}}}])
    b.contact("sides", ("plate", "gap-plus"), ("plate", "gap-minus"))
    b.hold("plate", "bottom")
    pull = w.young * dice.decades(1e-9, 1e-2) * dice.sign()
    kind = dice.pick("Pressure", "velocity", "both")
    if kind != "velocity":
        b.case["loads"].append({"Pressure": {"body": "plate", "group": "top", "pressure": pull, "factor": w.factor(b.duration)}})
    if kind != "Pressure":
        b.hold("plate", "top", y=dice.sign() * w.speed, x=dice.pick(0.0, w.speed))
    return b.scene()


def shrunk(dice):
    """A disk in a ring, with room or with an interference."""
    b = Builder(dice, "shrunk", 2)
    w, r = b.world, b.world.size
    n = dice.randint(1, 3)
    overlap = r * dice.pick(0.0, dice.decades(1e-9, 1e-2))
    b.body("disk", {"Disk": {"centre": [0, 0], "radius": r, "core": [2 * n, 2 * n], "rings": n}}, is_structured=False)
    b.body("ring", {"Annulus": {"centre": [0, 0], "inner_radius": r - overlap + dice.pick(0.0, 0.0, 1e-3 * r), "outer_radius": r * dice.pick(1.01, 2.0),
                                "cells": [n, 8 * n]}}, is_structured=False)
    b.contact("fit", ("disk", "boundary"), ("ring", "inner"), initial_penetration=2 * overlap, normals=dice.pick("Facet", "Continuous"))
    if dice.often(0.5):
        b.hold("ring", "outer")
    return b.scene()


def alone(dice):
    """Bodies that touch nothing: vibrations, spins, loads, ties."""
    b = Builder(dice, "alone", dice.pick(2, 3))
    w, size = b.world, b.extents()
    keys = {"velocity": _velocity(b)}
    turns = math.radians(dice.pick(0.0, 3.0, 90.0))
    is_tied = turns == 0.0 and "Newmark" not in b.scheme and dice.often(0.3)
    body = b.block("bar", [0.0] * b.dimension, size, **keys)
    if turns and ("kinematics" in body or turns < 0.08):
        body["spin"] = turns / b.duration
    if is_tied:
        b.case["ties"] = [{"body": "bar", "slaves": "right", "masters": "left"}]
    if dice.often(0.5):
        b.hold("bar", "left") if not is_tied else b.weight()
    if dice.often(0.5):
        force = w.vector(x=w.young * min(size) ** 2 * dice.decades(1e-9, 1e-3))
        b.case["loads"].append(dice.pick({"NodalForce": {"body": "bar", "group": "top", "force": force, "factor": w.factor(b.duration)}},
                                         {"Traction": {"body": "bar", "group": "top", "traction": w.vector(y=w.young * dice.decades(1e-9, 1e-2)),
                                                       "factor": w.factor(b.duration)}}))
        b.is_free = False
    return b.scene()


def from_gmsh(dice):
    """A body of linear or quadratic cells from a file, on flat ground."""
    b = Builder(dice, "from gmsh", dice.pick(2, 3))
    w = b.world
    w.size, w.time = 1.0, 1.0 / w.wave
    b.h = w.time * dice.decades(1e-2, 1e3)
    b.up = b.dimension - 1
    name = dice.pick("plate_t3", "plate_q4", "plate_t6", "plate_q8") if b.dimension == 2 else dice.pick("block_te4", "block_h8", "block_p6", "block_te10", "block_h20")
    lift = [0.0] * b.dimension
    lift[b.up] = _gap(b)
    mesh = str(MESHES / f"{name}.{dice.pick('v22a', 'v22b', 'v41a', 'v41b')}.msh")
    b.body("part", {"File": mesh}, is_structured=False, translation=lift, velocity=_velocity(b))
    b.ground("part", points="Quadrature" if name[-2:] in ("t6", "q8", "10", "20") else dice.pick("Nodes", "Quadrature"))
    b.weight()
    return b.scene()


def wedge(dice):
    """Voussoirs of a shell, or a quarter of a ball, pressed on the ground."""
    b = Builder(dice, "wedge", 3)
    w, r = b.world, b.world.size
    if dice.often(0.5):
        mesh = {"QuarterBall": {"centre": [0.0, r, 0.0], "radius": r, "patch": r * dice.uniform(0.05, 0.4), "cells": dice.randint(2, 3), "layers": dice.randint(1, 3)}}
        b.body("ball", mesh, is_structured=False, velocity=w.vector(y=-w.speed))
        b.ground("ball", group=dice.pick("sole", "sphere"))
        b.hold("ball", "left", x=0.0)
        b.hold("ball", "front", z=0.0)
    else:
        b.up = 2
        mesh = {"ShellBlock": {"radii": [r, r * dice.pick(1.05, 1.5)], "azimuth": [0.0, 30.0], "latitude": [dice.pick(0.0, 20.0), 50.0],
                               "cells": [1, dice.randint(1, 3), dice.randint(1, 3)]}}
        b.body("stone", mesh, is_structured=False, copies=2, spread={"rotation": 30.0})
        b.contact("joint", ("stone-1", "start"), ("stone-0", "end"))
        b.hold("stone", "bottom")
    b.weight()
    return b.scene()


SCENES = [(thrown, 4), (round_body, 4), (stack, 4), (collision, 3), (crowd, 2), (carpet, 1), (crack, 3), (shrunk, 2), (alone, 2), (from_gmsh, 2), (wedge, 1)]


def scene(dice):
    """One case."""
    makers, weights = zip(*SCENES)
    return dice.choices(makers, weights)[0](dice)
