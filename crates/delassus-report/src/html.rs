//! Pieces of pages.

use std::fmt::Write;

use delassus_chart::svg::escape;

/// The style of a page.
pub const STYLE: &str = include_str!("style.css");

/// A number with its full value for those who read the page by program.
pub fn data(value: f64, text: &str) -> String {
    format!("<data value=\"{value:e}\">{}</data>", escape(text))
}

/// A figure with its caption.
pub fn figure(out: &mut String, svg: &str, caption: &str) {
    let _ = writeln!(
        out,
        "<figure>\n<div class=\"wide\">{svg}</div>\n<figcaption>{}</figcaption>\n</figure>",
        escape(caption)
    );
}
