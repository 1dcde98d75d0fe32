//! Files that gmsh, meshio and VTK made of the gmsh samples: what our readers make of them is the mesh of the sample.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;
use std::path::Path;

use delassus_error::Coded;
use delassus_mesh::{Mesh, MeshError, MeshFile, formats};

fn file(name: &str) -> Box<dyn MeshFile> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let ending = path.extension().unwrap().to_string_lossy().into_owned();
    formats::read(&ending, &bytes).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What a mesh is, whatever its numbering: every cell and facet by the places of its nodes, in their order.
fn shape<const D: usize>(mesh: &Mesh<D>, named: impl Fn(&str, usize) -> Option<String>) -> Shape {
    // Text has 16 digits.
    let place = |node: &usize| mesh.points[*node].map(|x| format!("{x:.9}")).join(" ");
    let cells = |list: &[usize]| -> Vec<Vec<String>> {
        let mut cells: Vec<Vec<String>> = list.iter().map(|&i| mesh.cell(i).1.iter().map(place).collect()).collect();
        cells.iter_mut().for_each(|cell| cell.sort());
        cells.sort();
        cells
    };
    let bulk: Vec<usize> = mesh.bulk_cells().map(|c| c.0).collect();
    // The order of the nodes of a bulk cell is a matter of its own: they must be those of the element.
    let mut ordered: Vec<String> =
        mesh.bulk_cells().map(|(_, _, nodes)| nodes.iter().map(place).collect::<Vec<_>>().join(" | ")).collect();
    ordered.sort();
    let groups = mesh.groups.iter().filter_map(|g| Some((named(&g.name, g.dim)?, cells(&g.cells)))).collect();
    Shape { bulk: cells(&bulk), ordered, groups }
}

#[derive(Debug, PartialEq)]
struct Shape {
    bulk: Vec<Vec<String>>,
    ordered: Vec<String>,
    groups: BTreeMap<String, Vec<Vec<String>>>,
}

/// Names of groups of cells and facets; gmsh writes no sets of points.
fn same(name: &str, dim: usize) -> Option<String> {
    // Names of geometrical parts, which gmsh adds to its .inp.
    let added = ["Line", "Surface", "Volume"].iter().any(|part| {
        name.strip_prefix(part).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    });
    (dim > 0 && !added).then(|| name.to_owned())
}

fn check<const D: usize>(sample: &str, endings: &[&str], of: fn(&dyn MeshFile) -> Result<Mesh<D>, MeshError>) {
    let mesh = |name: &str| of(&*file(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let expected = shape(&mesh(&format!("{sample}.v41a.msh")), same);
    assert!(expected.groups.len() >= 2, "{sample}");
    for ending in endings {
        let found = shape(&mesh(&format!("{sample}.{ending}")), same);
        assert_eq!(found, expected, "{sample}.{ending}");
    }
}

/// Every kind of element that gmsh writes as Abaqus', with its order of nodes and its sets.
#[test]
fn abaqus_files_of_gmsh() {
    for sample in ["block_h8", "block_te4", "block_te10", "block_h20", "block_p6"] {
        check::<3>(sample, &["inp"], |f| f.space());
    }
    for sample in ["plate_q4", "plate_q8", "plate_t6"] {
        check::<2>(sample, &["inp"], |f| f.plane());
    }
}

/// The same as I-deas universal files.
#[test]
fn universal_files_of_gmsh() {
    for sample in ["block_h8", "block_te10", "block_h20", "block_p6"] {
        check::<3>(sample, &["unv"], |f| f.space());
    }
    for sample in ["plate_q4", "plate_q8", "plate_t6"] {
        check::<2>(sample, &["unv"], |f| f.plane());
    }
}

/// Every form in which meshio and VTK write a grid. The numbers of the groups are those of gmsh.
#[test]
fn grids_of_meshio_and_vtk() {
    let numbered = |mesh: &Mesh<3>| {
        let tags: BTreeMap<(String, usize), i32> =
            mesh.groups.iter().map(|g| ((g.name.clone(), g.dim), g.tag)).collect();
        shape(mesh, |name, dim| Some(format!("gmsh:physical={}", tags.get(&(name.to_owned(), dim))?)))
    };
    let as_is = |name: &str, _: usize| Some(name.to_owned());
    for (sample, forms) in [("block_te10", &["zlib", "ascii", "raw", "base64", "inline"][..]), ("block_h20", &["zlib"])]
    {
        let expected = numbered(&file(&format!("{sample}.v41a.msh")).space().unwrap());
        for form in forms {
            let found = shape(&file(&format!("{sample}.{form}.vtu")).space().unwrap(), as_is);
            assert_eq!(found, expected, "{sample}.{form}");
        }
    }
    let plate = file("plate_q8.zlib.vtu").plane().unwrap();
    let expected = file("plate_q8.v41a.msh").plane().unwrap();
    assert_eq!(shape(&plate, |_, _| None), shape(&expected, |_, _| None));
}

/// The boundary of a block as triangles: closed, with the area of the block's facets, in text, binary and OBJ.
#[test]
fn surfaces_of_gmsh_and_meshio() {
    let block = file("block_te4.v41a.msh");
    let boundary = block.space().unwrap();
    let expected: f64 = boundary.boundary().iter().map(|f| boundary.facet_measure(f)).sum();
    for (name, relative) in [("block_te4.a.stl", 1e-14), ("block_te4.b.stl", 1e-6), ("block_te4.obj", 1e-14)] {
        let surface = file(name).surface(None).unwrap();
        assert_eq!((surface.facets.len(), surface.points.len()), (156, 80), "{name}: corners are shared");
        let area: f64 = surface.facets.iter().map(|f| area(&surface.points, f)).sum();
        assert!((area - expected).abs() <= relative * expected, "{name}: {area} {expected}");
        let mut edges = BTreeMap::new();
        for facet in &surface.facets {
            for k in 0..3 {
                let (a, b) = (facet[k], facet[(k + 1) % 3]);
                *edges.entry((a.min(b), a.max(b))).or_insert(0) += 1;
            }
        }
        assert!(edges.values().all(|n| *n == 2), "{name}: closed");
        assert_eq!(file(name).space().unwrap_err().code().as_str(), "E0412", "{name}");
    }
    // A group of facets of a mesh of bodies is a surface too.
    let (named, expected) = (file("block_te4.inp").surface(Some("top")).unwrap(), block.surface(Some("top")).unwrap());
    assert_eq!(named.facets, expected.facets);
    // gmsh writes 14 digits.
    let apart = |(a, b): (&[f64; 3], &[f64; 3])| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(named.points.iter().zip(&expected.points).map(apart).all(|d| d <= 1e-14));
}

fn area(points: &[[f64; 3]], facet: &[usize]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|k| points[facet[k]]);
    let (u, v): ([f64; 3], [f64; 3]) = (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    0.5 * cross.iter().map(|x| x * x).sum::<f64>().sqrt()
}
