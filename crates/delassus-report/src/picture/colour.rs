//! The colours of a field: from pale yellow (zero) through green and blue to near black (largest).
//!
//! Lightness falls all the way, so the order is seen by every eye and in a grey print, and a body without stress stays
//! pale behind the arrows of the contact forces.

/// Colours at equal distances.
const STOPS: [[f64; 3]; 6] = [
    [252.0, 249.0, 222.0],
    [196.0, 226.0, 178.0],
    [104.0, 188.0, 188.0],
    [42.0, 134.0, 184.0],
    [38.0, 74.0, 148.0],
    [14.0, 20.0, 72.0],
];

/// Colour of what is not a number.
const UNKNOWN: f64 = 187.0;

/// The colour at `x` in [0, 1], as `#rrggbb`; what is not a number is grey.
#[must_use]
pub fn colour(x: f64) -> String {
    shaded(x, 1.0)
}

/// The same in a light of this strength, from 0 to 1.
#[must_use]
pub fn shaded(x: f64, light: f64) -> String {
    hex(if x.is_nan() { [UNKNOWN; 3] } else { rgb(x) }, light)
}

/// A grey of this lightness, from 0 to 255, in a light of this strength.
#[must_use]
pub fn grey(lightness: f64, light: f64) -> String {
    hex([lightness; 3], light)
}

fn hex(rgb: [f64; 3], light: f64) -> String {
    let [r, g, b] = rgb.map(|c| (c * light).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn rgb(x: f64) -> [f64; 3] {
    let at = x.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let i = (at as usize).min(STOPS.len() - 2);
    let f = at - i as f64;
    std::array::from_fn(|k| STOPS[i][k] * (1.0 - f) + STOPS[i + 1][k] * f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lightness_falls_all_the_way() {
        // Relative luminance of sRGB, enough to order greys.
        let luminance = |x: f64| {
            let linear = rgb(x).map(|c| (c / 255.0_f64).powf(2.2));
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        };
        let values: Vec<f64> = (0..=100).map(|i| luminance(f64::from(i) / 100.0)).collect();
        assert!(values.windows(2).all(|w| w[1] < w[0]));
        assert!(values[0] > 0.9 && values[100] < 0.02, "{} {}", values[0], values[100]);
    }

    #[test]
    fn ends_and_beyond() {
        assert_eq!((colour(0.0), colour(-1.0)), ("#fcf9de".to_owned(), "#fcf9de".to_owned()));
        assert_eq!((colour(1.0), colour(9.0)), ("#0e1448".to_owned(), "#0e1448".to_owned()));
        assert_eq!(colour(f64::NAN), "#bbbbbb");
        assert_eq!((shaded(1.0, 0.5), grey(200.0, 0.5)), ("#070a24".to_owned(), "#646464".to_owned()));
    }
}
