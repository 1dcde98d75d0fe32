//! Bodies and obstacles that are drawn transparent, because they hide another body in every picture, as a shell hides its
//! contents.

use delassus_case::spec::Case;

use super::camera::{Camera, Ring};
use super::seen::{Owner, Seen, Stage};
use super::shot::Shot;
use super::solid::Walls;

/// Among more bodies than these it is natural that some are hidden.
const MOST_BODIES: usize = 12;

/// The stage of a shot.
pub struct StageSet {
    faces: Vec<(Ring, f64)>,
    owners: Vec<usize>,
    walls: Vec<Ring>,
    contacts: Vec<[f64; 3]>,
}

impl StageSet {
    /// The outer faces of a shot with displacements drawn so many times larger, obstacles, and where forces act.
    #[must_use]
    pub fn of(shot: &Shot<3>, walls: &Walls, magnification: f64) -> Self {
        let ring = |cell: &Vec<usize>| cell.iter().map(|&n| shot.place(n, magnification)).collect();
        Self {
            faces: shot.cells.iter().map(ring).zip(shot.values.iter().copied()).collect(),
            owners: (0..shot.cells.len()).map(|k| shot.owner(k)).collect(),
            walls: walls.rings(),
            contacts: shot.arrows.iter().map(|a| a.point).collect(),
        }
    }

    /// All of it.
    #[must_use]
    pub fn stage(&self) -> Stage<'_> {
        Stage { faces: &self.faces, owners: &self.owners, walls: &self.walls, contacts: &self.contacts }
    }

    /// Without what is see-through.
    fn lift(&mut self, veil: &Veil) {
        let mut keep = self.owners.iter().map(|b| !veil.bodies.contains(b)).collect::<Vec<_>>().into_iter();
        self.faces.retain(|_| keep.next().unwrap_or(true));
        self.owners.retain(|b| !veil.bodies.contains(b));
        if veil.walls {
            self.walls.clear();
        }
    }
}

/// What is see-through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Veil {
    bodies: Vec<usize>,
    walls: bool,
    /// What would be hidden without.
    behind: Vec<usize>,
}

impl Veil {
    /// What must be see-through so that no body is hidden in all of the shots.
    #[must_use]
    pub fn of(camera: &Camera, mut shots: Vec<StageSet>) -> Self {
        let mut veil = Self::default();
        loop {
            let seen: Vec<Seen> = shots.iter().map(|s| Seen::from(camera, &s.stage())).collect();
            let Some((first, rest)) = seen.split_first() else { return veil };
            if first.bodies.len() > MOST_BODIES {
                return veil;
            }
            let before = veil.clone();
            for (body, _) in first.hidden() {
                if rest.iter().all(|s| s.hidden().any(|h| h.0 == body)) {
                    let covers = seen.iter().flat_map(Seen::hidden).filter(|h| h.0 == body);
                    covers.for_each(|(_, owner)| veil.draw(owner));
                    veil.behind.push(body);
                }
            }
            veil.behind.sort_unstable();
            veil.behind.dedup();
            if veil.bodies == before.bodies && veil.walls == before.walls {
                return veil;
            }
            shots.iter_mut().for_each(|s| s.lift(&veil));
        }
    }

    fn draw(&mut self, owner: Owner) {
        match owner {
            Owner::Body(body) if !self.bodies.contains(&body) => self.bodies.push(body),
            Owner::Body(_) => {}
            Owner::Wall => self.walls = true,
        }
    }

    /// Is it see-through?
    #[must_use]
    pub fn covers(&self, owner: Owner) -> bool {
        match owner {
            Owner::Body(body) => self.bodies.contains(&body),
            Owner::Wall => self.walls,
        }
    }

    /// What to know of it, if there is any.
    #[must_use]
    pub fn note(&self, case: &Case) -> Option<String> {
        let names: Vec<&str> = case
            .bodies
            .iter()
            .flat_map(|b| std::iter::repeat_n(b.name.as_str(), b.n_bodies()))
            .take(MOST_BODIES)
            .collect();
        let quoted = |list: &[usize]| -> Vec<String> {
            let mut found: Vec<String> = list.iter().filter_map(|&b| Some(format!("“{}”", names.get(b)?))).collect();
            found.dedup();
            found
        };
        let mut over = quoted(&self.bodies);
        over.extend(self.walls.then(|| "obstacles".to_owned()));
        let (over, behind) = (over.join(", "), quoted(&self.behind).join(", "));
        (!self.behind.is_empty())
            .then(|| format!("Drawn transparent: {over}; otherwise {behind} would be hidden in every picture."))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::boxes;
    use super::*;

    fn set(list: &[([f64; 3], [f64; 3])], walls: Vec<Ring>) -> StageSet {
        let (faces, owners) = boxes(list);
        StageSet { faces, owners, walls, contacts: Vec::new() }
    }

    #[test]
    fn what_encloses_a_body_is_see_through() {
        let camera = Camera::looking(32.0, 22.0, [0.0, 1.0, 0.0]);
        let shell = |r: f64| ([-r; 3], [2.0 * r; 3]);
        assert_eq!(Veil::of(&camera, vec![set(&[shell(1.0)], vec![])]), Veil::default());
        assert_eq!(Veil::of(&camera, vec![]), Veil::default());
        // A box in a box in a box, and one beside them.
        let nest = [shell(1.0), shell(3.0), shell(2.0), ([9.0, 0.0, 0.0], [1.0; 3])];
        let veil = Veil::of(&camera, vec![set(&nest, vec![])]);
        assert_eq!(veil, Veil { bodies: vec![1, 2], walls: false, behind: vec![0, 2] });
        assert!(veil.covers(Owner::Body(1)) && !veil.covers(Owner::Body(0)) && !veil.covers(Owner::Wall));
        // Seen in one of the pictures: nothing needs to be done.
        let out = [([-9.0, 0.0, 0.0], [1.0; 3]), shell(3.0)];
        assert_eq!(Veil::of(&camera, vec![set(&nest[..2], vec![]), set(&out, vec![])]), Veil::default());
        // A wall in front.
        let wall = vec![[-9.0, -9.0, 5.0], [9.0, -9.0, 5.0], [9.0, 9.0, 5.0], [-9.0, 9.0, 5.0]];
        let veil = Veil::of(&camera, vec![set(&[shell(1.0)], vec![wall])]);
        assert_eq!(veil, Veil { bodies: vec![], walls: true, behind: vec![0] });
        // Among many bodies some are hidden.
        let row: Vec<_> = (0..20).map(|k| ([0.0, 0.0, -0.01 * f64::from(k)], [1.0; 3])).collect();
        assert_eq!(Veil::of(&camera, vec![set(&row, vec![])]), Veil::default());
    }
}
