//! A study as text for a terminal.

use std::fmt::Write;

use super::{CaseStudy, Followed, FollowedKind};
use crate::list::time_in_words;

impl CaseStudy {
    /// The tables of the study.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "{}: {} levels of {}", self.title, self.levels.len(), self.refined)?;
        writeln!(out, "  level        step       dofs     steps       time  verdict")?;
        for l in &self.levels {
            let checks =
                if l.checks[1] > 0 { format!(", checks {} of {}", l.checks[0], l.checks[1]) } else { String::new() };
            writeln!(
                out,
                "  {:>5}  {:>10.4e}  {:>9}  {:>8}  {:>9}  {}{checks}",
                l.number,
                l.step,
                l.dofs,
                l.steps,
                time_in_words(l.wall),
                l.verdict
            )?;
        }
        for followed in &self.followed {
            quantity(out, followed)?;
        }
        if self.followed.is_empty() {
            writeln!(
                out,
                "  no quantity to study: add a `verify` block or probes to the case, or name columns by --quantity"
            )?;
        }
        if self.left_out > 0 {
            writeln!(out, "  {} more were left out: select quantities by --quantity", self.left_out)?;
        }
        if let Some(stopped) = &self.stopped {
            writeln!(out, "  {stopped}")?;
        }
        Ok(())
    }
}

fn quantity(out: &mut String, f: &Followed) -> std::fmt::Result {
    writeln!(out, "  {}: {}", f.name, f.about)?;
    for (k, value) in f.values.iter().enumerate() {
        let mut line = format!("  {:>5}", k + 1);
        if f.kind != FollowedKind::Error {
            let _ = write!(line, "  {value:>14.7e}");
        }
        match f.errors[k] {
            Some(e) if f.kind == FollowedKind::Error => write!(line, "  error {e:.3e}")?,
            Some(e) => write!(line, "  difference {e:.3e}")?,
            None => {}
        }
        if let Some(order) = f.orders[k] {
            let _ = write!(line, "  order {order:.2}");
        }
        writeln!(out, "{line}")?;
    }
    if let (Some(value), Some(uncertainty)) = (f.extrapolated, f.uncertainty) {
        writeln!(out, "         extrapolated {value:.7e}, the last level is {uncertainty:.1e} from it")?;
    }
    if let Some(note) = &f.note {
        writeln!(out, "         {note}")?;
    }
    Ok(())
}
