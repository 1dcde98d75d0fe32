//! Counts, sides and groups of split meshes, for all kinds of cells.

use crate::{CellBlock, CellKind, Group, Interface, Mesh, MeshError, generate, gmsh};

/// Areas and coordinates are of order 1.
const ROUNDING: f64 = 1e-13;

fn interface(name: &str) -> Interface {
    Interface { name: name.into(), plus: None }
}

fn rectangle(kind: CellKind) -> Mesh<2> {
    generate::rectangle([0.0, 0.0], [2.0, 1.0], [4, 4], kind, 1).unwrap()
}

fn in_plane(kind: CellKind) -> Mesh<2> {
    match kind {
        CellKind::Triangle6 => rectangle(CellKind::Triangle3).to_quadratic().unwrap(),
        CellKind::Quad8 => rectangle(CellKind::Quad4).to_quadratic().unwrap(),
        _ => rectangle(kind),
    }
}

fn in_space(kind: CellKind) -> Mesh<3> {
    let block = |kind| generate::block([0.0; 3], [2.0, 1.0, 3.0], [4, 4, 2], kind, 1).unwrap();
    match kind {
        CellKind::Tetrahedron10 => block(CellKind::Tetrahedron4).to_quadratic().unwrap(),
        CellKind::Hexahedron20 => block(CellKind::Hexahedron8).to_quadratic().unwrap(),
        _ => block(kind),
    }
}

fn nodes_of<const D: usize>(mesh: &Mesh<D>, name: &str) -> Vec<usize> {
    mesh.group_nodes(mesh.group(name).unwrap())
}

fn area<const D: usize>(mesh: &Mesh<D>, name: &str) -> f64 {
    mesh.group_facets(name).unwrap().iter().map(|facet| mesh.facet_measure(facet)).sum()
}

fn shared<const D: usize>(mesh: &Mesh<D>, a: &str, b: &str) -> Vec<usize> {
    let other = nodes_of(mesh, b);
    nodes_of(mesh, a).into_iter().filter(|node| other.contains(node)).collect()
}

/// Splits the mesh at mid height, from x = 0 to `end`, and checks what must hold of every crack; gives the split mesh.
fn check_crack<const D: usize>(mut mesh: Mesh<D>, end: f64, depth: f64) -> Mesh<D> {
    let (mut from, mut to) = ([0.0; D], [0.5; D]);
    from[1] = 0.5;
    to[0] = end;
    if D == 3 {
        to[2] = 3.0;
    }
    mesh.add_interface_in_box("crack", from, to).unwrap();
    let on_crack = nodes_of(&mesh, "crack");
    let n_front = on_crack.iter().filter(|&&node| mesh.points[node][0] > end - 1e-9 && end < 2.0).count();
    let split = mesh.split(&[interface("crack")]).unwrap();
    split.validate().unwrap();
    assert_eq!(split, mesh.split(&[interface("crack")]).unwrap());
    assert_eq!(split.bulk_cells().count(), mesh.bulk_cells().count());
    assert_eq!(split.n_points() - mesh.n_points(), on_crack.len() - n_front);
    // The cells have not moved.
    for ((cell, kind, new), (_, _, old)) in split.bulk_cells().zip(mesh.bulk_cells()) {
        assert!(
            new.iter().zip(old).all(|(&n, &o)| split.points[n].map(f64::to_bits) == mesh.points[o].map(f64::to_bits)),
            "{kind} {cell}"
        );
    }
    assert!((split.total_measure() / mesh.total_measure() - 1.0).abs() < ROUNDING);
    for name in ["crack-plus", "crack-minus"] {
        assert!((area(&split, name) / (end * depth) - 1.0).abs() < ROUNDING, "{name}");
        // Outward of the upper part is down.
        let down = if name == "crack-plus" { -1.0 } else { 1.0 };
        for facet in split.group_facets(name).unwrap() {
            assert!((split.facet_normal(&facet)[1] - down).abs() < ROUNDING, "{name}");
        }
        assert_eq!(nodes_of(&split, name).len(), on_crack.len());
    }
    assert_eq!(shared(&split, "crack-plus", "crack-minus").len(), n_front);
    assert!(matches!(split.group("crack"), Err(MeshError::UnknownGroup { .. })));
    // The other surfaces are whole, and are still the surfaces of the same cells.
    for name in ["left", "right", "bottom", "top", "boundary"] {
        let (new, old) = (split.group_facets(name).unwrap(), mesh.group_facets(name).unwrap());
        assert_eq!(new.len(), old.len());
        assert!(new.iter().zip(&old).all(|(n, o)| n.cell == o.cell), "{name}");
        assert!((area(&split, name) / area(&mesh, name) - 1.0).abs() < ROUNDING);
    }
    let n_new = split.boundary().len() - mesh.boundary().len();
    assert_eq!(
        n_new,
        split.group_facets("crack-plus").unwrap().len() + split.group_facets("crack-minus").unwrap().len()
    );
    // A node of a surface is there for each part that touches it.
    assert!(nodes_of(&split, "left").len() > nodes_of(&mesh, "left").len());
    assert_eq!(nodes_of(&split, "top").len(), nodes_of(&mesh, "top").len());
    split
}

#[test]
fn a_crack_through_and_one_that_ends_inside_in_every_kind_of_cell() {
    let mut checked = 0;
    for kind in CellKind::all() {
        for end in [2.0, 1.0] {
            match kind.dim() {
                2 => drop(check_crack(in_plane(kind), end, 1.0)),
                3 => drop(check_crack(in_space(kind), end, 3.0)),
                _ => continue,
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 2 * 9);
}

#[test]
fn a_crack_inside_opens_between_its_ends() {
    let mut mesh = rectangle(CellKind::Quad4);
    mesh.add_interface_in_box("crack", [0.5, 0.5], [1.5, 0.5]).unwrap();
    let split = mesh.split(&[interface("crack")]).unwrap();
    split.validate().unwrap();
    assert_eq!(split.n_points(), mesh.n_points() + 1);
    let tips = shared(&split, "crack-plus", "crack-minus");
    assert_eq!(tips.iter().map(|&n| split.points[n][0]).sum::<f64>().to_bits(), 2.0_f64.to_bits());
    assert_eq!(tips.len(), 2);
    // One edge of straight cells cannot open, of quadratic ones its middle does.
    for (kind, opens) in [(CellKind::Quad4, false), (CellKind::Quad8, true), (CellKind::Triangle6, true)] {
        let mut mesh = in_plane(kind);
        mesh.add_interface_in_box("crack", [0.5, 0.5], [1.0, 0.5]).unwrap();
        match mesh.split(&[interface("crack")]) {
            Ok(split) => assert!(opens && split.n_points() == mesh.n_points() + 1, "{kind}"),
            Err(e) => {
                assert!(!opens, "{kind}");
                assert!(e.to_string().contains("`crack` does not open: the material is connected around"), "{e}");
            }
        }
    }
}

#[test]
fn facets_with_all_nodes_on_the_front_stay_inside() {
    let mut mesh = generate::block([0.0; 3], [4.0, 2.0, 4.0], [4, 2, 4], CellKind::Tetrahedron4, 1).unwrap();
    mesh.add_interface_in_box("crack", [0.0, 1.0, 0.0], [1.0, 1.0, 2.0]).unwrap();
    mesh.add_interface_in_box("inner", [2.0, 1.0, 1.0], [4.0, 1.0, 3.0]).unwrap();
    let split = mesh.split(&[interface("crack"), interface("inner")]).unwrap();
    split.validate().unwrap();
    for (name, whole) in [("crack", 2.0), ("inner", 4.0)] {
        let sides = [area(&split, &format!("{name}-plus")), area(&split, &format!("{name}-minus"))];
        let closed: f64 = split.group(name).map_or(0.0, |g| g.cells.iter().map(|&cell| split.cell_measure(cell)).sum());
        assert!((sides[0] - sides[1]).abs() < ROUNDING && sides[0] > 0.0);
        assert!((sides[0] + closed - whole).abs() < ROUNDING, "{name}: {sides:?} and {closed}");
    }
}

/// The middles of a rectangle of 4 by 4 cells: along x and along y, the second from y = `from`.
fn cross(from: f64) -> Mesh<2> {
    let mut mesh = rectangle(CellKind::Quad4);
    mesh.add_interface_in_box("level", [0.0, 0.5], [2.0, 0.5]).unwrap();
    mesh.add_interface_in_box("upright", [1.0, from], [1.0, 1.0]).unwrap();
    mesh
}

#[test]
fn interfaces_cross_and_end_on_each_other() {
    for (from, copies, n_centre) in [(0.0, 4 + 4 + 3, 4), (0.5, 4 + 2 + 2, 3)] {
        let mesh = cross(from);
        let both = mesh.split(&[interface("level"), interface("upright")]).unwrap();
        let turned = mesh.split(&[interface("upright"), interface("level")]).unwrap();
        let later = mesh.split(&[interface("level")]).unwrap().split(&[interface("upright")]).unwrap();
        for split in [&both, &turned, &later] {
            split.validate().unwrap();
            assert_eq!(split.n_points() - mesh.n_points(), copies, "from {from}");
            let centre = split.points.iter().filter(|x| (x[0] - 1.0).abs() + (x[1] - 0.5).abs() < 1e-9).count();
            assert_eq!(centre, n_centre);
            for (name, length) in [("level", 2.0), ("upright", 1.0 - from)] {
                for (side, towards) in [("plus", -1.0), ("minus", 1.0)] {
                    let name = format!("{name}-{side}");
                    assert!((area(split, &name) - length).abs() < ROUNDING, "{name}");
                    // All of one side look the same way, on both sides of the crossing: plus looks down, or to the left.
                    for facet in split.group_facets(&name).unwrap() {
                        let n = split.facet_normal(&facet);
                        assert!((n[0] + n[1] - towards).abs() < ROUNDING, "{name}: {n:?}");
                    }
                }
            }
        }
        assert_eq!(both.points, turned.points);
        assert_eq!(both.blocks, turned.blocks);
    }
}

#[test]
fn a_group_that_crosses_itself_has_sides_and_one_that_branches_has_not() {
    let join = |from: f64| {
        let mut mesh = cross(from);
        let extra = mesh.group("upright").unwrap().cells.clone();
        let cells = mesh.groups.iter_mut().find(|g| g.name == "level").map(|g| &mut g.cells).unwrap();
        cells.extend(extra);
        mesh
    };
    let split = join(0.0).split(&[interface("level")]).unwrap();
    split.validate().unwrap();
    assert!((area(&split, "level-plus") - 3.0).abs() < ROUNDING);
    // Its cells were in `upright` as well: that group has both sides now.
    assert!((area(&split, "upright") - 2.0).abs() < ROUNDING);
    let error = join(0.5).split(&[interface("level")]).unwrap_err();
    assert!(matches!(&error, MeshError::NoTwoSides { point, .. } if (point[0] - 1.0).abs() < 1e-9), "{error}");
}

/// A ring of hexahedra that closes on itself after half a turn: the face between the two layers is a Möbius strip.
#[test]
fn a_moebius_strip_has_no_two_sides() {
    let n = 24;
    let (mut points, mut nodes) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
        let (t, u) = (std::f64::consts::PI * f64::from(i) / f64::from(n)).sin_cos();
        for k in [-1.0, 0.0, 1.0] {
            for j in [-1.0, 1.0] {
                // across the strip by j, through it by k
                let (r, z) = (5.0 + j * u - k * t, j * t + k * u);
                points.push([r * c, r * s, z]);
            }
        }
    }
    let n = n as usize;
    // After a turn (j, k) has become (−j, −k): 6 nodes a section, backwards.
    let node = |i: usize, a: usize| if i < n { 6 * i + a } else { 5 - a };
    let mut sheet = Vec::new();
    for i in 0..n {
        for layer in [0, 2] {
            nodes.extend([0, 1].map(|a| node(i, layer + a)));
            nodes.extend([1, 0].map(|a| node(i + 1, layer + a)));
            nodes.extend([0, 1].map(|a| node(i, layer + 2 + a)));
            nodes.extend([1, 0].map(|a| node(i + 1, layer + 2 + a)));
        }
        sheet.extend([node(i, 2), node(i, 3), node(i + 1, 3), node(i + 1, 2)]);
    }
    let mut mesh = Mesh::<3> {
        points,
        blocks: vec![
            CellBlock { kind: CellKind::Hexahedron8, nodes },
            CellBlock { kind: CellKind::Quad4, nodes: sheet },
        ],
        groups: vec![Group { name: "strip".into(), tag: 1, dim: 2, cells: (2 * n..3 * n).collect() }],
    };
    mesh.orient_cells().unwrap();
    mesh.validate().unwrap();
    let error = mesh.split(&[interface("strip")]).unwrap_err();
    assert!(matches!(error, MeshError::NoTwoSides { .. }), "{error}");
    // Half of it has two sides.
    mesh.groups[0].cells.truncate(n / 2);
    let split = mesh.split(&[interface("strip")]).unwrap();
    split.validate().unwrap();
    assert!((area(&split, "strip-plus") / area(&split, "strip-minus") - 1.0).abs() < ROUNDING);
}

#[test]
fn the_inside_of_a_closed_interface_is_plus_and_a_name_decides_otherwise() {
    let mut mesh = generate::disk([3.0, 1.0], 2.0, [4, 4], 3, 1).unwrap();
    let near = |mesh: &Mesh<2>, cell: usize| {
        let x = mesh.cell_centre(cell);
        (x[0] - 3.0).hypot(x[1] - 1.0) < 1.5
    };
    let (fibre, matrix): (Vec<usize>, Vec<usize>) =
        mesh.bulk_cells().map(|c| c.0).collect::<Vec<_>>().into_iter().partition(|&cell| near(&mesh, cell));
    mesh.groups.push(Group { name: "fibre".into(), tag: 60, dim: 2, cells: fibre.clone() });
    mesh.groups.push(Group { name: "matrix".into(), tag: 61, dim: 2, cells: matrix });
    mesh.add_interface_around("skin", "fibre").unwrap();
    for (plus, inside) in [(None, true), (Some("fibre"), true), (Some("matrix"), false)] {
        let split = mesh.split(&[Interface { name: "skin".into(), plus: plus.map(Into::into) }]).unwrap();
        split.validate().unwrap();
        for (name, inside) in [("skin-plus", inside), ("skin-minus", !inside)] {
            let facets = split.group_facets(name).unwrap();
            assert!(facets.iter().all(|f| fibre.contains(&f.cell) == inside), "{plus:?} {name}");
        }
        assert!(shared(&split, "skin-plus", "skin-minus").is_empty());
        assert!(shared(&split, "fibre", "matrix").is_empty());
    }
}

#[test]
fn numbers_and_directions_in_the_file_do_not_choose_the_side() {
    let mut mesh = in_space(CellKind::Hexahedron8);
    mesh.add_interface_in_box("crack", [0.0, 0.5, 0.0], [2.0, 0.5, 3.0]).unwrap();
    let facets = mesh.blocks.len() - 1;
    let flipped = mesh.blocks[facets].nodes.chunks(4).flat_map(|quad| quad.iter().rev().copied()).collect();
    mesh.blocks[facets].nodes = flipped;
    let cells = mesh.blocks[0].nodes.chunks(8).rev().flatten().copied().collect();
    mesh.blocks[0].nodes = cells;
    let split = mesh.split(&[interface("crack")]).unwrap();
    let plus = split.group_facets("crack-plus").unwrap();
    assert!(plus.iter().all(|facet| split.cell_centre(facet.cell)[1] > 0.5));
}

#[test]
fn named_points_and_curves_on_an_interface_are_there_for_each_part() {
    let mut mesh = in_space(CellKind::Hexahedron20);
    mesh.add_interface_in_box("crack", [1.0, 0.0, 0.0], [1.0, 1.0, 3.0]).unwrap();
    let ends = nodes_of(&mesh, "crack");
    let lowest = ends
        .iter()
        .copied()
        .find(|&n| mesh.points[n].map(f64::to_bits) == [1.0_f64, 0.0, 0.0].map(f64::to_bits))
        .unwrap();
    let cell = mesh.n_cells();
    mesh.blocks.push(CellBlock { kind: CellKind::Point, nodes: vec![lowest] });
    mesh.groups.push(Group { name: "mark".into(), tag: 80, dim: 0, cells: vec![cell] });
    let split = mesh.split(&[interface("crack")]).unwrap();
    split.validate().unwrap();
    assert_eq!(nodes_of(&split, "mark").len(), 2);
    // The edge along x is cut in two lines that no longer hang together; its cells are the same.
    let length = |m: &Mesh<3>| m.group("bottom_front").unwrap().cells.iter().map(|&c| m.cell_measure(c)).sum::<f64>();
    assert!((length(&split) - length(&mesh)).abs() < ROUNDING);
    assert_eq!(nodes_of(&split, "bottom_front").len(), nodes_of(&mesh, "bottom_front").len() + 1);
}

#[test]
fn a_curve_inside_an_interface_is_doubled() {
    let mut mesh = in_space(CellKind::Hexahedron8);
    mesh.add_interface_in_box("crack", [0.0, 0.5, 0.0], [2.0, 0.5, 3.0]).unwrap();
    let on_line = |mesh: &Mesh<3>, n: usize| (mesh.points[n][2] - 1.5).abs() < 1e-9;
    let mut line: Vec<usize> = nodes_of(&mesh, "crack").into_iter().filter(|&n| on_line(&mesh, n)).collect();
    line.sort_by(|&a, &b| mesh.points[a][0].total_cmp(&mesh.points[b][0]));
    let first = mesh.n_cells();
    mesh.blocks.push(CellBlock {
        kind: CellKind::Segment2,
        nodes: line.windows(2).flat_map(|pair| [pair[0], pair[1]]).collect(),
    });
    mesh.groups.push(Group { name: "line".into(), tag: 80, dim: 1, cells: (first..first + line.len() - 1).collect() });
    let split = mesh.split(&[interface("crack")]).unwrap();
    split.validate().unwrap();
    assert_eq!(split.group("line").unwrap().cells.len(), 2 * (line.len() - 1));
    assert_eq!(nodes_of(&split, "line").len(), 2 * line.len());
}

#[test]
fn what_cannot_be_split_is_said() {
    let mut mesh = rectangle(CellKind::Quad4);
    mesh.add_interface_in_box("crack", [0.0, 0.5], [2.0, 0.5]).unwrap();
    mesh.groups.push(Group { name: "nothing".into(), tag: 50, dim: 1, cells: vec![] });
    let cell = mesh.n_cells();
    mesh.blocks.push(CellBlock { kind: CellKind::Segment2, nodes: vec![0, 12] });
    mesh.groups.push(Group { name: "astray".into(), tag: 51, dim: 1, cells: vec![cell] });
    mesh.groups.push(Group { name: "corner".into(), tag: 52, dim: 2, cells: vec![0] });
    let named = |name: &str, plus: &str| Interface { name: name.into(), plus: Some(plus.into()) };
    for (interfaces, words) in [
        (vec![interface("crak")], "did you mean `crack`?"),
        (vec![interface("nothing")], "group `nothing` (dimension 1) has no cells"),
        (
            vec![interface("body")],
            "group `body` is 2-dimensional: a 2D mesh is split along a group of dimension 1, curves",
        ),
        (vec![interface("top_left")], "group `top_left` is 0-dimensional"),
        (
            vec![interface("top")],
            "is on the boundary: it is a facet of cell 15 only; a mesh is split along facets between",
        ),
        (vec![interface("astray")], "is not a facet of any cell"),
        (vec![interface("crack"), interface("crack")], "group `crack-plus` exists already"),
        (vec![named("crack", "body")], "cell 36: both of the cells [4, 8] on its two sides belong to `body`"),
        (vec![named("crack", "corner")], "group `crack`: none of the cells [4, 8]"),
        (
            vec![named("crack", "top")],
            "group `top` is 1-dimensional: the side of an interface is named by a group of cells",
        ),
    ] {
        let text = mesh.split(&interfaces).unwrap_err().to_string();
        assert!(text.contains(words), "{text}");
    }
    mesh.groups[1].name = "crack-minus".into();
    let error = mesh.split(&[interface("crack")]).unwrap_err();
    assert!(matches!(&error, MeshError::NameTaken { name } if name == "crack-minus"), "{error}");
    assert_eq!(mesh.split(&[]).unwrap(), mesh);
}

/// Two squares with the line between them as a physical group, as gmsh writes it.
const GMSH: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\
$PhysicalNames\n3\n1 7 \"weld\"\n2 1 \"low\"\n2 2 \"high\"\n$EndPhysicalNames\n\
$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n5 0 2 0\n6 1 2 0\n$EndNodes\n\
$Elements\n3\n1 1 2 7 1 3 4\n2 3 2 1 1 1 2 4 3\n3 3 2 2 2 3 4 6 5\n$EndElements\n";

#[test]
fn a_physical_group_inside_a_gmsh_file_becomes_two_surfaces() {
    let mesh = gmsh::read(GMSH).unwrap().to_mesh::<2>().unwrap();
    assert!(matches!(mesh.group_facets("weld"), Err(MeshError::FacetInside { .. })));
    let split = mesh.split(&[interface("weld")]).unwrap();
    split.validate().unwrap();
    assert_eq!((split.n_points(), split.boundary().len()), (8, 8));
    assert!(shared(&split, "low", "high").is_empty());
    for (side, cells) in [("weld-plus", "high"), ("weld-minus", "low")] {
        let facets = split.group_facets(side).unwrap();
        assert_eq!(facets.len(), 1);
        assert!(split.group(cells).unwrap().cells.contains(&facets[0].cell), "{side}");
    }
}
