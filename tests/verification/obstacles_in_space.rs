//! A stiff block meets rigid obstacles of every shape in space.
//!
//! Reference: for ν = 0 a block in space that meets a cylinder, a bore, a box or a half-space along z is the block in the plane that meets
//! a circle, a hole, a rectangle or a half-plane. A flat face is the same face as the border of a half-space, a side of a box, a facet of a mesh
//! file, or part of a closed surface, whichever way that is oriented. A scene turned as a whole is the same scene.
//!
//! Goal: every shape works from the case file on, moving and turning; axes of rotations and of spins are those that are asked for.
//!
//! ```text
//!      +------+  | 2 m/s        block 0.2 m x 0.1 m (x 0.05 m along z), 6 x 3 (x 1) cells, centred at the origin
//!      |      |  v
//!      +------+
//!      .-""""-.                 obstacles some 1 mm below it
//! ```
//!
//! Parameters: E = 1e9 Pa, ν = 0 or 0.3, ρ = 1000 kg/m³, μ = 0.4, h = 5e-6 s, solved to 1e-12.
//! Tolerances: 1e-8 of the largest value of each column: other frames and other sums; the solver's 1e-12, over hundreds of steps.

use nalgebra::{Rotation3, Unit, Vector3};
use verification::{Run, distance, largest, load_text, run, show};

const PLANE: &str = r#"(
    title: "A block meets an obstacle",
    kinematics: SmallStrain,
    materials: [(name: "hard", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.0))],
    bodies: [(
        name: "block",
        mesh: Rectangle(corner: (-0.1, -0.05), size: (0.2, 0.1), cells: (6, 3)),
        material: "hard",
        section: PlaneStrain(thickness: 0.05),
        velocity: (0.3, -2.0),
    )],
    obstacles: [(name: "it", shape: HalfPlane(point: (0.0, -0.051), normal: (0.0, 1.0)))],
    contacts: [(
        name: "touch",
        candidates: (body: "block", group: "bottom"),
        antagonists: Obstacle("it"),
        law: SignoriniCoulomb(friction: 0.4),
    )],
    integrator: ModifiedTheta(theta: 0.55),
    step: 5e-6,
    duration: 2e-3,
    solver: Nlgs(tolerance: 1e-12),
    probes: [(name: "block", at: Body("block"))],
)"#;

/// The same in space, its bottom at z = 0.
const SPACE: [&str; 4] = [
    "dimension=3",
    "bodies.block.mesh=Box(corner: (-0.1, -0.05, 0.0), size: (0.2, 0.1, 0.05), cells: (6, 3, 1))",
    "bodies.block.section=Solid",
    "bodies.block.velocity=(0.3, -2.0, 0.0)",
];

fn meet(base: &[&str], shape: &str, more: &[&str]) -> Run {
    let shaped = format!("obstacles.it.shape={shape}");
    let run = run(&load_text(PLANE, &[base, &[shaped.as_str()], more].concat()));
    let v = &run.summary.verdict;
    assert!(v.max_active > 0, "{shape}: never touched");
    assert!(v.law_error <= 1e-12 + 1e-12 && v.flagged + v.cuts == 0 && v.energy_residual <= 1e-11, "{shape}: {v:?}");
    run
}

/// Largest difference of two runs, relative to the largest value of each column.
fn apart(a: &Run, b: &Run, columns: &[&str]) -> f64 {
    let of = |c: &&str| distance(&a.column(c), &b.column(c)) / largest(&a.column(c)).max(f64::MIN_POSITIVE);
    columns.iter().map(of).fold(0.0, f64::max)
}

const COLUMNS: [&str; 8] = [
    "block.ux",
    "block.uy",
    "block.vx",
    "block.vy",
    "touch.force_x",
    "touch.force_y",
    "kinetic_energy",
    "friction_dissipation",
];

#[test]
fn shapes_along_z_are_those_of_the_plane() {
    let still: &[&str] = &[];
    let turning: &[&str] = &["obstacles.it.spin=Ramp(end: 1e-3, to: 8.0)", "obstacles.it.velocity=(x: -0.2, y: 0.5)"];
    for (flat, solid, motion, pivot) in [
        (
            "HalfPlane(point: (0, -0.051), normal: (0, 1))",
            "HalfSpace(point: (0, -0.051, 0), normal: (0, 1, 0))",
            still,
            "0, 0",
        ),
        (
            "Circle(centre: (0.02, -0.341), radius: 0.29)",
            "Cylinder(centre: (0.02, -0.341, 0.025), axis: (0, 0, 2), radius: 0.29, length: 1)",
            turning,
            "0.02, -0.341",
        ),
        (
            "Hole(centre: (0.005, 0.178), radius: 0.2525)",
            "Bore(point: (0.005, 0.178, 7), axis: (0, 0, -1), radius: 0.2525)",
            turning,
            "0.005, 0.178",
        ),
        (
            "Box(centre: (0, -0.155), size: (1, 0.2), rotation: 1)",
            "Box(centre: (0, -0.155, 0), size: (1, 0.2, 3), rotation: 1)",
            turning,
            "0, -0.155",
        ),
        (
            "Circle(centre: (0, -0.341), radius: 0.29)",
            "Cylinder(centre: (0, -0.341, 9), axis: (0, 0, 1), radius: 0.29, length: 20)",
            still,
            "0, 0",
        ),
    ] {
        let pivots = [format!("obstacles.it.pivot=({pivot})"), format!("obstacles.it.pivot=({pivot}, 3)")];
        let plane = meet(&[], flat, &[motion, &[&pivots[0]]].concat());
        let space = meet(&SPACE, solid, &[motion, &[&pivots[1]]].concat());
        let off = apart(&plane, &space, &COLUMNS);
        let aside = space.largest("block.vz") / 2.0;
        show(&format!(
            "{flat} and {solid}: {off:.1e} apart, aside {aside:.1e}, up to {} contacts",
            space.summary.verdict.max_active
        ));
        assert!(off < 1e-8 && aside < 1e-10, "{flat}: {off:e} {aside:e}");
    }
}

/// A unit cube in a file: its facets turned outwards, or all inwards; the face y = −0.051 also by itself.
fn cube(outwards: bool) -> String {
    let mut text = String::from(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"skin\"\n2 2 \"lid\"\n$EndPhysicalNames\n$Nodes\n8\n",
    );
    for k in 0..8_u32 {
        let at = |bit: u32, low: f64| low + f64::from((k >> bit) & 1);
        text += &format!("{} {:?} {:?} {:?}\n", k + 1, at(0, -0.5), at(1, -1.051), at(2, -0.5));
    }
    // Corners by the bits x, y, z; seen from outside counter-clockwise.
    let faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
    text += "$EndNodes\n$Elements\n7\n";
    let lid = faces[3];
    for (i, face) in faces.into_iter().chain([lid]).enumerate() {
        let mut face = face;
        if !outwards {
            face.reverse();
        }
        let group = if i < 6 { 1 } else { 2 };
        text += &format!("{} 3 2 {group} 1 {} {} {} {}\n", i + 1, face[0], face[1], face[2], face[3]);
    }
    text + "$EndElements\n"
}

#[test]
fn a_flat_face_is_the_same_however_it_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, outwards: bool| {
        let path = folder.path().join(name);
        std::fs::write(&path, cube(outwards)).unwrap();
        path.display().to_string()
    };
    let (out, inwards) = (file("out.msh", true), file("in.msh", false));
    let mesh =
        |file: &str, group: &str, solid: &str| format!("Mesh(file: \"{file}\", group: \"{group}\", solid: {solid})");
    let more =
        ["materials.hard.law.poisson=0.3", "bodies.block.velocity=(0.3, -2.0, 0.2)", "obstacles.it.velocity=(y: 0.5)"];
    let base = [&SPACE[..3], &more].concat();
    let reference = meet(&base, "HalfSpace(point: (0, -0.051, 0), normal: (0, 3, 0))", &[]);
    for shape in [
        "Box(centre: (0, -0.551, 0), size: (1, 1, 1))".to_owned(),
        mesh(&out, "skin", "Inside"),
        mesh(&inwards, "skin", "Inside"),
        mesh(&out, "skin", "Behind"),
        mesh(&inwards, "skin", "Before"),
        mesh(&out, "lid", "Behind"),
        mesh(&inwards, "lid", "Before"),
    ] {
        let run = meet(&base, &shape, &[]);
        let off = apart(&reference, &run, &[&COLUMNS[..], &["block.vz", "touch.force_z"]].concat());
        show(&format!("{}: {off:.1e} from the half-space", shape.replace(&folder.path().display().to_string(), "")));
        assert!(off < 1e-8, "{shape}: {off:e}");
    }
    // Bodies inside a closed surface: the lid from the other side.
    let below = [
        &base[..4],
        &[
            "bodies.block.translation=(0, -0.1025, 0)",
            "bodies.block.velocity=(0.3, 2.0, 0.2)",
            "contacts.touch.candidates.group=\"top\"",
            base[5],
        ],
    ]
    .concat();
    let reference = meet(&below, "HalfSpace(point: (0, -0.051, 0), normal: (0, -1, 0))", &[]);
    let run = meet(&below, &mesh(&out, "skin", "Outside"), &[]);
    let off = apart(&reference, &run, &COLUMNS);
    show(&format!("inside a closed surface: {off:.1e} from the half-space"));
    assert!(off < 1e-8, "{off:e}");
}

#[test]
fn spheres_and_cavities() {
    // A ball so large that it is flat under the block, from either side: sagitta 0.1²/(2R) = 5e-9 m.
    let base = [&SPACE[..], &["materials.hard.law.poisson=0.3"]].concat();
    let flat = meet(&base, "HalfSpace(point: (0, -0.051, 0), normal: (0, 1, 0))", &[]);
    for shape in
        ["Sphere(centre: (0, -1000000.051, 0), radius: 1e6)", "Cavity(centre: (0, 999999.949, 0), radius: 1e6)"]
    {
        let run = meet(&base, shape, &[]);
        let off = apart(&flat, &run, &["block.uy", "block.vy"]);
        show(&format!("{shape}: {off:.1e} from the half-space"));
        // Coordinates of 1e6 m are rounded to 1e-10 m, a part 1e-7 of the 1 mm that the block falls.
        assert!(off < 1e-4, "{shape}: {off:e}");
    }
    // A small ball under the middle, between the nodes, pushes straight up: by symmetry.
    let run = meet(
        &base,
        "Sphere(centre: (0, -0.071, 0.025), radius: 0.02)",
        &["bodies.block.velocity=(0, -2, 0)", "contacts.touch.points=OnFacets(3)", "contacts.touch.law=Frictionless"],
    );
    let aside = run.largest("block.vx").max(run.largest("block.vz")) / 2.0;
    show(&format!("a small ball under the middle: aside {aside:.1e}, ends with {:+.3} m/s", run.last("block.vy")));
    assert!(aside < 1e-9 && run.last("block.vy") > -1.9, "{aside:e}");
}

/// A vector as a case writes it.
fn written(v: Vector3<f64>) -> String {
    format!("({:?}, {:?}, {:?})", v.x, v.y, v.z)
}

#[test]
fn a_scene_turned_as_a_whole_is_the_same_scene() {
    let degrees: f64 = 53.0;
    let v = Vector3::new;
    let shapes = |turn: &dyn Fn(Vector3<f64>) -> Vector3<f64>, box_turn: &str| {
        [
            format!(
                "HalfSpace(point: {}, normal: {})",
                written(turn(v(0.0, -0.051, 0.0))),
                written(turn(v(0.0, 1.0, 0.0)))
            ),
            format!(
                "Cylinder(centre: {}, axis: {}, radius: 0.29, length: 1)",
                written(turn(v(0.02, -0.341, 0.0))),
                written(turn(v(0.0, 0.0, 1.0)))
            ),
            format!("Box(centre: {}, size: (1, 0.2, 3){box_turn})", written(turn(v(0.0, -0.151, 0.0)))),
        ]
    };
    let upright = shapes(&|x| x, "");
    for axis in [v(1.0, 0.0, 0.0), v(0.0, -2.0, 0.0), v(0.0, 0.0, 1.0), v(1.0, 2.0, -3.0)] {
        let rotation = Rotation3::from_axis_angle(&Unit::new_normalize(axis), degrees.to_radians());
        let turn = |x: Vector3<f64>| rotation * x;
        let box_turn = format!(", rotation: {degrees:?}, rotation_axis: {}", written(axis));
        let turned = shapes(&turn, &box_turn);
        let (speed, pivot) = (v(0.3, -2.0, 0.1), v(0.02, -0.341, 0.0));
        let spin = ["obstacles.it.spin=8.0", "materials.hard.law.poisson=0.3"];
        let (mut off, mut moved): (f64, f64) = (0.0, 0.0);
        for (a, b) in upright.iter().zip(&turned) {
            // The spin of the obstacle about z, and of the block about an axis across.
            let scene = |shape: &str, m: &dyn Fn(Vector3<f64>) -> Vector3<f64>, body: &[&str]| {
                let set = [
                    format!("bodies.block.velocity={}", written(m(speed))),
                    format!("obstacles.it.pivot={}", written(m(pivot))),
                    format!("obstacles.it.spin_axis={}", written(m(v(0.0, 0.0, 2.0)))),
                    format!("bodies.block.spin_axis={}", written(m(v(0.0, 3.0, 1.0)))),
                    "bodies.block.spin=1.5".to_owned(),
                ];
                let set: Vec<&str> = set.iter().map(String::as_str).chain(spin).chain(body.iter().copied()).collect();
                meet(&SPACE[..3], shape, &set)
            };
            let first = scene(a, &|x| x, &[]);
            let body =
                [format!("bodies.block.rotation={degrees:?}"), format!("bodies.block.rotation_axis={}", written(axis))];
            let second = scene(b, &turn, &[&body[0], &body[1]]);
            off = off.max(apart(&first, &second, &["kinetic_energy", "elastic_energy", "friction_dissipation"]));
            let velocities = |r: &Run| ["block.vx", "block.vy", "block.vz"].map(|c| r.column(c));
            let ([ax, ay, az], [bx, by, bz]) = (velocities(&first), velocities(&second));
            for i in 0..ax.len() {
                moved = moved.max((turn(v(ax[i], ay[i], az[i])) - v(bx[i], by[i], bz[i])).norm() / 2.0);
            }
        }
        show(&format!("turned about {}: energies {off:.1e}, velocities {moved:.1e} apart", written(axis)));
        assert!(off < 1e-7 && moved < 1e-8, "{axis}: {off:e} {moved:e}");
    }
}

/// A free body keeps its spin about any axis, without stress: ω × r is a rigid velocity in linear kinematics.
#[test]
fn a_free_spin_is_kept() {
    for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, -2.0, 2.0]] {
        let set = [format!("bodies.block.spin_axis=({:?}, {:?}, {:?})", axis[0], axis[1], axis[2])];
        let base = [
            "obstacles=[]",
            "contacts=[]",
            "bodies.block.velocity=(0, 0, 0)",
            "bodies.block.spin=0.5",
            "materials.hard.law.poisson=0.3",
        ];
        let run = run(&load_text(PLANE, &[&SPACE[..3], &base, &[&set[0]]].concat()));
        let kinetic = run.column("kinetic_energy");
        // ½ ω·I ω of a box, lumped masses at its nodes: Σ m |ω × r|²/2.
        let model = load_text(PLANE, &[&SPACE[..3], &base, &[&set[0]]].concat()).model::<3>().unwrap();
        let body = model.bodies[0].body.finite_elements().unwrap();
        let omega = Vector3::from(axis).normalize() * 0.5;
        let centre = Vector3::new(0.0, 0.0, 0.025);
        let exact: f64 = body
            .mesh()
            .points
            .iter()
            .zip(body.node_masses())
            .map(|(x, m)| 0.5 * m * omega.cross(&(Vector3::from(*x) - centre)).norm_squared())
            .sum();
        let drift = kinetic.iter().map(|k| (k / exact - 1.0).abs()).fold(0.0, f64::max);
        // Energy of rounding: that of the terms E L u² that cancel in it, for the displacements u of the rotation.
        let turned = 0.5 * 2e-3 * 0.1;
        let elastic = run.largest("elastic_energy") / (1e9 * 0.2 * turned * turned);
        show(&format!("free spin about {axis:?}: kinetic energy {drift:.1e}, elastic {elastic:.1e}"));
        assert!(drift < 1e-12 && elastic < 1e-15, "{axis:?}: {drift:e} {elastic:e}");
        assert!(["x", "y", "z"].iter().all(|c| run.largest(&format!("momentum_{c}")) < 1e-14), "{axis:?}");
    }
}
