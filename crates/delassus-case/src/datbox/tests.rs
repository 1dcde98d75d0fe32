use super::*;

const BODIES: &str = "! a comment
$bdyty
 RBDY2      1
$blmty
 PLAIN      1  behav  stone  avrd= 0.0D+00  gyrd= 0.0D+00
$nodty
 NO3xx      1                coo1= 0.1D+01  coo2= 0.2D+01  coo3= 0.0D+00
$tacty
 POLYG      1  color  BLEUx  nb_vertex=    3
                             coo1= 0.0D+00  coo2= 0.0D+00
                             coo1= 1.0D+00  coo2= 0.0D+00
                             coo1= 0.0D+00  coo2= 1.0D+00
$$$$$$
$bdyty
 RBDY2      2
$blmty
 PLAIN      1  behav  stone  avrd= 0.5D+00  gyrd= 0.35D+00
$nodty
 NO3xx      1                coo1= 0.5D+01  coo2= 0.5D+01  coo3= 0.0D+00
$tacty
 DISKx      1  color  BLEUx  byrd= 0.5D+00
$$$$$$
$bdyty
 RBDY2      3
$blmty
 PLAIN      1  behav  floor  avrd= 0.1D+00  gyrd= 0.1D+01
$nodty
 NO3xx      1                coo1= 0.0D+00  coo2=-0.1D+01  coo3= 1.5707963267948966D+00
$tacty
 JONCx      1  color  VERTx  ax1 = 0.4D+01  ax2 = 0.5D-01
$$$$$$
";

const BULK: &str = "$gravy
                   grv1= 0.0D+00  grv2=-0.981D+01  grv3= 0.0D+00
$behav  lawty
 stone  RIGID                           Umas= 0.2D+04
$behav  lawty
 floor  RIGID                           Umas= 0.1D+04
";

const TACT: &str = "$behav  lawty
 iqsc0  IQS_CLB                         fric= 0.3D+00
$behav  lawty
 rstc0  RST_CLB                         rstn= 0.5D+00  rstt= 0.1D+00
                                        fric= 0.4D+00
$behav  lawty
 other  IQS_WET_CLB                     fric= 0.4D+00
$seety
 cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert
 RBDY2  POLYG  BLEUx  iqsc0  RBDY2  JONCx  VERTx       0.5D-01
$seety
 cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert
 RBDY2  DISKx  BLEUx  rstc0  RBDY2  JONCx  VERTx       0.5D-01
$seety
 RBDY2  SPHER  BLEUx  other  RBDY2  JONCx  VERTx       0.5D-01
";

const START: &str = "$steps      5                time= 0.25D+00
$bdyty
 RBDY2      1
$nodty
 NO3xx      1                X(1)= 0.5D+00  X(2)= 0.0D+00  X(3)= 1.5707963267948966D+00
                             V(1)= 0.1D+00  V(2)=-0.2D+00  V(3)= 0.3D+01
$$$$$$
";

const DRIVEN: &str = "$bdyty
 RBDY2      3
$nodty
 NO3xx      1
$dofty        [CT......+......AMP..*..cos.(..OMEGA.*.time.+.PHI..)]...*...[RAMPI.....+.....RAMP.*.time]
 vlocy      1  0.1D+01  0.2D+01  0.3D+01  0.4D+00  0.0D+00  0.2D+01
 vlocy      2  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00
 vlocy      3  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00
$$$$$$
$bdyty
 RBDY2      2
$nodty
 NO3xx      1
$dofty
 force      2 -0.7D+01  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00
 force      3  0.2D+01  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00
$$$$$$
";

const SCHEDULE: Schedule = Schedule { step: 1e-3, duration: 0.5, theta: 0.5 };

fn texts() -> Texts {
    let own = str::to_owned;
    Texts { bodies: own(BODIES), bulk: own(BULK), tact: own(TACT), start: own(START), driven: own(DRIVEN) }
}

/// What the case of a scene becomes.
fn made(texts: &Texts) -> (WrittenCase, tempfile::TempDir) {
    let written = DatboxScene::read(texts).unwrap().write("t", SCHEDULE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    write_folder(&written, folder.path()).unwrap();
    (written, folder)
}

#[test]
fn a_plane_scene_becomes_a_case() {
    let (written, folder) = made(&texts());
    let file = std::fs::read_to_string(folder.path().join(&written.files[0].0)).unwrap();
    assert_eq!(
        file,
        "{\"blocks\":[{\"spin\":3.0,\"velocity\":[0.1,-0.2],\"vertices\":[[1.5,2.0],[1.5,3.0],[0.5,2.0]]}]}\n"
    );
    let capsule = "Capsule(from: (-2.4492935982947064e-16, -5.0), to: (2.4492935982947064e-16, 3.0), radius: 0.05)";
    assert!(written.case.contains(capsule), "{}", written.case);
    for part in [
        "law: Restitution(friction: 0.3), initial_penetration: 0.05",
        "law: Restitution(normal: 0.5, tangential: 0.1, friction: 0.4)",
        "Gravity(acceleration: (0.0, -9.81))",
        "x: Expression(\"(1.0 + 2.0*cos(3.0*(t + 0.25) + 0.4))*min(1, 0.0 + 2.0*(t + 0.25))\"), y: 0.0, spin: 0.0",
        "force: (0.0, 1.0), factor: -7.0",
        "moment: [1.0], factor: 2.0",
    ] {
        assert!(written.case.contains(part), "{part} is not in\n{}", written.case);
    }
    let again = write_folder(&written, folder.path()).unwrap_err();
    assert_eq!(again.code().0, "E0695", "{again}");
}

/// A cube of edges 2 of triangles that look either way, a ball, a plane that is turned.
fn space() -> Texts {
    let mut cube = String::new();
    for k in 0..8 {
        let at = |i: usize| if (k >> i) & 1 == 1 { "1.0D+00" } else { "-1.0D+00" };
        cube += &format!("                             coo1= {}  coo2= {}  coo3= {}\n", at(0), at(1), at(2));
    }
    for face in [
        [1, 3, 4],
        [1, 2, 4],
        [5, 6, 8],
        [5, 7, 8],
        [1, 2, 6],
        [1, 5, 6],
        [3, 4, 8],
        [3, 7, 8],
        [1, 3, 7],
        [1, 5, 7],
        [2, 4, 8],
        [2, 6, 8],
    ] {
        cube += &format!("                             ver1= {}  ver2= {}  ver3= {}\n", face[0], face[1], face[2]);
    }
    let body = |n: usize, behav: &str, z: f64, tacty: &str| {
        format!(
            "$bdyty\n RBDY3 {n}\n$blmty\n PLAIN 1 behav {behav} avrd= 0.0 gyrd= 0.0\n$nodty\n NO6xx 1 coo1= 0.0 coo2= 0.0 coo3= {z}\n coo4= 0.0 coo5= 0.0 coo6= 0.0\n$tacty\n{tacty}$$$$$$\n"
        )
    };
    let bodies = body(1, "stone", 1.0, &format!(" POLYR 1 color BLEUx nb_vertex= 8 nb_face= 12\n{cube}"))
        + &body(2, "stone", 3.5, " SPHER 1 color BLEUx byrd= 0.5\n")
        + &body(3, "floor", 0.0, " PLANx 1 color VERTx axe1= 0.2 axe2= 3.0 axe3= 4.0\n");
    // The plane is turned so that its first axis, the thin one, looks downwards.
    let start = "$steps 0 time= 0.0\n$bdyty\n RBDY3 3\n$nodty\n NO6xx 1 X(1)= 0.0 X(2)= 0.0 X(3)=-0.2\n X(4)= 0.0 X(5)= 0.0 X(6)= 0.0\n V(1)= 0.0 V(2)= 0.0 V(3)= 0.0\n V(4)= 0.0 V(5)= 0.0 V(6)= 0.0\n a(1)= 0.0 a(2)= 0.0 a(3)=-1.0\n b(1)= 0.0 b(2)= 1.0 b(3)= 0.0\n g(1)= 1.0 g(2)= 0.0 g(3)= 0.0\n$$$$$$\n$bdyty\n RBDY3 2\n$nodty\n NO6xx 1 X(1)= 0.0 V(3)=-2.0\n V(4)= 0.0 V(5)= 0.0 V(6)= 7.0\n$$$$$$\n";
    let dofs: String = (1..=6).map(|k| format!(" vlocy {k} 0.0 0.0 0.0 0.0 1.0 0.0\n")).collect();
    let driven = format!("$bdyty\n RBDY3 3\n$nodty\n NO6xx 1\n$dofty\n{dofs}$$$$$$\n");
    let tact = "$behav lawty\n gap00 GAP_SGR_CLB fric= 0.3\n$seety\n RBDY3 POLYR BLEUx gap00 RBDY3 PLANx VERTx 0.5D-01\n$seety\n RBDY3 SPHER BLEUx gap00 RBDY3 POLYR BLEUx 0.5D-01\n";
    Texts { bodies, bulk: BULK.to_owned(), tact: tact.to_owned(), start: start.to_owned(), driven }
}

#[test]
fn a_scene_in_space_becomes_a_case() {
    let (written, _folder) = made(&space());
    assert!(written.case.contains("law: SignoriniCoulomb(friction: 0.3)"), "{}", written.case);
    let ball =
        "{\"blocks\":[{\"centre\":[0.0,0.0,3.5],\"radius\":0.5,\"spin\":[0.0,0.0,7.0],\"velocity\":[0.0,0.0,-2.0]}]}\n";
    assert_eq!(written.files[1].1, ball);
    // The thin axis of the plane is upright: its corners are at z = -0.4 and 0.
    assert!(written.files[2].1.contains("[-4.0,-3.0,0.0],[-4.0,-3.0,-0.4]"), "{}", written.files[2].1);
}

/// The code of what is wrong with texts, if anything is.
fn code(texts: &Texts) -> String {
    let made = DatboxScene::read(texts).and_then(|scene| scene.write("t", SCHEDULE));
    made.err().map_or_else(String::new, |e| {
        assert!(e.to_string().len() < 400, "{e}");
        e.code().0.to_owned()
    })
}

#[test]
fn damaged_files_have_codes() {
    type Change = fn(&mut Texts, &str, &str);
    let damaged: [(Change, &str, &str, &str); 13] = [
        (|t, a, b| t.bodies = t.bodies.replace(a, b), "byrd= 0.5D+00", "byrd= nan", "E0692"),
        (|t, a, b| t.bodies = t.bodies.replace(a, b), "nb_vertex=    3", "nb_vertex=    4", "E0692"),
        (|t, a, b| t.bodies = t.bodies.replace(a, b), "$nodty", "$other", "E0692"),
        (|t, a, b| t.bodies = t.bodies.replace(a, b), BODIES, "", "E0692"),
        (|t, a, b| t.bodies = t.bodies.replace(a, b), "DISKx", "xKSID", "E0694"),
        (|t, a, b| t.bodies = t.bodies.replace(a, b), "RBDY2      2", "MAILx      2", "E0694"),
        (|t, a, b| t.bulk = t.bulk.replace(a, b), " stone", " stony", "E0693"),
        (|t, a, b| t.tact = t.tact.replace(a, b), "BLEUx  iqsc0", "BLEUx  iqsc7", "E0693"),
        (|t, a, b| t.tact = t.tact.replace(a, b), "IQS_CLB", "IQS_WET_CLB", "E0694"),
        (|t, a, b| t.tact = t.tact.replace(a, b), "VERTx       0.5D-01", "VERTx", "E0692"),
        (|t, a, b| t.start = t.start.replace(a, b), "RBDY2      1", "RBDY2      9", "E0693"),
        (
            |t, a, b| t.driven = t.driven.replace(a, b),
            "vlocy      1  0.1D+01  0.2D+01",
            "vlocy      1  evolution x.dat",
            "E0694",
        ),
        (|t, a, b| t.driven = t.driven.replace(a, b), "vlocy      1", "vlocy      7", "E0692"),
    ];
    for (damage, from, to, wanted) in damaged {
        let mut broken = texts();
        damage(&mut broken, from, to);
        assert_eq!(code(&broken), wanted, "{from} -> {to}");
    }
    let mut turned = space();
    turned.start += "$bdyty\n RBDY3 1\n$nodty\n NO6xx 1 X(1)= 0.0 X(6)= 1.5\n a(1)= 0.0 a(2)= 1.0 a(3)= 0.0\n b(1)=-1.0 b(2)= 0.0 b(3)= 0.0\n g(1)= 0.0 g(2)= 0.0 g(3)= 1.0\n$$$$$$\n";
    assert_eq!(code(&turned), "E0694", "a polyhedron that is turned");
    let mut half = space();
    half.driven = half.driven.replace(" vlocy 6 0.0 0.0 0.0 0.0 1.0 0.0\n", "");
    assert_eq!(code(&half), "E0694", "a turn about two of three axes");
    assert_eq!(code(&texts()), "");
    // No part of a file makes it panic.
    for end in (0..BODIES.len()).filter(|&k| BODIES.is_char_boundary(k)) {
        let _ = code(&Texts { bodies: BODIES[..end].to_owned(), ..texts() });
        let _ = code(&Texts { driven: DRIVEN[..end.min(DRIVEN.len())].to_owned(), ..texts() });
        let _ = code(&Texts { tact: TACT[..end.min(TACT.len())].to_owned(), ..texts() });
    }
}
