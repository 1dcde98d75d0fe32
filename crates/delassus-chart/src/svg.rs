//! A small writer of SVG: elements as text, everything escaped, numbers with two decimals.

use std::fmt::Write;

/// Colour of text.
pub const INK: &str = "#1a1a1a";
/// Colour of axes and quiet lines.
pub const GREY: &str = "#767676";
/// Colour of grid lines.
pub const PALE: &str = "#e3e3e3";

/// `text` as it may stand between tags and in quoted attributes of HTML and XML. Characters XML forbids are replaced.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            _ => out.push(c),
        }
    }
    out
}

/// A coordinate: two decimals at most, no trailing zeros, never an exponent.
#[must_use]
pub fn num(x: f64) -> String {
    if !x.is_finite() {
        return "0".to_owned();
    }
    // A hundred thousand pixels are far outside every picture; clamping keeps the text short.
    let text = format!("{:.2}", x.clamp(-1e5, 1e5));
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Where a text sits on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Centred on it.
    Middle,
    /// To the left of it.
    End,
}

/// A drawing that grows.
pub struct Svg {
    id: String,
    label: String,
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// An empty drawing; `label` says what it shows to those who cannot see it.
    #[must_use]
    pub fn new(id: &str, label: &str, width: f64, height: f64) -> Self {
        Self { id: id.to_owned(), label: label.to_owned(), width, height, body: String::new() }
    }

    /// A straight line; `more` are further attributes, written by this program.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: &str, more: &str) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(num);
        let gap = if more.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\"{gap}{more}/>"
        );
    }

    /// A path; `more` are all its attributes but `d`.
    pub fn path(&mut self, d: &str, more: &str) {
        if !d.is_empty() {
            let _ = writeln!(self.body, "<path d=\"{d}\" {more}/>");
        }
    }

    /// A filled rectangle.
    pub fn rect(&mut self, at: [f64; 2], size: [f64; 2], more: &str) {
        let [x, y, w, h] = [at[0], at[1], size[0], size[1]].map(num);
        let _ = writeln!(self.body, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {more}/>");
    }

    /// A text of the usual size.
    pub fn text(&mut self, at: [f64; 2], anchor: Anchor, text: &str) {
        self.text_with(at, anchor, text, "");
    }

    /// A text with further attributes.
    pub fn text_with(&mut self, at: [f64; 2], anchor: Anchor, text: &str, more: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let gap = if more.is_empty() { "" } else { " " };
        let [x, y] = at.map(num);
        let _ = writeln!(self.body, "<text x=\"{x}\" y=\"{y}\"{anchor}{gap}{more}>{}</text>", escape(text));
    }

    /// An element of a page. Its width follows the page, `viewBox` keeps the proportions.
    #[must_use]
    pub fn finish(self) -> String {
        let id = escape(&self.id);
        self.element(&format!("id=\"{id}\""), "system-ui, sans-serif", "")
    }

    /// A whole file, `width` pixels wide: it has what a page would give, namespace, size, fonts and a white ground.
    #[must_use]
    pub fn finish_file(self, width: f64) -> String {
        let size = [width, self.height * width / self.width].map(num);
        let head = format!("xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\"", size[0], size[1]);
        // Viewers outside a browser do not know `system-ui`.
        let fonts = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', Helvetica, Arial, sans-serif";
        let ground = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", self.element(&head, fonts, ground))
    }

    /// The drawing within its tag: `head` are the first attributes, `ground` is drawn before all else.
    fn element(&self, head: &str, fonts: &str, ground: &str) -> String {
        let [w, h] = [self.width, self.height].map(num);
        let label = escape(&self.label);
        format!(
            "<svg {head} viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{label}\" \
             font-family=\"{fonts}\" font-size=\"13\" fill=\"{INK}\">\n\
             <title>{label}</title>\n{ground}{}</svg>",
            self.body
        )
    }
}

/// `M x y L x y …` through points already in pixels; a point that is not finite breaks the line, a point between two
/// breaks becomes a stroke of no length, which a round line cap shows as a dot.
#[must_use]
pub fn polyline(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    let mut d = String::new();
    // Points since the last break.
    let mut run = 0;
    for p in points {
        if p.iter().all(|x| x.is_finite()) {
            let _ = write!(d, "{}{} {}", if run > 0 { "L" } else { "M" }, num(p[0]), num(p[1]));
            run += 1;
            continue;
        }
        if run == 1 {
            d.push_str("h0");
        }
        run = 0;
    }
    if run == 1 {
        d.push_str("h0");
    }
    d
}

/// Dots at points already in pixels: strokes of no length, which a round line cap shows.
#[must_use]
pub fn dots(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    let mut d = String::new();
    for p in points.into_iter().filter(|p| p.iter().all(|x| x.is_finite())) {
        let _ = write!(d, "M{} {}h0", num(p[0]), num(p[1]));
    }
    d
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every tag closed in order below one root, attributes quoted and distinct, no stray `<` or `&`: what an XML parser
    /// asks for.
    pub(crate) fn assert_well_formed_file(text: &str) {
        let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
        let mut open = Vec::new();
        let mut roots = 0;
        for (i, piece) in body.split('<').enumerate() {
            let Some((tag, content)) = piece.split_once('>') else {
                assert!(i == 0 && piece.is_empty(), "a tag without end: {piece}");
                continue;
            };
            for entity in content.split('&').skip(1).chain(tag.split('&').skip(1)) {
                let name = entity.split_once(';').map_or("", |e| e.0);
                assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "&{entity}");
            }
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "</{name}>");
                assert!(!open.is_empty() || content.trim().is_empty(), "text after the end: {content}");
                continue;
            }
            roots += usize::from(open.is_empty());
            let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            let keys: Vec<&str> = attributes.split('"').step_by(2).map(str::trim).filter(|k| !k.is_empty()).collect();
            for (k, key) in keys.iter().enumerate() {
                assert!(key.ends_with('=') && !keys[..k].contains(key), "attribute {key} of {tag}");
            }
            if !is_empty {
                open.push(name);
            }
        }
        assert!(open.is_empty() && roots == 1, "{roots} roots, open: {open:?}");
    }

    #[test]
    fn a_file_is_whole() {
        let mut svg = Svg::new("a", "p < \"q\" & 'r'", 600.0, 400.0);
        svg.text([1.0, 2.0], Anchor::Start, "a < b & c");
        svg.path(&dots([[1.0, 2.0], [f64::NAN, 1.0], [3.0, 4.0]]), "fill=\"none\"");
        let text = svg.finish_file(900.0);
        assert_well_formed_file(&text);
        for piece in [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"600\" viewBox=\"0 0 600 400\"",
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            ", sans-serif\"",
            "<path d=\"M1 2h0M3 4h0\"",
        ] {
            assert!(text.contains(piece), "no {piece} in {text}");
        }
    }

    #[test]
    fn text_is_escaped_and_forbidden_characters_replaced() {
        assert_eq!(escape("a<b>&\"c'\n\u{0}é"), "a&lt;b&gt;&amp;&quot;c&#39;\n\u{FFFD}é");
    }

    #[test]
    fn numbers_are_short() {
        for (x, text) in
            [(0.0, "0"), (-0.001, "0"), (1.5, "1.5"), (10.0, "10"), (-2.346, "-2.35"), (f64::NAN, "0"), (1e9, "100000")]
        {
            assert_eq!(num(x), text);
        }
    }

    #[test]
    fn a_gap_in_the_data_is_a_gap_in_the_line() {
        assert_eq!(polyline([[0.0, 0.0], [1.0, 1.0], [2.0, f64::NAN], [3.0, 1.0]]), "M0 0L1 1M3 1h0");
    }

    #[test]
    fn labels_are_escaped() {
        let svg = Svg::new("a", "x < \"y\"", 10.0, 20.0).finish();
        assert!(
            svg.starts_with("<svg id=\"a\" viewBox=\"0 0 10 20\" role=\"img\" aria-label=\"x &lt; &quot;y&quot;\"")
        );
    }
}
