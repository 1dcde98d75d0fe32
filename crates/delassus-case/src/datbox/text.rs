//! The case of a scene, and its files of blocks.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use delassus_math as math;
use serde_json::{Value, json};

use super::DatboxError;
use super::scene::{Contactor, DatboxBody, DatboxScene, Drive, Law};

/// Relative difference of masses beyond which `avrd` is no more that of the shape.
const SAME_MASS: f64 = 1e-3;

/// What is not in the files.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Length of a step \[s\].
    pub step: f64,
    /// Duration \[s\].
    pub duration: f64,
    /// θ of the scheme.
    pub theta: f64,
}

/// A case and its files, by name.
#[derive(Clone, Debug)]
pub struct WrittenCase {
    /// The text of the case.
    pub case: String,
    /// Files of blocks: name and text.
    pub files: Vec<(String, String)>,
}

/// Bodies that are one entry of the case.
struct BlockGroup<'a> {
    name: String,
    members: Vec<&'a DatboxBody>,
    /// Whether it is an entry with one shape.
    is_single: bool,
}

impl DatboxScene {
    /// The case, with the steps that the files do not tell.
    pub fn write(&self, title: &str, schedule: Schedule) -> Result<WrittenCase, DatboxError> {
        let groups = self.groups()?;
        let mut files = Vec::new();
        let mut case = String::from("// Made from files of LMGC90 by `delassus import`.\n(\n");
        let title: String = title.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\')).collect();
        line(&mut case, 1, &format!("title: \"{title}\","));
        line(&mut case, 1, &format!("dimension: {},", self.dimension));
        line(&mut case, 1, "materials: [],");
        line(&mut case, 1, "bodies: [");
        for group in &groups {
            let (entry, file) = self.entry(group)?;
            line(&mut case, 2, &entry);
            files.extend(file);
        }
        line(&mut case, 1, "],");
        line(&mut case, 1, "contacts: [");
        self.contacts(&groups)?.iter().for_each(|c| line(&mut case, 2, c));
        line(&mut case, 1, "],");
        let (motions, loads) = self.drives(&groups)?;
        for (key, entries) in [("motions", motions), ("loads", loads)] {
            if !entries.is_empty() {
                line(&mut case, 1, &format!("{key}: ["));
                entries.iter().for_each(|e| line(&mut case, 2, e));
                line(&mut case, 1, "],");
            }
        }
        let Schedule { step, duration, theta } = schedule;
        line(&mut case, 1, &format!("integrator: Theta(theta: {theta:?}),"));
        line(&mut case, 1, &format!("step: {step:?},"));
        line(&mut case, 1, &format!("duration: {duration:?},"));
        line(&mut case, 1, "solver: Nlgs(tolerance: 1e-6, on_failure: AcceptAndFlag),");
        // Some fifty frames.
        let every = (duration / step / 50.0).ceil().clamp(1.0, 1e9);
        line(&mut case, 1, &format!("output: (every: {every}),"));
        case.push_str(")\n");
        Ok(WrittenCase { case, files })
    }

    /// Bodies of one material, type, colour and drive are one entry; joncs and bodies with masses of their own are entries by themselves.
    fn groups(&self) -> Result<Vec<BlockGroup<'_>>, DatboxError> {
        let mut out: Vec<BlockGroup<'_>> = Vec::new();
        let mut known: BTreeMap<(String, String, String, String), usize> = BTreeMap::new();
        for body in &self.bodies {
            let is_single = matches!(body.shape, Contactor::Jonc(..)) || self.own_inertia(body)?.is_some();
            if is_single {
                out.push(BlockGroup { name: format!("body-{}", body.number), members: vec![body], is_single });
                continue;
            }
            let drives: Vec<String> =
                body.drives.iter().map(|d| format!("{d:?}", d = (d.is_velocity, d.dof, d.numbers))).collect();
            let key = (body.behav.clone(), body.kind.clone(), body.colour.clone(), drives.join(" "));
            let k = *known.entry(key).or_insert(out.len());
            if k == out.len() {
                out.push(BlockGroup { name: String::new(), members: Vec::new(), is_single });
            }
            out[k].members.push(body);
        }
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for group in out.iter_mut().filter(|g| !g.is_single) {
            let first = group.members[0];
            let fixed = if first.drives.is_empty() { "" } else { "driven " };
            let name: String = format!("{fixed}{} {} {}", first.behav, first.kind, first.colour)
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ') { c } else { '-' })
                .collect();
            let times = names.entry(name.clone()).or_default();
            *times += 1;
            group.name = if *times > 1 { format!("{name} {times}") } else { name };
        }
        Ok(out)
    }

    /// Mass and moment of a body where `avrd` says another mass than shape and density, and nothing prescribes its motion.
    fn own_inertia(&self, body: &DatboxBody) -> Result<Option<(f64, f64)>, DatboxError> {
        let all = if self.dimension == 2 { 3 } else { 6 };
        let held = body.drives.iter().filter(|d| d.is_velocity).count();
        if body.avrd.abs() <= 0.0 || held >= all {
            return Ok(None);
        }
        let pi = std::f64::consts::PI;
        let content = if self.dimension == 2 { pi * body.avrd.powi(2) } else { 4.0 / 3.0 * pi * body.avrd.powi(3) };
        if (content / body.shape.content() - 1.0).abs() <= SAME_MASS {
            return Ok(None);
        }
        let mass = self.density(body)? * content;
        Ok(Some((mass, mass * body.gyrd.powi(2))))
    }

    /// The entry of a group, and its file.
    fn entry(&self, group: &BlockGroup<'_>) -> Result<(String, Option<(String, String)>), DatboxError> {
        let first = group.members[0];
        let density = self.density(first)?;
        if !group.is_single {
            let file = format!("{}.json", group.name.replace(' ', "-"));
            let blocks: Vec<Value> = group.members.iter().map(|b| self.block(b)).collect();
            let text = format!("{}\n", json!({ "blocks": blocks }));
            let entry = format!(
                "(name: \"{}\", mesh: Blocks(File(file: \"{file}\", count: {})), inertia: (density: {density:?})),",
                group.name,
                group.members.len()
            );
            return Ok((entry, Some((file, text))));
        }
        let inertia = match self.own_inertia(first)? {
            None => format!("density: {density:?}"),
            Some((mass, moment)) if self.dimension == 2 => format!("mass: {mass:?}, moments: [{moment:?}]"),
            Some((mass, moment)) => format!("mass: {mass:?}, moments: [{moment:?}, {moment:?}, {moment:?}]"),
        };
        let mut entry = format!("(name: \"{}\", mesh: {}, inertia: ({inertia})", group.name, self.shape(first));
        let d = self.dimension;
        if first.velocity.iter().any(|v| v.abs() > 0.0) {
            let _ = write!(entry, ", velocity: {}", tuple(&first.velocity[..d]));
        }
        let spin = first.spin.iter().map(|w| w * w).sum::<f64>().sqrt();
        if spin > 0.0 {
            if d == 2 {
                let _ = write!(entry, ", spin: {:?}", first.spin[2]);
            } else {
                let _ = write!(entry, ", spin: {spin:?}, spin_axis: {}", tuple(&first.spin));
            }
        }
        Ok((format!("{entry}),"), None))
    }

    /// A point of a body in space.
    fn placed(&self, body: &DatboxBody, x: [f64; 3]) -> [f64; 3] {
        if self.dimension == 2 {
            let (sin, cos) = math::sin_cos(body.angle);
            return [body.place[0] + cos * x[0] - sin * x[1], body.place[1] + sin * x[0] + cos * x[1], 0.0];
        }
        std::array::from_fn(|i| body.place[i] + (0..3).map(|k| body.axes[k][i] * x[k]).sum::<f64>())
    }

    /// Corners in space, and faces.
    fn corners(&self, body: &DatboxBody) -> (Vec<[f64; 3]>, Vec<Vec<usize>>) {
        let (points, faces): (Vec<[f64; 3]>, Vec<Vec<usize>>) = match &body.shape {
            Contactor::Polygon(points) => (points.iter().map(|p| [p[0], p[1], 0.0]).collect(), Vec::new()),
            Contactor::Polyhedron(points, faces) => {
                (points.clone(), faces.iter().map(|f| outwards(points, f).to_vec()).collect())
            }
            Contactor::Plan(half) => {
                let sign = |bit: bool| if bit { 1.0 } else { -1.0 };
                let corner = |k: usize| std::array::from_fn(|i| half[i] * sign((k >> i) & 1 == 1));
                let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
                ((0..8).map(corner).collect(), faces.map(|f| f.to_vec()).to_vec())
            }
            Contactor::Round(_) | Contactor::Jonc(..) => (vec![[0.0; 3]], Vec::new()),
        };
        (points.into_iter().map(|p| self.placed(body, p)).collect(), faces)
    }

    /// A block of a file.
    fn block(&self, body: &DatboxBody) -> Value {
        let d = self.dimension;
        let (points, faces) = self.corners(body);
        let points: Vec<&[f64]> = points.iter().map(|p| &p[..d]).collect();
        let mut block = match (&body.shape, faces.is_empty()) {
            (Contactor::Round(radius), _) => json!({ "centre": points[0], "radius": radius }),
            (_, true) => json!({ "vertices": points }),
            (_, false) => json!({ "vertices": points, "faces": faces }),
        };
        if body.velocity.iter().any(|v| v.abs() > 0.0) {
            block["velocity"] = json!(&body.velocity[..d]);
        }
        if body.spin.iter().any(|w| w.abs() > 0.0) {
            block["spin"] = if d == 2 { json!(body.spin[2]) } else { json!(body.spin) };
        }
        block
    }

    /// The mesh of an entry with one shape.
    fn shape(&self, body: &DatboxBody) -> String {
        let d = self.dimension;
        let (points, faces) = self.corners(body);
        let list = || points.iter().map(|p| tuple(&p[..d])).collect::<Vec<_>>().join(", ");
        match &body.shape {
            Contactor::Round(radius) => format!("Round(centre: {}, radius: {radius:?})", tuple(&points[0][..d])),
            Contactor::Jonc(length, thickness) => {
                let ends = [-length, *length].map(|x| tuple(&self.placed(body, [x, 0.0, 0.0])[..d]));
                format!("Capsule(from: {}, to: {}, radius: {thickness:?})", ends[0], ends[1])
            }
            Contactor::Polygon(_) => format!("Polygon(points: [{}])", list()),
            Contactor::Polyhedron(..) | Contactor::Plan(_) => {
                format!("Polyhedron(points: [{}], faces: {faces:?})", list())
            }
        }
    }

    fn contacts(&self, groups: &[BlockGroup<'_>]) -> Result<Vec<String>, DatboxError> {
        let mut out = Vec::new();
        let mut seen: BTreeMap<(usize, usize), ()> = BTreeMap::new();
        for see in &self.sees {
            let of = |side: &(String, String)| -> Vec<usize> {
                let is_it = |g: &BlockGroup<'_>| g.members[0].kind == side.0 && g.members[0].colour == side.1;
                (0..groups.len()).filter(|&k| is_it(&groups[k])).collect()
            };
            let [candidates, antagonists] = [of(&see.sides[0]), of(&see.sides[1])];
            if candidates.is_empty() || antagonists.is_empty() {
                continue;
            }
            let law = law_text(self.law(see)?)?;
            for &a in &candidates {
                for &b in &antagonists {
                    let has_pair = a != b || groups[a].members.len() > 1;
                    // A pair that is named twice has its first law.
                    if has_pair && seen.insert((a.min(b), a.max(b)), ()).is_none() {
                        let (a, b) = (&groups[a].name, &groups[b].name);
                        out.push(format!(
                            "(name: \"{a} on {b}\", candidates: (body: \"{a}\"), antagonists: Surface(body: \"{b}\"), law: {law}, initial_penetration: {:?}),",
                            see.alert
                        ));
                    }
                }
            }
        }
        Ok(out)
    }

    /// Motions and loads.
    fn drives(&self, groups: &[BlockGroup<'_>]) -> Result<(Vec<String>, Vec<String>), DatboxError> {
        let (mut motions, mut loads) = (Vec::new(), Vec::new());
        if self.gravity.iter().any(|g| g.abs() > 0.0) {
            loads.push(format!("Gravity(acceleration: {}),", tuple(&self.gravity[..self.dimension])));
        }
        for group in groups {
            let body = group.members[0];
            let (velocities, forces): (Vec<&Drive>, Vec<&Drive>) = body.drives.iter().partition(|d| d.is_velocity);
            if let Some(first) = velocities.first() {
                let mut motion = format!("(body: \"{}\"", group.name);
                for drive in velocities.iter().filter(|d| d.dof <= self.dimension) {
                    let _ = write!(motion, ", {}: {}", ["x", "y", "z"][drive.dof - 1], self.function(drive));
                }
                let turning: Vec<&&Drive> = velocities.iter().filter(|d| d.dof > self.dimension).collect();
                let moving: Vec<&&&Drive> = turning.iter().filter(|d| !d.is_zero()).collect();
                let all = if self.dimension == 2 { 1 } else { 3 };
                match (turning.len(), &moving[..]) {
                    (0, _) => {}
                    (n, []) if n == all => motion.push_str(", spin: 0.0"),
                    (n, [drive]) if n == all => {
                        let _ = write!(motion, ", spin: {}", self.function(drive));
                        if self.dimension == 3 {
                            let _ = write!(motion, ", spin_axis: {}", tuple(&body.axes[drive.dof - 4]));
                        }
                    }
                    _ => {
                        let what = "a body that turns about one axis and is free, or turns, about another".to_owned();
                        return Err(first.line.lacks(what, "prescribe all three, two of them as 0"));
                    }
                }
                motions.push(format!("{motion}),"));
            }
            for drive in forces.into_iter().filter(|d| !d.is_zero()) {
                let d = self.dimension;
                let along = if drive.dof <= d {
                    let unit: Vec<f64> = (1..=d).map(|k| f64::from(k == drive.dof)).collect();
                    format!("force: {}", tuple(&unit))
                } else if d == 2 {
                    "moment: [1.0]".to_owned()
                } else {
                    format!("moment: {}", tuple(&body.axes[drive.dof - 4]))
                };
                loads.push(format!("Force(body: \"{}\", {along}, factor: {}),", group.name, self.function(drive)));
            }
        }
        Ok((motions, loads))
    }

    /// (CT + AMP cos(OMEGA t + PHI)) min(1, RAMPI + RAMP t), from the time of DOF.INI on.
    fn function(&self, drive: &Drive) -> String {
        let [ct, amp, omega, phi, ramp_0, ramp] = drive.numbers;
        let t = if self.time.abs() > 0.0 { format!("(t + {:?})", self.time) } else { "t".to_owned() };
        let is_ramped = ramp.abs() > 0.0;
        if !is_ramped && amp.abs() <= 0.0 {
            return format!("{:?}", ct * ramp_0.min(1.0));
        }
        let wave = format!("({ct:?} + {amp:?}*cos({omega:?}*{t} + {phi:?}))");
        let rise =
            if is_ramped { format!("min(1, {ramp_0:?} + {ramp:?}*{t})") } else { format!("{:?}", ramp_0.min(1.0)) };
        format!("Expression(\"{wave}*{rise}\")")
    }
}

impl Drive {
    fn is_zero(&self) -> bool {
        let [ct, amp, _, _, ramp_0, ramp] = self.numbers.map(|x| x.abs() <= 0.0);
        (ct && amp) || (ramp_0 && ramp)
    }
}

impl Contactor {
    /// Area, in space volume.
    fn content(&self) -> f64 {
        let pi = std::f64::consts::PI;
        match self {
            Self::Round(r) => pi * r * r,
            Self::Jonc(a, b) => 4.0 * a * b + pi * b * b,
            Self::Plan([a, b, c]) => 8.0 * a * b * c,
            Self::Polygon(points) => {
                let next = points.iter().cycle().skip(1);
                0.5 * points.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>().abs()
            }
            Self::Polyhedron(points, faces) => {
                let part = |f: &[usize; 3]| {
                    let [a, b, c] = outwards(points, f).map(|k| points[k]);
                    (a[0] * (b[1] * c[2] - b[2] * c[1])
                        + a[1] * (b[2] * c[0] - b[0] * c[2])
                        + a[2] * (b[0] * c[1] - b[1] * c[0]))
                        / 6.0
                };
                faces.iter().map(part).sum::<f64>().abs()
            }
        }
    }
}

/// A triangle of a convex polyhedron, counter-clockwise seen from outside: the files have them either way round.
fn outwards(points: &[[f64; 3]], face: &[usize; 3]) -> [usize; 3] {
    let n = points.len().max(1) as f64;
    let mean: [f64; 3] = std::array::from_fn(|k| points.iter().map(|p| p[k] / n).sum());
    let minus = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] - b[k]) };
    let [a, b, c] = face.map(|k| points[k]);
    let (u, v, w) = (minus(b, a), minus(c, a), minus(a, mean));
    let looks =
        w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
    if looks < 0.0 { [face[0], face[2], face[1]] } else { *face }
}

fn law_text(law: &Law) -> Result<String, DatboxError> {
    let get = |key: &str| law.section.get(key);
    match law.kind.as_str() {
        "IQS_CLB" | "VEL_SGR_CLB" => Ok(format!("Restitution(friction: {:?})", get("fric")?)),
        "RST_CLB" => {
            let (normal, tangential, friction) = (get("rstn")?, get("rstt")?, get("fric")?);
            Ok(format!("Restitution(normal: {normal:?}, tangential: {tangential:?}, friction: {friction:?})"))
        }
        "GAP_SGR_CLB" => Ok(format!("SignoriniCoulomb(friction: {:?})", get("fric")?)),
        other => Err(law.line.lacks(
            format!("a contact law `{}`", delassus_error::excerpt(other)),
            "IQS_CLB, VEL_SGR_CLB, RST_CLB and GAP_SGR_CLB are read; give another one in the case",
        )),
    }
}

fn tuple(x: &[f64]) -> String {
    format!("({})", x.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", "))
}

fn line(text: &mut String, depth: usize, content: &str) {
    text.push_str(&"    ".repeat(depth));
    text.push_str(content);
    text.push('\n');
}
