//! Selection of the frames that are drawn.

/// Most pictures of the mesh.
pub const MOST: usize = 6;

/// The history as far as the choice needs it; all lists have the same length.
pub struct Story<'a> {
    /// Times \[s\].
    pub time: &'a [f64],
    /// Contacts that act.
    pub active: &'a [f64],
    /// Sum of the contact forces of all pairs \[N\].
    pub force: &'a [f64],
    /// Elastic energy \[J\].
    pub elastic: &'a [f64],
}

/// A frame to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Number of the frame.
    pub frame: usize,
    /// What happens there, in words; may be empty.
    pub reason: String,
}

/// The initial state, first contact, largest force, release and the last frame, as far as they occur, then frames in
/// between. `frames` are the times of the frames \[s\], in order.
#[must_use]
pub fn choose(frames: &[f64], story: &Story<'_>) -> Vec<Choice> {
    let mut chosen: Vec<Choice> = Vec::new();
    let Some(last) = frames.len().checked_sub(1) else { return chosen };
    let mut add = |frame: usize, reason: &str| match chosen.iter_mut().find(|c| c.frame == frame) {
        Some(c) if c.reason.is_empty() => c.reason = reason.to_owned(),
        Some(c) if !reason.is_empty() => c.reason = format!("{}, {reason}", c.reason),
        Some(_) => {}
        None => chosen.push(Choice { frame, reason: reason.to_owned() }),
    };
    add(0, "initial state");
    // The row of each frame: what is picked must be seen in the picture, not between two frames.
    let rows: Vec<usize> = frames.iter().map(|&t| nearest(story.time, t)).collect();
    let at = |values: &[f64]| -> Vec<f64> { rows.iter().map(|&i| values.get(i).copied().unwrap_or(0.0)).collect() };
    let (active, force, elastic) = (at(story.active), at(story.force), at(story.elastic));
    if let Some(first) = active.iter().position(|&a| a > 0.0) {
        add(first, "first contact forces");
        if let Some(peak) = largest(&force) {
            add(peak, &among("largest contact force", force[peak], story.force));
            if let Some(release) = (peak..frames.len()).find(|&i| active[i] <= 0.0) {
                add(release, "after release");
            }
        }
    } else if let Some(peak) = largest(&elastic) {
        add(peak, &among("largest elastic energy", elastic[peak], story.elastic));
    }
    add(last, "last frame");
    chosen.sort_by_key(|c| c.frame);
    fill(&mut chosen, &progress(frames, &elastic));
    chosen
}

/// How far the run has come at each frame, half by the clock and half by the ups and downs of the elastic energy: frames
/// in between are wanted where something happens.
fn progress(frames: &[f64], elastic: &[f64]) -> Vec<f64> {
    let sums = |steps: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let mut sum = 0.0;
        let sums: Vec<f64> = (0..frames.len())
            .map(|i| {
                sum += if i > 0 { steps(i) } else { 0.0 };
                sum
            })
            .collect();
        sums.iter().map(|s| if sum > 0.0 { s / sum } else { 0.0 }).collect()
    };
    let (clock, change) = (sums(&|i| frames[i] - frames[i - 1]), sums(&|i| (elastic[i] - elastic[i - 1]).abs()));
    clock.iter().zip(&change).map(|(a, b)| a + b).collect()
}

/// Adds frames in the middle of the longest stretches without one; `progress` measures length.
fn fill(chosen: &mut Vec<Choice>, progress: &[f64]) {
    while chosen.len() < MOST.min(progress.len()) {
        let length = |k: usize| match (chosen[k - 1].frame, chosen[k].frame) {
            (a, b) if b - a > 1 => progress[b] - progress[a],
            _ => -1.0,
        };
        // The earlier one of equals.
        let longest = (1..chosen.len()).max_by(|&a, &b| length(a).total_cmp(&length(b)).then(b.cmp(&a)));
        let Some(k) = longest.filter(|&k| chosen[k].frame - chosen[k - 1].frame > 1) else { return };
        let (a, b) = (chosen[k - 1].frame, chosen[k].frame);
        let off = |i: usize| (progress[i] - 0.5 * (progress[a] + progress[b])).abs();
        let frame = (a + 1..b).min_by(|&i, &j| off(i).total_cmp(&off(j))).unwrap_or(a + 1);
        chosen.insert(k, Choice { frame, reason: String::new() });
    }
}

/// The index of the largest value, if any is positive; the first of equals.
fn largest(values: &[f64]) -> Option<usize> {
    let positive = (0..values.len()).filter(|&i| values[i] > 0.0);
    positive.max_by(|&a, &b| values[a].total_cmp(&values[b]).then(b.cmp(&a)))
}

fn nearest(times: &[f64], time: f64) -> usize {
    let off = |i: usize| (times[i] - time).abs();
    (0..times.len()).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

/// Says so when steps between the frames had a larger value.
fn among(what: &str, found: f64, all: &[f64]) -> String {
    let top = all.iter().copied().filter(|x| x.is_finite()).fold(0.0, f64::max);
    if found >= top { what.to_owned() } else { format!("{what} of all frames") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(n: usize) -> Vec<f64> {
        (0..=n).map(|i| i as f64).collect()
    }

    fn of(choices: &[Choice]) -> Vec<(usize, &str)> {
        choices.iter().map(|c| (c.frame, c.reason.as_str())).collect()
    }

    /// Contact from step 20 to 60 with the largest force at 35.
    fn impact() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let time = steps(100);
        let active = time.iter().map(|t| f64::from((20.0..=60.0).contains(t))).collect();
        let force =
            time.iter().map(|t| if (20.0..=60.0).contains(t) { 100.0 - (t - 35.0).abs() } else { 0.0 }).collect();
        (time, active, force)
    }

    #[test]
    fn an_impact_is_told_from_start_to_end() {
        let (time, active, force) = impact();
        let story = Story { time: &time, active: &active, force: &force, elastic: &[] };
        assert_eq!(
            of(&choose(&time, &story)),
            [
                (0, "initial state"),
                (20, "first contact forces"),
                (35, "largest contact force"),
                (61, "after release"),
                (80, ""),
                (100, "last frame")
            ]
        );
    }

    #[test]
    fn a_coarse_set_of_frames_says_so() {
        let (time, active, force) = impact();
        let story = Story { time: &time, active: &active, force: &force, elastic: &[] };
        let frames = [0.0, 30.0, 60.0, 90.0, 100.0];
        assert_eq!(
            of(&choose(&frames, &story)),
            [
                (0, "initial state"),
                (1, "first contact forces, largest contact force of all frames"),
                (2, ""),
                (3, "after release"),
                (4, "last frame")
            ]
        );
    }

    #[test]
    fn without_contact_the_largest_elastic_energy_counts() {
        let time = steps(10);
        let elastic: Vec<f64> = time.iter().map(|t| 10.0 - (t - 4.0).abs()).collect();
        let zero = vec![0.0; 11];
        let story = Story { time: &time, active: &zero, force: &zero, elastic: &elastic };
        let chosen = choose(&time, &story);
        assert_eq!(chosen.len(), MOST);
        assert!(of(&chosen).contains(&(4, "largest elastic energy")));
        assert!(chosen.windows(2).all(|w| w[0].frame < w[1].frame));
    }

    #[test]
    fn few_frames_or_none() {
        let story = Story { time: &[0.0], active: &[], force: &[], elastic: &[] };
        assert!(choose(&[], &story).is_empty());
        assert_eq!(of(&choose(&[0.0], &story)), [(0, "initial state, last frame")]);
        assert_eq!(choose(&[0.0, 1.0], &story).len(), 2);
    }
}
