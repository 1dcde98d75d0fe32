//! Counts, groups and geometry of the samples.

use delassus_mesh::gmsh::{self, MshFile, MshVersion};
use delassus_mesh::{CellKind, Facet, Mesh, MeshError};

use crate::{FORMS, all_samples, bytes, data};

fn file(name: &str, form: &str) -> MshFile {
    gmsh::read(&bytes(&format!("{name}.{form}.msh"))).unwrap_or_else(|e| panic!("{name}.{form}: {e}"))
}

fn mesh(name: &str, form: &str) -> Mesh<2> {
    file(name, form).to_mesh().unwrap_or_else(|e| panic!("{name}.{form}: {e}"))
}

/// Nodes and elements by dimension as gmsh's API counts them.
#[test]
fn counts_are_those_of_gmsh_in_all_forms() {
    for (name, n_nodes, by_dim) in [
        ("plate_t3", 30, [1, 16, 42, 0]),
        ("plate_t6", 101, [1, 16, 42, 0]),
        ("plate_q4", 25, [1, 16, 16, 0]),
        ("plate_q8", 21, [1, 8, 4, 0]),
        ("plate_q9", 25, [1, 8, 4, 0]),
        ("two_blocks_q4", 51, [0, 21, 31, 0]),
        ("periodic_t3", 20, [0, 6, 26, 0]),
        ("block_te4", 81, [0, 0, 156, 184]),
        ("block_h8", 64, [0, 0, 54, 27]),
        ("block_h20", 32, [0, 0, 10, 2]),
        ("block_te10", 63, [0, 0, 24, 24]),
        ("block_p6", 36, [0, 0, 44, 28]),
        ("sheet_plain", 18, [0, 6, 22, 0]),
        ("sheet_param", 18, [0, 6, 22, 0]),
        ("sheet_data", 18, [0, 6, 22, 0]),
        ("sheet_ghost", 18, [0, 6, 22, 0]),
    ] {
        for form in FORMS {
            let file = file(name, form);
            assert_eq!(file.nodes.len(), n_nodes, "{name}.{form}");
            // Interfaces between partitions are extra lines in MSH 4.1, in no group.
            let mut counts = [0; 4];
            for element in file.elements.iter().filter(|e| !e.physical.is_empty()) {
                counts[gmsh::ElementType::from_id(element.type_id).unwrap().dim] += 1;
            }
            assert_eq!(counts, by_dim, "{name}.{form}");
            assert_eq!(file.binary, form.ends_with('b'));
            let version = if form.starts_with("v4") { MshVersion::V4_1 } else { MshVersion::V2_2 };
            assert_eq!(file.version, version);
            assert_eq!(form[1..3], file.version.to_string().replace('.', ""));
            assert_eq!(file.n_partitions, if name == "sheet_ghost" { 2 } else { 0 }, "{name}.{form}");
        }
    }
    assert_eq!(file("block_h8", "v22b").n_elements_by_dim(), [0, 0, 54, 27]);
}

#[test]
fn partition_entities_carry_the_groups() {
    let whole = file("block_te4", "v41a");
    let parts = file("block_te4_part2", "v41a");
    assert_eq!((parts.n_partitions, parts.nodes.len()), (2, 81));
    for (tag, dim) in [(21, 2), (22, 2), (23, 2), (1, 3)] {
        let count = |file: &MshFile| {
            let in_group = |e: &&gmsh::GmshElement| {
                e.physical.contains(&tag) && gmsh::ElementType::from_id(e.type_id).unwrap().dim == dim
            };
            file.elements.iter().filter(in_group).count()
        };
        assert_eq!(count(&parts), count(&whole), "group {tag}");
        assert!(count(&whole) > 0);
    }
}

/// The four forms of a file give the same points, cells and groups.
#[test]
fn all_forms_give_the_same_mesh() {
    for name in ["plate_t3", "plate_q4", "two_blocks_q4", "periodic_t3", "sheet_plain", "sheet_param", "sheet_data"] {
        let first = mesh(name, "v41b");
        for form in FORMS {
            let other = mesh(name, form);
            assert_eq!(other.n_points(), first.n_points());
            for (a, b) in first.points.iter().zip(&other.points) {
                // Text has 16 digits.
                assert!((0..2).all(|d| (a[d] - b[d]).abs() <= 1e-15), "{name}.{form}: {a:?} {b:?}");
            }
            // MSH 2.2 turns the lines of a group with a negative number over: compare what is made of them.
            assert_eq!(other.blocks[0], first.blocks[0], "{name}.{form}");
            assert_eq!(other.n_cells(), first.n_cells(), "{name}.{form}");
            assert_eq!(other.groups.len(), first.groups.len(), "{name}.{form}");
            for (a, b) in first.groups.iter().zip(&other.groups) {
                assert_eq!((&a.name, a.tag, a.dim, a.cells.len()), (&b.name, b.tag, b.dim, b.cells.len()));
                assert_eq!(first.group_nodes(a), other.group_nodes(b), "{name}.{form}: {}", a.name);
                if a.dim == 1 {
                    assert_eq!(first.group_facets(&a.name).unwrap(), other.group_facets(&b.name).unwrap());
                }
            }
        }
    }
}

fn length(mesh: &Mesh<2>, facets: &[Facet]) -> f64 {
    facets.iter().map(|facet| mesh.facet_measure(facet)).sum()
}

/// Normals point away from the centre of their cell.
fn assert_outward(mesh: &Mesh<2>, facets: &[Facet]) {
    assert!(!facets.is_empty());
    for facet in facets {
        let (n, m, c) = (mesh.facet_normal(facet), mesh.facet_centre(facet), mesh.cell_centre(facet.cell));
        assert!(n[0] * (m[0] - c[0]) + n[1] * (m[1] - c[1]) > 0.0, "{facet:?}");
    }
}

/// Area, outline and normals are those of the .geo files. Coordinates on the outline are exact, and
/// inner ones do not change the area: tolerance 1e-13 for sums of some fifty terms of order 1.
#[test]
fn geometry_is_that_of_the_model() {
    for (name, kind, area, outline) in [
        ("plate_t3", CellKind::Triangle3, 1.0, 4.0),
        ("plate_q4", CellKind::Quad4, 1.0, 4.0),
        ("periodic_t3", CellKind::Triangle3, 1.0, 4.0),
        ("two_blocks_q4", CellKind::Quad4, 1.5, 8.0),
        ("sheet_plain", CellKind::Triangle3, 2.0, 6.0),
        ("sheet_ghost", CellKind::Triangle3, 2.0, 6.0),
    ] {
        for form in FORMS {
            let mesh = mesh(name, form);
            assert_eq!(mesh.blocks[0].kind, kind);
            assert!((mesh.total_measure() - area).abs() < 1e-13, "{name}.{form}: {}", mesh.total_measure());
            let boundary = mesh.boundary();
            assert_outward(&mesh, &boundary);
            assert!((length(&mesh, &boundary) - outline).abs() < 1e-13, "{name}.{form}");
        }
    }
}

#[test]
fn sides_of_the_plate() {
    for name in ["plate_t3", "plate_q4"] {
        let mesh = mesh(name, "v22b");
        for (side, normal) in
            [("bottom", [0.0, -1.0]), ("right", [1.0, 0.0]), ("top", [0.0, 1.0]), ("left", [-1.0, 0.0])]
        {
            let facets = mesh.group_facets(side).unwrap();
            assert_outward(&mesh, &facets);
            assert!((length(&mesh, &facets) - 1.0).abs() < 1e-14);
            for facet in &facets {
                let n = mesh.facet_normal(facet);
                assert!((0..2).all(|d| (n[d] - normal[d]).abs() < 1e-14), "{name} {side}: {n:?}");
            }
        }
        let corner = mesh.group_nodes(mesh.group("corner").unwrap());
        assert_eq!(corner.len(), 1);
        assert!(mesh.points[corner[0]].iter().all(|x| x.abs() < 1e-300));
        assert_eq!(mesh.group("100").unwrap().name, "corner");
        assert_eq!(mesh.group_facets("plate").unwrap(), mesh.boundary());
    }
}

/// A surface in two groups is one surface: area 1 for the lower block, not 2.
#[test]
fn a_surface_in_two_groups_is_counted_once() {
    for form in FORMS {
        let mesh = mesh("two_blocks_q4", form);
        let area = |name: &str| -> f64 { mesh.group(name).unwrap().cells.iter().map(|&c| mesh.cell_measure(c)).sum() };
        for (name, n, size) in [("lower", 16, 1.0), ("upper", 15, 0.5), ("all", 31, 1.5)] {
            assert_eq!(mesh.group(name).unwrap().cells.len(), n, "{form}: {name}");
            assert!((area(name) - size).abs() < 1e-13, "{form}: {name} {}", area(name));
        }
        assert_eq!(mesh.bulk_cells().count(), 31);
        let [top, bottom] = ["lower_top", "upper_bottom"].map(|name| mesh.group_facets(name).unwrap());
        assert_eq!((top.len(), bottom.len()), (8, 5));
        assert!(top.iter().all(|f| mesh.facet_normal(f)[1] > 0.999));
        assert!(bottom.iter().all(|f| mesh.facet_normal(f)[1] < -0.999));
    }
}

/// A group without a name answers to its number; a curve added "backwards" is still in its group.
#[test]
fn unnamed_and_negative_groups() {
    for form in FORMS {
        let mesh = mesh("sheet_plain", form);
        assert_eq!(mesh.group("7").unwrap().cells.len(), 22);
        let facets = mesh.group_facets("neg").unwrap();
        assert_outward(&mesh, &facets);
        assert!((length(&mesh, &facets) - 3.0).abs() < 1e-14, "{form}");
    }
}

#[test]
fn sections_that_are_not_the_mesh_are_stepped_over() {
    for form in FORMS {
        assert!(file("sheet_data", form).skipped.contains(&"NodeData".to_owned()), "{form}");
        assert_eq!(file("periodic_t3", form).skipped, ["Periodic"]);
    }
    assert_eq!(file("sheet_ghost", "v41b").skipped, ["GhostElements"]);
}

#[test]
fn unsupported_cells_are_named() {
    for form in FORMS {
        let text = file("plate_q9", form).to_mesh::<2>().unwrap_err().to_string();
        assert_eq!(
            text,
            "4 × 9-node quadrangle (gmsh type 10) is not supported; supported: 1-node point (gmsh type 15), 2-node line \
             (gmsh type 1), 3-node line (gmsh type 8), 3-node triangle (gmsh type 2), 6-node triangle (gmsh type 9), \
             4-node quadrangle (gmsh type 3), 8-node quadrangle (gmsh type 16); in gmsh set \
             Mesh.SecondOrderIncomplete = 1, or Mesh.ElementOrder = 1"
        );
        let text = file("block_h8", form).to_mesh::<2>().unwrap_err().to_string();
        assert_eq!(text, "the mesh is 3D (27 × 8-node hexahedron (gmsh type 5)), but the body is 2D");
        let text = file("plate_q4", form).to_mesh::<3>().unwrap_err().to_string();
        assert!(text.starts_with("the mesh has no cell of dimension 3"), "{text}");
    }
    let mut pyramid = file("block_h8", "v41a");
    for element in &mut pyramid.elements {
        element.type_id = 7;
    }
    let text = pyramid.to_mesh::<3>().unwrap_err().to_string();
    assert!(text.starts_with("81 × 5-node pyramid (gmsh type 7) is not supported"), "{text}");
    assert!(!text.contains("ElementOrder"), "they are of first order: {text}");
}

/// Volume, surface, normals and groups of the unit block in every kind of cell, and the node order of the quadratic ones:
/// the middles are those of the edges the table names (gmsh places them to 1e-12).
#[test]
fn blocks_in_space_are_those_of_the_model() {
    for (name, kind, facet_kinds) in [
        ("block_te4", CellKind::Tetrahedron4, &[CellKind::Triangle3][..]),
        ("block_te4_part2", CellKind::Tetrahedron4, &[CellKind::Triangle3]),
        ("block_te10", CellKind::Tetrahedron10, &[CellKind::Triangle6]),
        ("block_h8", CellKind::Hexahedron8, &[CellKind::Quad4]),
        ("block_h20", CellKind::Hexahedron20, &[CellKind::Quad8]),
        ("block_p6", CellKind::Prism6, &[CellKind::Triangle3, CellKind::Quad4]),
    ] {
        for form in FORMS.into_iter().filter(|form| !name.ends_with("part2") || *form == "v41a") {
            let mesh: Mesh<3> = file(name, form).to_mesh().unwrap_or_else(|e| panic!("{name}.{form}: {e}"));
            assert_eq!(mesh.blocks[0].kind, kind);
            assert!((mesh.total_measure() - 1.0).abs() < 1e-13, "{name}.{form}: {}", mesh.total_measure());
            check_middles(&mesh);
            let boundary = mesh.boundary();
            assert!(boundary.iter().all(|facet| facet_kinds.contains(&facet.kind)));
            assert_closed(&mesh, &boundary, 1.0, 6.0);
            for (group, n, axis) in [("bottom", -1.0, true), ("top", 1.0, true), ("side", 0.0, false)] {
                let facets = mesh.group_facets(group).unwrap();
                let area: f64 = facets.iter().map(|facet| mesh.facet_measure(facet)).sum();
                assert!((area - if axis { 1.0 } else { 4.0 }).abs() < 1e-13, "{name}.{form} {group}: {area}");
                assert!(facets.iter().all(|facet| (mesh.facet_normal(facet)[2] - n).abs() < 1e-12), "{name}.{form}");
            }
        }
    }
}

#[test]
fn quadratic_plates_are_those_of_the_model() {
    for (name, kind) in [("plate_t6", CellKind::Triangle6), ("plate_q8", CellKind::Quad8)] {
        for form in FORMS {
            let mesh = mesh(name, form);
            assert_eq!((mesh.blocks[0].kind, mesh.blocks[1].kind), (kind, CellKind::Segment3));
            assert!((mesh.total_measure() - 1.0).abs() < 1e-13);
            check_middles(&mesh);
            assert_closed(&mesh, &mesh.boundary(), 1.0, 4.0);
            let top = mesh.group_facets("top").unwrap();
            assert!((length(&mesh, &top) - 1.0).abs() < 1e-13 && top.iter().all(|f| f.nodes.len() == 3));
        }
    }
}

/// The nodes after the corners are in the middles of their edges.
fn check_middles<const D: usize>(mesh: &Mesh<D>) {
    for (cell, kind, nodes) in mesh.cells() {
        for (m, &[a, b]) in kind.mid_nodes().iter().enumerate() {
            let [x, y, z] = [nodes[a], nodes[b], nodes[kind.n_corners() + m]].map(|node| mesh.points[node]);
            assert!((0..D).all(|d| (0.5 * (x[d] + y[d]) - z[d]).abs() < 1e-11), "cell {cell} ({kind}), middle {m}");
        }
    }
}

/// Divergence theorem with the field x: ∮ x·n = D × the volume; and ∮ n = 0.
fn assert_closed<const D: usize>(mesh: &Mesh<D>, facets: &[Facet], volume: f64, area: f64) {
    let (mut flux, mut sum, mut total) = (0.0, [0.0; D], 0.0);
    for facet in facets {
        let (n, size) = (mesh.facet_normal(facet), mesh.facet_measure(facet));
        // the facets are flat, so any of their points will do
        let x = mesh.points[facet.nodes[0]];
        flux += size * (0..D).map(|d| n[d] * x[d]).sum::<f64>();
        total += size;
        (0..D).for_each(|d| sum[d] += size * n[d]);
    }
    assert!((flux - D as f64 * volume).abs() < 1e-12 && (total - area).abs() < 1e-12, "{flux} {total}");
    assert!(sum.iter().all(|s| s.abs() < 1e-12), "{sum:?}");
}

#[test]
fn old_versions_are_named() {
    for (name, version) in [("sheet.v10.msh", "1.0"), ("sheet.v40.msh", "4")] {
        let text = gmsh::read(&bytes(name)).unwrap_err().to_string();
        assert!(text.starts_with(&format!("MSH version {version} is not supported, only 2.2 and 4.1")), "{text}");
    }
}

#[test]
fn files_are_read_by_path() {
    let mesh: Mesh<2> = gmsh::read_mesh(data("plate_q4.v41b.msh")).unwrap();
    assert_eq!(mesh.n_points(), 25);
    let error = gmsh::read_file(data("nowhere.msh")).unwrap_err();
    assert!(matches!(error, MeshError::Io { .. }));
    assert!(error.to_string().contains("nowhere.msh: cannot be read"), "{error}");
    for (name, words) in [("plate_q9.v41a.msh", "9-node quadrangle"), ("sheet.v40.msh", "MSH version 4")] {
        let error = gmsh::read_mesh::<2>(data(name)).unwrap_err();
        assert!(matches!(error, MeshError::File { .. }));
        let text = error.to_string();
        assert!(text.contains(name) && text.contains(words), "{text}");
    }
}

/// Windows line ends, tabs, blank lines and trailing blanks change nothing.
#[test]
fn white_space_is_free() {
    for (name, bytes) in all_samples() {
        if !name.ends_with("a.msh") {
            continue;
        }
        let original = gmsh::read(&bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let windows = text.replace('\n', "\r\n");
        let mut airy = String::from("\n \n");
        for line in text.lines() {
            if line.starts_with('$') {
                airy += &format!("{line} \t\n\n");
            } else {
                airy += &format!("  {}\t \n", line.replace(' ', "  \t"));
            }
        }
        for variant in [windows, airy, text.trim_end().to_owned(), format!("\u{feff}{text}")] {
            let mut found = gmsh::read(variant.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
            // Names with blanks in them would differ; the samples have none.
            assert_eq!(found.physical_names, original.physical_names);
            found.skipped.clone_from(&original.skipped);
            assert_eq!(found, original, "{name}");
        }
    }
}
