//! Charts as SVG: axes with round ticks, curves, units with prefixes. No script, no date: the same numbers give the same bytes.
//!
//! [`chart::Chart::draw`] gives an element for a page, [`chart::Chart::draw_file`] a file that stands alone.

pub mod chart;
pub mod legend;
pub mod loglog;
pub mod scale;
pub mod stroke;
pub mod svg;
