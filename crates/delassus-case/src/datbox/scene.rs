//! What the files of a DATBOX say, in our terms.
//!
//! ```text
//! place of a body       x = coo + X,  turned in the plane by coo3 + X(3)
//! mass                  Umas π avrd², in space Umas 4/3 π avrd³;  moment: mass gyrd²;  avrd = 0: from the shape
//! driven                (CT + AMP cos(OMEGA t + PHI)) min(1, RAMPI + RAMP t)
//! ```

use std::collections::BTreeMap;

use super::DatboxError;
use super::records::{RecordLine, RecordSection, number, sections};

/// Largest turn of a polyhedron that is read from DOF.INI \[rad\]: the square of it is neglected.
const SMALL: f64 = 1e-3;

/// The shape of a contactor, in the axes of its body.
#[derive(Clone, Debug)]
pub enum Contactor {
    /// DISKx, SPHER.
    Round(f64),
    /// POLYG.
    Polygon(Vec<[f64; 2]>),
    /// JONCx: half of its length without the round ends, and half of its thickness.
    Jonc(f64, f64),
    /// POLYR: corners, and triangles of them.
    Polyhedron(Vec<[f64; 3]>, Vec<[usize; 3]>),
    /// PLANx: half of its lengths.
    Plan([f64; 3]),
}

/// A prescribed velocity or a force along a degree of freedom, from 1.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Whether it is a velocity.
    pub is_velocity: bool,
    /// Degree of freedom, from 1.
    pub dof: usize,
    /// CT, AMP, OMEGA, PHI, RAMPI, RAMP.
    pub numbers: [f64; 6],
    /// Its line.
    pub line: RecordLine,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct DatboxBody {
    /// Its number: its place in the file, from 1. What is written behind its type is not read by LMGC90 either.
    pub number: usize,
    /// Nickname of its material.
    pub behav: String,
    /// Radius of the disk or ball of the same mass, 0 for that of the shape.
    pub avrd: f64,
    /// Radius of gyration.
    pub gyrd: f64,
    /// Type of its contactor.
    pub kind: String,
    /// Colour of its contactor.
    pub colour: String,
    /// The shape.
    pub shape: Contactor,
    /// Place of its node, in a plane with z = 0.
    pub place: [f64; 3],
    /// Its turn in the plane \[rad\].
    pub angle: f64,
    /// Its axes in space, as rows.
    pub axes: [[f64; 3]; 3],
    /// Velocity at the start.
    pub velocity: [f64; 3],
    /// Angular velocity at the start; in the plane the last component.
    pub spin: [f64; 3],
    /// What drives it.
    pub drives: Vec<Drive>,
    /// The line where it begins.
    pub line: RecordLine,
}

/// A contact law.
#[derive(Clone, Debug)]
pub struct Law {
    /// Type, as `IQS_CLB`.
    pub kind: String,
    /// Its numbers.
    pub section: RecordSection,
    /// Its line.
    pub line: RecordLine,
}

/// Which contactors meet, and by which law.
#[derive(Clone, Debug)]
pub struct See {
    /// Type and colour of the candidate, and of the antagonist.
    pub sides: [(String, String); 2],
    /// Nickname of the law.
    pub behav: String,
    /// Distance of detection.
    pub alert: f64,
    /// Its line.
    pub line: RecordLine,
}

/// The texts of the files; those that may be left out are empty then.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// BODIES.DAT.
    pub bodies: String,
    /// BULK_BEHAV.DAT.
    pub bulk: String,
    /// TACT_BEHAV.DAT.
    pub tact: String,
    /// DOF.INI.
    pub start: String,
    /// DRV_DOF.DAT.
    pub driven: String,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct DatboxScene {
    /// 2 or 3.
    pub dimension: usize,
    /// The bodies in the order of the file.
    pub bodies: Vec<DatboxBody>,
    /// Densities by nickname.
    pub densities: BTreeMap<String, f64>,
    /// Acceleration.
    pub gravity: [f64; 3],
    /// Contact laws by nickname.
    pub laws: BTreeMap<String, Law>,
    /// Which contactors meet.
    pub sees: Vec<See>,
    /// The time of DOF.INI \[s\].
    pub time: f64,
}

impl DatboxScene {
    /// Reads the texts.
    pub fn read(texts: &Texts) -> Result<Self, DatboxError> {
        let (mut bodies, dimension) = bodies(&texts.bodies)?;
        let (densities, gravity) = bulk(&texts.bulk)?;
        let (laws, sees) = tact(&texts.tact)?;
        let time = start(&texts.start, &mut bodies, dimension)?;
        driven(&texts.driven, &mut bodies, dimension)?;
        Ok(Self { dimension, bodies, densities, gravity, laws, sees, time })
    }

    /// The density of a body.
    pub fn density(&self, body: &DatboxBody) -> Result<f64, DatboxError> {
        let unknown = || body.line.unknown("material", &body.behav, "BULK_BEHAV.DAT");
        self.densities.get(&body.behav).copied().ok_or_else(unknown)
    }

    /// The law of a pair.
    pub fn law(&self, see: &See) -> Result<&Law, DatboxError> {
        self.laws.get(&see.behav).ok_or_else(|| see.line.unknown("contact law", &see.behav, "the file"))
    }
}

impl RecordLine {
    fn unknown(&self, what: &'static str, name: &str, place: &'static str) -> DatboxError {
        let name = delassus_error::excerpt(name);
        DatboxError::Unknown { file: self.file, line: self.number, what, name, place }
    }
}

/// Sections that belong to bodies: each with the name and the number of its body.
fn of_bodies(file: &'static str, text: &str) -> Result<Vec<(RecordLine, usize, Vec<RecordSection>)>, DatboxError> {
    let mut out: Vec<(RecordLine, usize, Vec<RecordSection>)> = Vec::new();
    for section in sections(file, text) {
        if section.name == "bdyty" {
            let Some(line) = section.lines.first() else { continue };
            let words = line.words();
            let number = words.get(1).and_then(|w| w.parse().ok());
            let number = number.ok_or_else(|| line.fault("a type of body and its number, as `RBDY2 7`,"))?;
            if !matches!(words.first(), Some(&("RBDY2" | "RBDY3"))) {
                let what = format!("a body `{}`", words.first().copied().unwrap_or_default());
                return Err(line.lacks(
                    what,
                    "rigid bodies `RBDY2` and `RBDY3` are read; meshes of deformable bodies come from mesh files",
                ));
            }
            out.push((line.clone(), number, Vec::new()));
        } else if let Some((_, _, of)) = out.last_mut() {
            of.push(section);
        }
    }
    Ok(out)
}

fn named<'a>(sections: &'a [RecordSection], name: &str, body: &RecordLine) -> Result<&'a RecordSection, DatboxError> {
    let found = sections.iter().find(|s| s.name == name && !s.lines.is_empty());
    found.ok_or_else(|| body.fault(&format!("a body with a section `${name}`")))
}

fn bodies(text: &str) -> Result<(Vec<DatboxBody>, usize), DatboxError> {
    const FILE: &str = "BODIES.DAT";
    let mut out = Vec::new();
    let mut dimension = None;
    for (place, (line, _, of)) in of_bodies(FILE, text)?.into_iter().enumerate() {
        let number = place + 1;
        let in_space = line.words().first() == Some(&"RBDY3");
        if dimension.replace(if in_space { 3 } else { 2 }).is_some_and(|d| (d == 3) != in_space) {
            return Err(line.fault("a body of the same dimension as the others"));
        }
        let (bulk, node, tact) =
            (named(&of, "blmty", &line)?, named(&of, "nodty", &line)?, named(&of, "tacty", &line)?);
        let behav = bulk.lines[0].words().iter().skip_while(|w| **w != "behav").nth(1).map(|w| (*w).to_owned());
        let behav = behav.ok_or_else(|| bulk.lines[0].fault("`behav` and the nickname of a material"))?;
        let mut place = [0.0; 3];
        for (k, x) in place.iter_mut().enumerate().take(if in_space { 3 } else { 2 }) {
            *x = node.get(&format!("coo{}", k + 1))?;
        }
        let angle = if in_space { 0.0 } else { node.or_zero("coo3")? };
        for k in 4..=if in_space { 6 } else { 3 } {
            if node.or_zero(&format!("coo{k}"))?.abs() > 0.0 {
                return Err(
                    node.lines[0].lacks("a node that is turned in space".to_owned(), "turn the vertices instead")
                );
            }
        }
        let (shape, kind, colour) = contactor(tact, in_space)?;
        out.push(DatboxBody {
            number,
            behav,
            avrd: bulk.or_zero("avrd")?,
            gyrd: bulk.or_zero("gyrd")?,
            kind,
            colour,
            shape,
            place,
            angle,
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            velocity: [0.0; 3],
            spin: [0.0; 3],
            drives: Vec::new(),
            line,
        });
    }
    let dimension = dimension.ok_or(DatboxError::Empty { file: FILE, wanted: "a body, `$bdyty`".to_owned() })?;
    Ok((out, dimension))
}

/// The one contactor of a body, its type and its colour.
fn contactor(tact: &RecordSection, in_space: bool) -> Result<(Contactor, String, String), DatboxError> {
    const REMEDY: &str = "bodies with one DISKx, POLYG, JONCx, SPHER, POLYR or PLANx each are read";
    let line = &tact.lines[0];
    let words = line.words();
    let kind = words.first().copied().unwrap_or_default().to_owned();
    let colour = words.iter().skip_while(|w| **w != "color").nth(1).map(|w| (*w).to_owned());
    let colour = colour.ok_or_else(|| line.fault("`color` and the colour of a contactor"))?;
    let starts =
        |l: &&RecordLine| l.words().get(2).is_some_and(|w| *w == "color") || l.words().get(1) == Some(&"color");
    if let Some(second) = tact.lines[1..].iter().find(starts) {
        return Err(second.lacks("a second contactor of a body".to_owned(), REMEDY));
    }
    let count = |key: &str| -> Result<usize, DatboxError> {
        let n = line.word(key).and_then(|w| w.parse().ok());
        n.ok_or_else(|| line.fault(&format!("`{key}=` and a number")))
    };
    let vertices = |n: usize, d: usize| -> Result<Vec<[f64; 3]>, DatboxError> {
        (1..=n)
            .map(|k| {
                let at = tact.lines.get(k).ok_or_else(|| line.fault("a contactor with all its vertices"))?;
                let mut point = [0.0; 3];
                for (i, x) in point.iter_mut().enumerate().take(d) {
                    let key = format!("coo{}", i + 1);
                    *x = at
                        .word(&key)
                        .and_then(number)
                        .ok_or_else(|| at.fault(&format!("`{key}=` and a finite number")))?;
                }
                Ok(point)
            })
            .collect()
    };
    // No more than there are lines: a number of the file must cost nothing.
    let bounded = |n: usize| n.min(tact.lines.len());
    let shape = match (kind.as_str(), in_space) {
        ("DISKx", false) | ("SPHER", true) => Contactor::Round(tact.get("byrd")?),
        ("JONCx", false) => Contactor::Jonc(tact.get("ax1")?, tact.get("ax2")?),
        ("PLANx", true) => Contactor::Plan([tact.get("axe1")?, tact.get("axe2")?, tact.get("axe3")?]),
        ("POLYG", false) => {
            let all = vertices(bounded(count("nb_vertex")?), 2)?;
            Contactor::Polygon(all.iter().map(|p| [p[0], p[1]]).collect())
        }
        ("POLYR", true) => {
            let n = bounded(count("nb_vertex")?);
            let points = vertices(n, 3)?;
            let mut faces = Vec::new();
            for k in 1..=bounded(count("nb_face")?) {
                let at = tact.lines.get(n + k).ok_or_else(|| line.fault("a contactor with all its faces"))?;
                let corner = |key: &str| {
                    let read = at.word(key).and_then(|w| w.parse::<usize>().ok()).and_then(|c| c.checked_sub(1));
                    read.filter(|&c| c < n).ok_or_else(|| at.fault(&format!("`{key}=` and a number from 1 to {n}")))
                };
                faces.push([corner("ver1")?, corner("ver2")?, corner("ver3")?]);
            }
            Contactor::Polyhedron(points, faces)
        }
        _ => return Err(line.lacks(format!("a contactor `{kind}`"), REMEDY)),
    };
    Ok((shape, kind, colour))
}

fn bulk(text: &str) -> Result<(BTreeMap<String, f64>, [f64; 3]), DatboxError> {
    let (mut densities, mut gravity) = (BTreeMap::new(), [0.0; 3]);
    for section in sections("BULK_BEHAV.DAT", text) {
        if section.name == "gravy" {
            for (k, g) in gravity.iter_mut().enumerate() {
                *g = section.or_zero(&format!("grv{}", k + 1))?;
            }
        } else if let (true, Some(line)) = (section.name == "behav", section.lines.first()) {
            let name = line.words().first().copied().unwrap_or_default().to_owned();
            // Materials of deformable bodies have other numbers; a body that names one has none then.
            if line.words().get(1) == Some(&"RIGID") {
                densities.insert(name, section.get("Umas")?);
            }
        }
    }
    Ok((densities, gravity))
}

fn tact(text: &str) -> Result<(BTreeMap<String, Law>, Vec<See>), DatboxError> {
    let (mut laws, mut sees) = (BTreeMap::new(), Vec::new());
    for section in sections("TACT_BEHAV.DAT", text) {
        match section.name.as_str() {
            "behav" => {
                let Some(line) = section.lines.first().cloned() else { continue };
                let words = line.words();
                let (Some(name), Some(kind)) = (words.first(), words.get(1)) else {
                    return Err(line.fault("the nickname and the type of a contact law"));
                };
                let (name, kind) = ((*name).to_owned(), (*kind).to_owned());
                laws.insert(name, Law { kind, section, line });
            }
            "seety" => {
                for line in section.lines.iter().filter(|l| l.words().first() != Some(&"cdbdy")) {
                    let words = line.words();
                    let alert = words.get(7).and_then(|w| number(w));
                    let (Some(alert), true) = (alert, words.len() >= 8) else {
                        return Err(line.fault("body, contactor, colour, law, body, contactor, colour, alert"));
                    };
                    let side = |k: usize| (words[k].to_owned(), words[k + 1].to_owned());
                    let (sides, behav) = ([side(1), side(5)], words[3].to_owned());
                    sees.push(See { sides, behav, alert, line: line.clone() });
                }
            }
            _ => {}
        }
    }
    Ok((laws, sees))
}

/// Moves the bodies to where they are at the start; returns its time.
fn start(text: &str, bodies: &mut [DatboxBody], dimension: usize) -> Result<f64, DatboxError> {
    let time = text.lines().find(|l| l.trim_start().starts_with("$steps"));
    let time = time.and_then(|l| number(l.split("time=").nth(1)?.split_whitespace().next()?)).unwrap_or(0.0);
    for (line, number, of) in of_bodies("DOF.INI", text)? {
        let node = named(&of, "nodty", &line)?;
        let body = bodies.iter_mut().find(|b| b.number == number);
        let body = body.ok_or_else(|| line.unknown("body", &number.to_string(), "BODIES.DAT"))?;
        let of = |key: char, k: usize| node.or_zero(&format!("{key}({k})"));
        if dimension == 2 {
            for k in 0..2 {
                body.place[k] += of('X', k + 1)?;
                body.velocity[k] = of('V', k + 1)?;
            }
            body.angle += of('X', 3)?;
            body.spin[2] = of('V', 3)?;
            continue;
        }
        for k in 0..3 {
            body.place[k] += of('X', k + 1)?;
            body.velocity[k] = of('V', k + 1)?;
        }
        if node.find("a(1)").is_some() {
            // The third axis is called g or c.
            let third = if node.find("g(1)").is_some() { 'g' } else { 'c' };
            for (axis, key) in body.axes.iter_mut().zip(['a', 'b', third]) {
                for (k, x) in axis.iter_mut().enumerate() {
                    *x = of(key, k + 1)?;
                }
            }
        }
        if matches!(body.shape, Contactor::Polyhedron(..)) {
            // Its axes are those of its inertia in any order; X(4) to X(6) tell how far it has turned.
            let turns = [of('X', 4)?, of('X', 5)?, of('X', 6)?];
            if turns.iter().any(|x| x.abs() > SMALL) {
                return Err(node.lines[0].lacks(
                    "a polyhedron that has turned by more than 1e-3 rad".to_owned(),
                    "its axes are those of its inertia, whose order the files do not tell: start from bodies as they stand in BODIES.DAT",
                ));
            }
        }
        // Angular velocities are along the axes of the body.
        let own = [of('V', 4)?, of('V', 5)?, of('V', 6)?];
        body.spin = std::array::from_fn(|i| (0..3).map(|k| body.axes[k][i] * own[k]).sum());
        if matches!(body.shape, Contactor::Polyhedron(..)) {
            let [x, y, z] = [of('X', 4)?, of('X', 5)?, of('X', 6)?];
            body.axes = [[1.0, z, -y], [-z, 1.0, x], [y, -x, 1.0]];
        }
    }
    Ok(time)
}

fn driven(text: &str, bodies: &mut [DatboxBody], dimension: usize) -> Result<(), DatboxError> {
    let most = if dimension == 2 { 3 } else { 6 };
    for (line, of_body, of) in of_bodies("DRV_DOF.DAT", text)? {
        let body = bodies.iter_mut().find(|b| b.number == of_body);
        let body = body.ok_or_else(|| line.unknown("body", &of_body.to_string(), "BODIES.DAT"))?;
        for line in of.iter().filter(|s| s.name == "dofty").flat_map(|s| &s.lines) {
            let words = line.words();
            let dof = words.get(1).and_then(|w| w.parse().ok()).filter(|d| (1..=most).contains(d));
            let dof: usize =
                dof.ok_or_else(|| line.fault(&format!("a number of a degree of freedom from 1 to {most}")))?;
            let is_velocity = match words.first() {
                Some(&"vlocy") => true,
                Some(&"force") => false,
                _ => return Err(line.fault("`vlocy` or `force`")),
            };
            if words.get(2) == Some(&"evolution") {
                let what = "a drive by a file (`evolution`)".to_owned();
                return Err(
                    line.lacks(what, "write it as CT, AMP, OMEGA, PHI, RAMPI, RAMP, or into the case as a `Table`")
                );
            }
            let read: Option<Vec<f64>> = words.iter().skip(2).map(|w| number(w)).collect();
            let numbers = read.and_then(|n| <[f64; 6]>::try_from(n).ok());
            let numbers = numbers.ok_or_else(|| line.fault("six numbers, CT AMP OMEGA PHI RAMPI RAMP,"))?;
            body.drives.push(Drive { is_velocity, dof, numbers, line: line.clone() });
        }
    }
    Ok(())
}
