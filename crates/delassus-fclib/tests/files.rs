//! FCLIB files as other programs write them, and what damage does to them.
//!
//! The files in `data` were written with h5py: the same four contacts in space by columns, as triplets, packed in chunks (deflate and shuffle),
//! and in global form; five contacts in the plane by rows; with and without a solution; a file of another kind of problem; one in HDF5's newer format.

use delassus_error::Coded;
use delassus_fclib::{Fclib, FclibError, FclibProblem, in_file_order, natural_map_error, read, standard_form, write};
use delassus_solver::{
    BlockMatrix, Cone, ContactProblem, Derived, Matrix, Method, SolverOptions, Vector, certify, solve_in_order,
    solve_with,
};

const COLUMNS: &[u8] = include_bytes!("data/space-columns.hdf5");
const PLANE: &[u8] = include_bytes!("data/plane-rows.hdf5");

fn space(bytes: &[u8]) -> Result<ContactProblem<3>, FclibError> {
    match read(bytes)?.problem {
        FclibProblem::Space(p) => Ok(p),
        FclibProblem::Plane(_) => Err(FclibError::Missing("space".into())),
    }
}

fn distance<const D: usize>(a: &ContactProblem<D>, b: &ContactProblem<D>) -> f64 {
    let n = a.n();
    let w = (0..n * n).map(|k| (a.operator.block(k / n, k % n) - b.operator.block(k / n, k % n)).amax());
    let q = a.v_free.iter().zip(&b.v_free).map(|(a, b)| (a - b).amax());
    let same_laws = a.laws.iter().zip(&b.laws).all(|(a, b)| a.cone == b.cone);
    if same_laws { w.chain(q).fold(0.0, f64::max) } else { f64::INFINITY }
}

/// One problem in four spellings, one of them condensed here and by numpy there.
#[test]
fn every_form_is_the_same_problem() {
    let columns = space(COLUMNS).unwrap();
    assert_eq!(columns.n(), 4);
    for (name, bytes, tolerance) in [
        ("triplets", &include_bytes!("data/space-triplets.hdf5")[..], 0.0),
        ("packed", include_bytes!("data/space-packed.hdf5"), 0.0),
        // Two ways to invert M, of condition below 100: rounding.
        ("global", include_bytes!("data/space-global.hdf5"), 1e-13),
    ] {
        let found = read(bytes).unwrap();
        assert_eq!(found.condensed, name == "global");
        let error = distance(&columns, &space(bytes).unwrap());
        assert!(error <= tolerance, "{name}: {error:e}");
    }
    assert!(matches!(read(PLANE).unwrap().problem, FclibProblem::Plane(p) if p.n() == 5));
}

/// A solution that the file has room for but no numbers is none.
#[test]
fn a_solution_of_the_file_is_read() {
    let given = |bytes: &[u8]| read(bytes).unwrap().solution;
    assert!((given(include_bytes!("data/plane-solution.hdf5")).unwrap()[9] - 0.09).abs() < 1e-15);
    assert!(given(include_bytes!("data/plane-no-solution.hdf5")).is_none() && given(PLANE).is_none());
}

#[test]
fn solutions_are_solutions_by_both_judges() {
    let problem = space(COLUMNS).unwrap();
    let mut p = vec![Vector::<3>::zeros(); 4];
    let options = SolverOptions { tolerance: 1e-12, max_iterations: 5000 };
    let reports = solve_in_order(&[Method::Nlgs, Method::Newton], &problem, &mut p, &options);
    assert!(reports.last().unwrap().converged);
    // Two measures of the same thing, equal up to a factor of the order of one.
    assert!(natural_map_error(&problem, &p) < 1e-11 && certify(&problem, &p).unwrap().law_error < 2e-12);
    p[0][0] += 1e-3;
    assert!(natural_map_error(&problem, &p) > 1e-5);
}

/// What is written is read back to the last bit.
#[test]
fn written_files_come_back() {
    for bytes in [COLUMNS, include_bytes!("data/space-global.hdf5")] {
        let problem = space(bytes).unwrap();
        let back = space(&write(&problem, "title", "a description, longer than a word").unwrap()).unwrap();
        assert!(distance(&problem, &back) == 0.0);
    }
    let FclibProblem::Plane(problem) = read(PLANE).unwrap().problem else { unreachable!("a plane problem") };
    let file = write(&problem, "", "").unwrap();
    assert!(matches!(read(&file).unwrap().problem, FclibProblem::Plane(back) if distance(&problem, &back) == 0.0));
}

/// Shifts, compliances, springs and open contacts: the plain problem has the same solution in its own variables.
#[test]
fn changes_of_variables_are_carried_out() {
    let mut problem = space(COLUMNS).unwrap();
    problem.laws[0].v_shift = Vector::<3>::new(0.3, -0.1, 0.0);
    problem.laws[1].w_shift = Vector::<3>::new(0.2, 0.1, 0.1);
    problem.laws[1].p_shift = Vector::<3>::new(0.4, 0.0, -0.2);
    problem.laws[2].spring = Vector::<3>::new(0.5, 0.3, 0.3);
    problem.laws[2].p_shift = Vector::<3>::new(0.1, 0.2, 0.0);
    for open in [false, true] {
        if open {
            problem.laws[3].cone = Cone::Open;
        }
        let mut p = vec![Vector::<3>::zeros(); 4];
        let options = SolverOptions { tolerance: 1e-12, max_iterations: 5000 };
        assert!(solve_in_order(&[Method::Nlgs, Method::Newton], &problem, &mut p, &options).last().unwrap().converged);
        let mut u = vec![Vector::<3>::zeros(); 4];
        problem.operator.apply_into(&p, &mut u);
        let kept = if open { 3 } else { 4 };
        let plain = standard_form(&problem).unwrap();
        assert_eq!(plain.n(), kept);
        let law = |i: usize| &problem.laws[i];
        let r: Vec<Vector<3>> = (0..kept)
            .map(|i| p[i] + law(i).p_shift + law(i).spring.component_mul(&(u[i] + problem.v_free[i])))
            .collect();
        let error = natural_map_error(&plain, &r);
        assert!(error < 1e-11, "{error:e}");
        assert_eq!(space(&write(&problem, "", "").unwrap()).unwrap().n(), kept);
    }
}

#[test]
fn problems_without_form_are_refused() {
    let mut problem = space(COLUMNS).unwrap();
    problem.laws[2].cone = Cone::Bilateral;
    let e = write(&problem, "", "").unwrap_err().to_string();
    assert!(e.contains("contact 2 is a bond in all directions"), "{e}");
    problem.laws[2].cone = Cone::Coulomb(0.3);
    problem.laws[1].section = delassus_solver::ConeSection::Ellipse { axis: [1.0, 0.0], ratio: 0.5 };
    let e = write(&problem, "t", "d").unwrap_err().to_string();
    assert!(e.contains("contact 1 has an elliptic cone"), "{e}");
    let n = 1001;
    let mut law = Derived::standard(Cone::Coulomb(0.3));
    law.spring[0] = 1.0;
    let many = ContactProblem {
        operator: BlockMatrix::from_rows((0..n).map(|i| vec![(i, Matrix::<3>::identity())]).collect()).unwrap(),
        v_free: vec![Vector::<3>::zeros(); n],
        laws: vec![law; n],
    };
    let e = write(&many, "", "").unwrap_err().to_string();
    assert!(e.contains("1001 contacts with springs") && e.contains("at most 1000"), "{e}");
}

fn message(bytes: &[u8]) -> String {
    read(bytes).err().map(|e| e.to_string()).unwrap_or_default()
}

#[test]
fn other_files_are_refused_with_the_reason() {
    assert!(message(b"").contains("not an HDF5 file") && message(b"(title: \"x\")").contains("\\x89HDF"));
    let rolling = message(include_bytes!("data/rolling.hdf5"));
    assert!(rolling.contains("`fclib_global_rolling/spacedim` is missing"), "{rolling}");
    let newer = message(include_bytes!("data/new-format.hdf5"));
    assert!(newer.contains("superblock") && newer.contains("superblock 0 with 8 bytes"), "{newer}");
}

/// A file with other contents, built by our own writer.
mod made {
    use delassus_fclib::hdf5::{Hdf5Content, Hdf5Group, to_bytes};

    /// Numbers of a problem of one contact; each may be changed.
    pub struct Numbers {
        pub dimension: i32,
        pub size: [i32; 2],
        pub nz: i32,
        pub p: Vec<i32>,
        pub i: Vec<i32>,
        pub x: Vec<f64>,
        pub q: Vec<f64>,
        pub mu: Vec<f64>,
        pub without: &'static str,
    }

    impl Default for Numbers {
        fn default() -> Self {
            let x = vec![1.0, 0.0, 0.0, 1.0];
            let (p, i) = (vec![0, 2, 4], vec![0, 1, 0, 1]);
            Self { dimension: 2, size: [2, 2], nz: -2, p, i, x, q: vec![-1.0, 0.5], mu: vec![0.3], without: "" }
        }
    }

    impl Numbers {
        pub fn file(self) -> Vec<u8> {
            let one = |n| Hdf5Content::Integers(vec![n]);
            let keep = |group: Hdf5Group, name: &str, content| {
                if self.without == name { group } else { group.with(name, content) }
            };
            let mut w = Hdf5Group::default();
            for (name, content) in [
                ("m", one(self.size[0])),
                ("n", one(self.size[1])),
                ("nz", one(self.nz)),
                ("p", Hdf5Content::Integers(self.p)),
                ("i", Hdf5Content::Integers(self.i)),
                ("x", Hdf5Content::Floats(self.x)),
            ] {
                w = keep(w, name, content);
            }
            let vectors = keep(Hdf5Group::default(), "q", Hdf5Content::Floats(self.q));
            let vectors = keep(vectors, "mu", Hdf5Content::Floats(self.mu));
            let local = keep(Hdf5Group::default(), "spacedim", one(self.dimension));
            let local = local.with("W", Hdf5Content::Group(w)).with("vectors", Hdf5Content::Group(vectors));
            to_bytes(Hdf5Group::default().with("fclib_local", Hdf5Content::Group(local))).unwrap_or_default()
        }
    }
}

#[test]
fn numbers_that_do_not_fit_are_named() {
    use made::Numbers;
    assert!(read(&Numbers::default().file()).is_ok());
    let check = |numbers: Numbers, says: &str| {
        let text = message(&numbers.file());
        assert!(text.contains(says), "{text}");
    };
    let usual = Numbers::default;
    check(Numbers { dimension: 4, ..usual() }, "`fclib_local/spacedim` = 4: it should be 2 or 3");
    check(Numbers { size: [3, 2], ..usual() }, "`fclib_local/W/p` = 3 entries: there should be 4");
    check(Numbers { size: [2, 4], ..usual() }, "`fclib_local/W/n` = 4: 1 contacts of 2 components need 2");
    check(Numbers { size: [-2, 2], ..usual() }, "`fclib_local/W/m` = -2: a size must be ≥ 0");
    check(Numbers { nz: -7, ..usual() }, "`fclib_local/W/nz` = -7: it should be");
    check(Numbers { nz: 9, ..usual() }, "`fclib_local/W/nz` = 9: `p`, `i`, `x` have 3, 4, 4 entries");
    check(Numbers { p: vec![0, 2, 5], ..usual() }, "`fclib_local/W/p` = 5: an index must be at least 0 and below 5");
    check(Numbers { i: vec![0, 1, 0, 2], ..usual() }, "`fclib_local/W/i` = 2: an index must be at least 0 and below 2");
    check(Numbers { i: vec![0, 1, 0, -1], ..usual() }, "`fclib_local/W/i` = -1");
    check(Numbers { x: vec![1.0, f64::NAN, 0.0, 1.0], ..usual() }, "= NaN: numbers should be finite");
    check(Numbers { q: vec![0.0; 3], ..usual() }, "`fclib_local/vectors/q` = 3: 1 contacts of 2 components need 2");
    check(Numbers { mu: vec![-0.1], ..usual() }, "`fclib_local/vectors/mu` = -0.1: friction should be");
    for (without, path) in [("q", "vectors/q"), ("mu", "vectors/mu"), ("x", "W/x"), ("spacedim", "spacedim")] {
        check(Numbers { without, ..usual() }, &format!("`fclib_local/{path}` is missing"));
    }
}

/// Zeros that a file stores couple nothing, wherever they stand: W = M⁻¹ and q = M⁻¹ f + w for H = I.
#[test]
fn stored_zeros_of_a_global_problem_couple_nothing() {
    use delassus_fclib::hdf5::{Hdf5Content, Hdf5Group, to_bytes};
    /// Triplets of a matrix of three rows and columns.
    fn matrix(entries: &[(i32, i32, f64)]) -> Hdf5Content {
        let integers = |k: fn(&(i32, i32, f64)) -> i32| Hdf5Content::Integers(entries.iter().map(k).collect());
        let one = |n: i32| Hdf5Content::Integers(vec![n]);
        let group = Hdf5Group::default().with("m", one(3)).with("n", one(3)).with("nz", one(entries.len() as i32));
        let group = group.with("i", integers(|e| e.0)).with("p", integers(|e| e.1));
        Hdf5Content::Group(group.with("x", Hdf5Content::Floats(entries.iter().map(|e| e.2).collect())))
    }
    let problem = |zeros: &[(i32, i32, f64)]| {
        let mass = [&[(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0), (2, 2, 4.0)], zeros].concat();
        let floats = |x: &[f64]| Hdf5Content::Floats(x.to_vec());
        let vectors = Hdf5Group::default().with("mu", floats(&[0.3])).with("f", floats(&[3.0, 0.0, -8.0]));
        let group = Hdf5Group::default()
            .with("spacedim", Hdf5Content::Integers(vec![3]))
            .with("M", matrix(&mass))
            .with("H", matrix(&[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]))
            .with("vectors", Hdf5Content::Group(vectors.with("w", floats(&[0.5, 0.0, 1.0]))));
        let file = Hdf5Group::default().with("fclib_global", Hdf5Content::Group(group));
        space(&to_bytes(file).unwrap()).unwrap()
    };
    let plain = problem(&[]);
    let exact = Matrix::<3>::new(2.0, -1.0, 0.0, -1.0, 2.0, 0.0, 0.0, 0.0, 0.75) / 3.0;
    // A few roundings of numbers of the order of one.
    assert!((plain.operator.block(0, 0) - exact).amax() < 1e-15);
    assert!((plain.v_free[0] - Vector::<3>::new(2.5, -1.0, -1.0)).amax() < 1e-15);
    for zeros in [&[(2, 1, 0.0)][..], &[(1, 2, -0.0), (2, 1, 0.0), (2, 0, 0.0)]] {
        assert!(distance(&plain, &problem(zeros)) == 0.0, "{zeros:?}");
    }
}

/// An array claims more than the file can hold: refused before memory is taken. The number 12 of the array q, contiguous and packed, is changed.
#[test]
fn claims_are_held_against_the_length_of_the_file() {
    // Version 1, one dimension, and its size.
    let extent = |n: u64| [&[1, 1, 1, 0, 0, 0, 0, 0][..], &n.to_le_bytes()].concat();
    // All packed arrays together may have 16 times the file and a megabyte.
    for (bytes, most) in [(COLUMNS, COLUMNS.len()), (PACKED, 16 * PACKED.len() + (1 << 20))] {
        let places: Vec<usize> = (0..bytes.len() - 16).filter(|&k| bytes[k..k + 16] == extent(12)).collect();
        assert!(!places.is_empty());
        for (n, is_told) in [(most / 8 + 1, true), (1 << 40, true), (most / 16, false)] {
            let mut changed = bytes.to_vec();
            places.iter().for_each(|&k| changed[k..k + 16].copy_from_slice(&extent(n as u64)));
            let told = message(&changed);
            let is_refused = told.contains("numbers cannot be in a file of") || told.contains("numbers in a file of");
            assert!(is_refused == is_told && !told.is_empty(), "{n}: {told}");
        }
    }
}

/// Cut anywhere, or with any byte changed: an error or another problem, never a panic.
#[test]
fn damage_is_survived() {
    for bytes in [COLUMNS, include_bytes!("data/space-packed.hdf5"), include_bytes!("data/space-global.hdf5")] {
        for end in (0..bytes.len()).step_by(7) {
            // The last bytes of a file may be unused.
            let _ = read(&bytes[..end]);
        }
        assert!(
            message(&bytes[..bytes.len() / 2]).contains("may be cut off"),
            "{}",
            message(&bytes[..bytes.len() / 2])
        );
        let mut changed = bytes.to_vec();
        for k in (0..bytes.len()).step_by(3) {
            for value in [0, 1, 0x7f, 0xff] {
                changed[k] = value;
                let _ = read(&changed);
            }
            changed[k] = bytes[k];
        }
    }
}

const PACKED: &[u8] = include_bytes!("data/space-packed.hdf5");

fn number_at<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let found: [u8; N] = bytes.get(at..at + N)?.try_into().ok()?;
    Some(found.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
}

/// Where the layouts of chunked arrays of doubles are, and their B-trees.
fn layouts() -> Vec<(usize, usize)> {
    let is_layout = |at: &usize| PACKED[*at..].starts_with(&[3, 2, 2]) && number_at::<4>(PACKED, at + 15) == Some(8);
    let all = (0..PACKED.len()).filter(is_layout);
    let tree_of = |at: usize| number_at::<8>(PACKED, at + 3).and_then(|tree| usize::try_from(tree).ok());
    let with_tree = all.filter_map(|at| Some((at, tree_of(at)?)));
    with_tree.filter(|(_, tree)| PACKED.get(*tree..*tree + 4) == Some(b"TREE")).collect()
}

/// A few kilobytes that unpack to 40 MB of zeros, in place of the first chunk of an array, which may be of the size it had or of 4 GB.
#[test]
fn few_bytes_do_not_become_many() {
    let zeros = vec![0; 1 << 20];
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&zeros.repeat(40), 1);
    let stored = u32::try_from(packed.len()).unwrap();
    let (layout, tree) = layouts()[0];
    for chunk in [None, Some(0x1fff_ffff_u32)] {
        let mut bytes = PACKED.to_vec();
        bytes[tree + 24..tree + 28].copy_from_slice(&stored.to_le_bytes());
        bytes[tree + 48..tree + 56].copy_from_slice(&(PACKED.len() as u64).to_le_bytes());
        if let Some(chunk) = chunk {
            bytes[layout + 11..layout + 15].copy_from_slice(&chunk.to_le_bytes());
        }
        bytes.extend(&packed);
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.code(), "E0904", "{error}");
        let words =
            if chunk.is_some() { "a chunk of 4294967288 bytes for an array of" } else { "longer than it should be" };
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// An array that claims more than 16 times the file is not even begun.
#[test]
fn claims_beyond_the_file_are_refused() {
    let claim = |n: u64, kept: u64| {
        let mut bytes = PACKED.to_vec();
        // Sizes stand in dataspaces, one dimension: version 1, rank 1.
        let spaces: Vec<usize> = (0..PACKED.len() - 16)
            .filter(|at| PACKED[*at..].starts_with(&[1, 1]) && PACKED[at + 3..at + 8] == [0; 5])
            .filter(|at| number_at::<8>(PACKED, at + 8) == Some(kept))
            .collect();
        assert!(!spaces.is_empty(), "no array of {kept}");
        for at in spaces {
            bytes[at + 8..at + 16].copy_from_slice(&n.to_le_bytes());
        }
        read(&bytes).unwrap_err()
    };
    let Ok(Fclib { problem: FclibProblem::Space(problem), .. }) = read(PACKED) else { panic!("a problem of space") };
    let error = claim(1 << 40, problem.n() as u64);
    assert_eq!(error.code(), "E0925", "{error}");
    assert!(error.to_string().contains("declares 1099511627776 numbers in a file of 33256 bytes"), "{error}");
}

const CHUTE: &[u8] = include_bytes!("data/chute-rolling.hdf5");

/// A problem of the FCLIB collection with rolling friction: solved, by two methods, and judged outside of both.
#[test]
fn a_problem_with_rolling_friction_is_solved() {
    let Ok(Fclib { problem: FclibProblem::Space(problem), levers: Some(levers), condensed, .. }) = read(CHUTE) else {
        panic!("a problem of space with moments")
    };
    assert!(condensed && problem.n() == 2 * levers.len());
    problem.validate().unwrap();
    let options = SolverOptions { tolerance: 1e-12, max_iterations: 100_000 };
    for method in [Method::Nlgs, Method::Newton] {
        let mut p = vec![Vector::<3>::zeros(); problem.n()];
        let report = solve_with(method, &problem, &mut p, &options).unwrap();
        assert!(report.converged, "{report:?}");
        assert!(certify(&problem, &p).unwrap().law_error < 3e-12);
        assert!(natural_map_error(&problem, &p) < 1e-11);
        // The conditions themselves, in the units of the file.
        let r = in_file_order(
            3,
            &levers,
            &p.iter().flat_map(|p| p.iter().copied().collect::<Vec<_>>()).collect::<Vec<_>>(),
        );
        assert_eq!(r.len(), 5 * levers.len());
        assert!(r.chunks(5).any(|r| r[0] > 0.0), "something presses");
        let mut wrong = p.clone();
        let pressed = (0..levers.len()).find(|&k| p[2 * k][0] > 0.0).unwrap();
        wrong[2 * pressed + 1][1] += 1e-3 * p[2 * pressed][0];
        assert!(natural_map_error(&problem, &wrong) > 1e-9);
    }
}
