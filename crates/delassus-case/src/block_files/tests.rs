use super::*;

fn code(name: &str, text: &str) -> (&'static str, String) {
    match read(name, text.as_bytes()) {
        Ok(blocks) => ("", format!("{blocks:?}")),
        Err(e) => (e.code().0, e.to_string()),
    }
}

#[test]
fn shapes_in_lists() {
    let text =
        r#"{"blocks": [{"vertices": [[0, 0], [2, 0], [2, 1.5]]}, {"faces": null, "vertices": [[0,0],[1,0],[0,1]]}]}"#;
    let blocks = read("x.json", text.as_bytes()).unwrap();
    assert_eq!((blocks.len(), blocks[0].points[2]), (2, [2.0, 1.5, 0.0]));
    let solid = r#"[{"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]]}]"#;
    let blocks = read("x.json", solid.as_bytes()).unwrap();
    assert_eq!(blocks[0].faces[2], [1, 2, 3]);
}

#[test]
fn disks_and_balls_and_motions_of_their_own() {
    let text = r#"[{"centre": [1, 2], "radius": 0.5, "velocity": [3, -4], "spin": 5}, {"vertices": [[0,0],[1,0],[0,1]], "spin": [1, 2, 3]}]"#;
    let blocks = read("x.json", text.as_bytes()).unwrap();
    assert_eq!((blocks[0].points.len(), blocks[0].points[0], blocks[0].radius), (1, [1.0, 2.0, 0.0], Some(0.5)));
    assert_eq!((blocks[0].velocity, blocks[0].spin), ([3.0, -4.0, 0.0], [0.0, 0.0, 5.0]));
    assert_eq!((blocks[1].radius, blocks[1].spin), (None, [1.0, 2.0, 3.0]));
    for wrong in [
        r#"[{"centre": [1, 2], "radius": 0}]"#,
        r#"[{"centre": [1], "radius": 1}]"#,
        r#"[{"centre": [1, "x"], "radius": 1}]"#,
        r#"[{"vertices": [[0,0],[1,0],[0,1]], "velocity": 3}]"#,
        r#"[{"vertices": [[0,0],[1,0],[0,1]], "spin": [1, 2]}]"#,
    ] {
        let (found, message) = code("x.json", wrong);
        assert_eq!(found, "E0456", "{wrong}: {message}");
    }
}

/// Meshes as version 1 writes them (names as words, default values left out), as version 2 does, and in an assembly, whose nodes come by their numbers.
#[test]
fn meshes_of_compas() {
    let vertex =
        r#""vertex": {"0": {"x": 0.0}, "2": {"y": 1.0, "x": 0.0, "z": 0.0}, "10": {"x": 1.0}, "11": {"z": 1.0}}"#;
    let v1 = format!(r#"{{"value": {{{vertex}, "face": {{"0": ["0", "2", "10"], "1": ["0", "10", "11"]}}}}}}"#);
    let v2 = format!(
        r#"{{"data": {{{vertex}, "face": {{"0": [0, 2, 10], "1": [0, 10, 11]}}}}, "dtype": "compas.datastructures/Mesh"}}"#
    );
    let block = FileBlock {
        points: vec![[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        faces: vec![vec![0, 1, 2], vec![0, 2, 3]],
        ..FileBlock::default()
    };
    assert_eq!(read("x.json", v1.as_bytes()).unwrap(), std::slice::from_ref(&block));
    assert_eq!(read("x.json", v2.as_bytes()).unwrap(), std::slice::from_ref(&block));
    let other = r#"{"vertices": [[7, 0], [1, 0], [0, 1]]}"#;
    let assembly = format!(r#"{{"graph": {{"node": {{"10": {{"block": {other}}}, "9": {{"block": {v2}}}}}}}}}"#);
    let blocks = read("x.json", assembly.as_bytes()).unwrap();
    assert_eq!((blocks.len(), &blocks[0]), (2, &block));
}

const BODY: &str = "! comment\n$bdyty\n RBDY3      1\n$blmty\n PLAIN      1  behav  PLEXx  avrd= 0.0D+00  gyrd= 0.0D+00\n                             I1  = 0.0D+00\n$nodty\n NO6xx      1                coo1= 0.1D+01  coo2=-0.2D+01  coo3= 0.0D+00\n                             coo4= 0.0D+00  coo5= 0.0D+00  coo6= 0.0D+00\n$tacty\n POLYR      1  color  BLEUx  nb_vertex=    4      nb_face=    4\n  coo1= 0.0D+00  coo2= 0.0D+00  coo3= 0.0D+00\n  coo1= 0.1D+01  coo2= 0.0D+00  coo3= 0.0D+00\n  coo1= 0.0D+00  coo2= 0.1D+01  coo3= 0.0D+00\n  coo1= 0.0D+00  coo2= 0.0D+00  coo3= 0.5D+00\n ver1= 1 ver2= 2 ver3= 3\n ver1= 1 ver2= 2 ver3= 4\n ver1= 2 ver2= 3 ver3= 4\n ver1= 1 ver2= 4 ver3= 3\n$$$$$$\n";

#[test]
fn bodies_of_lmgc90() {
    let blocks = read("BODIES.DAT", BODY.as_bytes()).unwrap();
    assert_eq!((blocks.len(), blocks[0].points[3]), (1, [1.0, -2.0, 0.5]));
    // The first face looked inwards, the others outwards.
    assert_eq!(blocks[0].faces, [vec![2, 1, 0], vec![0, 1, 3], vec![1, 2, 3], vec![0, 3, 2]]);
    let plane = "$bdyty\n RBDY2 1\n$nodty\n NO3xx 1 coo1= 0.5 coo2= 0.0 coo3= 0.0D+00\n$tacty\n POLYG 1 color REDxx nb_vertex= 3 byrd= 0.0\n coo1= 0.0 coo2= 0.0\n coo1= 1.0 coo2= 0.0\n coo1= 0.0 coo2= 1.0\n$$$$$$\n";
    let blocks = read("bodies.dat", plane.as_bytes()).unwrap();
    assert_eq!(blocks[0].points, [[0.5, 0.0, 0.0], [1.5, 0.0, 0.0], [0.5, 1.0, 0.0]]);
}

#[test]
fn hostile_files() {
    let cases = [
        ("x.json", "{".to_owned(), "E0452"),
        ("x.json", "[".repeat(100_000), "E0452"),
        ("x.json", "{\"blocks\": []}".to_owned(), "E0453"),
        ("x.json", "[1, \"two\", null]".to_owned(), "E0453"),
        ("x.dat", "! nothing\n".to_owned(), "E0453"),
        ("x.json", "[{\"vertices\": [[0, 0], [1]]}]".to_owned(), "E0454"),
        ("x.json", "[{\"vertices\": [[0, 0], [1, 0, 0]]}]".to_owned(), "E0454"),
        ("x.json", "[{\"vertices\": [[0, 0, \"a\"]]}]".to_owned(), "E0454"),
        ("x.json", "[{\"vertices\": [[0, 0, 1e999]]}]".to_owned(), "E0452"),
        ("x.json", "{\"vertex\": {\"0\": 3}, \"face\": {}}".to_owned(), "E0454"),
        ("x.json", "[{\"vertices\": [[0,0,0]], \"faces\": [[0, 0, 1]]}]".to_owned(), "E0455"),
        ("x.json", "[{\"vertices\": [[0,0,0]], \"faces\": [[0, 0, -1]]}]".to_owned(), "E0455"),
        ("x.json", "[{\"vertices\": [[0,0,0]], \"faces\": [[0, 0]]}]".to_owned(), "E0455"),
        ("x.json", "{\"vertex\": {\"0\": {}}, \"face\": {\"0\": [0, 0, 5]}}".to_owned(), "E0455"),
        ("x.json", "[{\"vertices\": [[0,0,0]]}]".to_owned(), "E0456"),
        ("x.json", "[{\"vertices\": [[0,0]], \"faces\": [[0, 0, 0]]}]".to_owned(), "E0456"),
        ("x.json", "[{\"vertices\": [[0,0]], \"faces\": 3}]".to_owned(), "E0456"),
        ("x.json", "{\"vertex\": {\"0\": {}}, \"face\": {}}".to_owned(), "E0456"),
        ("x.dat", "hello".to_owned(), "E0457"),
        ("x.dat", "$bdyty\n MAILx 1\n".to_owned(), "E0457"),
        ("x.dat", BODY.replace("ver3= 4\n ver1= 2", "ver3= 9\n ver1= 2"), "E0457"),
        ("x.dat", BODY.replace("nb_vertex=    4", "nb_vertex=    99999999999999999999"), "E0457"),
        ("x.dat", BODY.replace("nb_vertex=    4", "nb_vertex=    18446744073709551615"), "E0457"),
        ("x.dat", BODY.replace("coo3= 0.5D+00", "coo3= nan"), "E0457"),
        ("x.dat", BODY.replace("POLYR", "SPHER"), "E0458"),
        ("x.dat", BODY.replace("$$$$$$", " POLYR 2 color BLEUx nb_vertex= 0 nb_face= 0\n$$$$$$"), "E0458"),
        ("x.dat", BODY.replace("coo5= 0.0D+00", "coo5= 0.1D+00"), "E0459"),
    ];
    for (name, text, wanted) in cases {
        let (found, message) = code(name, &text);
        let shown: String = text.chars().take(60).collect();
        assert_eq!(found, wanted, "{shown}: {message}");
        assert!(message.len() < 400, "{message}");
    }
    // Every part of a sound file, and every byte changed.
    for end in 0..BODY.len() {
        let _ = code("x.dat", &BODY[..end]);
        let mut bytes = BODY.as_bytes().to_vec();
        bytes[end] = bytes[end].wrapping_add(5) & 0x7f;
        assert!(read("x.dat", &bytes).map_or(true, |blocks| blocks.len() <= 1), "a body more at byte {end}");
    }
}
