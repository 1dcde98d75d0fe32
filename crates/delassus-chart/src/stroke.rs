//! How curves look: colours, dashes, dots.

use super::svg::{dots, polyline};

/// Colours that people with any kind of colour vision tell apart (Okabe & Ito), without the yellow.
pub const BLUE: &str = "#0072b2";
/// Vermillion.
pub const RED: &str = "#d55e00";
/// Bluish green.
pub const GREEN: &str = "#009e73";
/// Reddish purple.
pub const PURPLE: &str = "#b8578f";
/// Orange.
pub const ORANGE: &str = "#e69f00";
/// Black.
pub const BLACK: &str = "#1a1a1a";

/// How a curve looks. Dashes tell curves apart where colour does not.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// Colour.
    pub colour: &'static str,
    /// Dash pattern, empty for a full line.
    pub dash: &'static str,
    /// Width in pixels.
    pub width: f64,
    /// Dots at the points, of this width, instead of a line through them.
    pub is_dotted: bool,
}

impl Stroke {
    /// A full line of the usual width.
    #[must_use]
    pub const fn full(colour: &'static str) -> Self {
        Self { colour, dash: "", width: 1.8, is_dotted: false }
    }

    /// A dashed line.
    #[must_use]
    pub const fn dashed(colour: &'static str, dash: &'static str) -> Self {
        Self { colour, dash, width: 1.8, is_dotted: false }
    }

    /// Exact curves: broad and pale, under the computed ones.
    #[must_use]
    pub const fn exact() -> Self {
        Self { colour: "#b5b5b5", dash: "", width: 5.0, is_dotted: false }
    }

    /// Dots without a line.
    #[must_use]
    pub const fn dots(colour: &'static str) -> Self {
        Self { colour, dash: "", width: 6.0, is_dotted: true }
    }

    /// The path of a curve through points already in pixels.
    #[must_use]
    pub fn trace(self, points: impl IntoIterator<Item = [f64; 2]>) -> String {
        if self.is_dotted { dots(points) } else { polyline(points) }
    }

    /// The path of a sample, 26 pixels wide, that begins at `at`.
    #[must_use]
    pub fn sample(self, [x, y]: [f64; 2]) -> String {
        if self.is_dotted { dots([[x + 13.0, y]]) } else { polyline([[x, y], [x + 26.0, y]]) }
    }

    /// As attributes of a path.
    #[must_use]
    pub fn attributes(self) -> String {
        let dash = if self.dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", self.dash) };
        format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"{}\"{dash}",
            self.colour,
            self.width,
            // A round cap would fill the gaps of dashes.
            if self.dash.is_empty() { "round" } else { "butt" }
        )
    }
}
