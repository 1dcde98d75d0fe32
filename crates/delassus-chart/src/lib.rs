//! Charts as SVG: axes with round ticks, curves, units with prefixes. No script, no date: the same numbers give the same bytes.

pub mod chart;
pub mod scale;
pub mod svg;
