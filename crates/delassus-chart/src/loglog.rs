//! A frame with two logarithmic axes. Points are given as logarithms to base ten.

use super::scale::power_of_ten;
use super::svg::{Anchor, GREY, PALE, Svg};

/// Where the frame lies in a drawing, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct FrameBox {
    /// Upper left corner.
    pub corner: [f64; 2],
    /// Width and height.
    pub size: [f64; 2],
}

/// Two logarithmic axes around some points.
#[derive(Clone, Debug)]
pub struct LogLogFrame {
    at: FrameBox,
    low: [f64; 2],
    high: [f64; 2],
}

impl LogLogFrame {
    /// Around `points`, with `margins` in decades.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = [f64; 2]>, margins: [f64; 2], at: FrameBox) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in points {
            for k in 0..2 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        for k in 0..2 {
            (low[k], high[k]) =
                if low[k] <= high[k] { (low[k] - margins[k], high[k] + margins[k]) } else { (0.0, 1.0) };
        }
        Self { at, low, high }
    }

    /// A point in pixels.
    #[must_use]
    pub fn place(&self, p: [f64; 2]) -> [f64; 2] {
        let FrameBox { corner, size } = self.at;
        let x = corner[0] + (p[0] - self.low[0]) / (self.high[0] - self.low[0]) * size[0];
        let y = corner[1] + (self.high[1] - p[1]) / (self.high[1] - self.low[1]) * size[1];
        [x, y]
    }

    /// Grid lines, frame, numbers and titles of both axes.
    pub fn draw(&self, svg: &mut Svg, horizontal: &str, vertical: &str) {
        let FrameBox { corner: [left, top], size: [width, height] } = self.at;
        for (value, text) in ticks(self.low[1], self.high[1]) {
            let y = self.place([0.0, value])[1];
            svg.line([left, y], [left + width, y], PALE, "");
            svg.text([left - 7.0, y + 4.5], Anchor::End, &text);
        }
        for (value, text) in ticks(self.low[0], self.high[0]) {
            let x = self.place([value, 0.0])[0];
            svg.line([x, top], [x, top + height], PALE, "");
            svg.text([x, top + height + 18.0], Anchor::Middle, &text);
        }
        svg.rect([left, top], [width, height], &format!("fill=\"none\" stroke=\"{GREY}\""));
        svg.text([left + 0.5 * width, top + height + 38.0], Anchor::Middle, horizontal);
        let (x, y) = (left - 58.0, top + 0.5 * height);
        svg.text_with([x, y], Anchor::Middle, vertical, &format!("transform=\"rotate(-90 {x} {y})\""));
    }
}

/// (logarithm, text) of 1, 2, 5 times powers of ten within; of the powers alone when there are many.
fn ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let mut out = Vec::new();
    for e in low.floor() as i32..=high.ceil() as i32 {
        let steps: &[f64] = if high - low > 2.2 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        for f in steps {
            let at = f.log10() + f64::from(e);
            if (low..=high).contains(&at) {
                let text = if *f > 1.0 { format!("{f}·{}", power_of_ten(e)) } else { power_of_ten(e) };
                out.push((at, text));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_within_the_frame_and_numbers_are_round() {
        let at = FrameBox { corner: [10.0, 20.0], size: [100.0, 50.0] };
        let frame = LogLogFrame::around([[0.0, 0.0], [1.0, 3.0]], [0.0, 0.5], at);
        for (p, placed) in [([0.0, -0.5], [10.0, 70.0]), ([1.0, 3.5], [110.0, 20.0]), ([0.5, 1.5], [60.0, 45.0])] {
            let found = frame.place(p);
            assert!((0..2).all(|k| (found[k] - placed[k]).abs() < 1e-12), "{p:?}: {found:?}");
        }
        let texts: Vec<String> = ticks(0.0, 1.0).into_iter().map(|t| t.1).collect();
        assert_eq!(texts, ["10⁰", "2·10⁰", "5·10⁰", "10¹"]);
        assert_eq!(ticks(-0.5, 3.5).len(), 4);
    }

    #[test]
    fn no_points_make_an_empty_frame() {
        let at = FrameBox { corner: [0.0; 2], size: [1.0; 2] };
        assert!(LogLogFrame::around([], [0.1; 2], at).place([0.5, 0.5]).iter().all(|x| (x - 0.5).abs() < 1e-15));
    }
}
