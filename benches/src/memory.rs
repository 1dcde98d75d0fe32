//! Peak memory of this process, where the system tells.

/// Largest resident set since the start or the last [`forget_peak`] \[bytes\].
#[must_use]
pub fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024.0 * kilobytes)
}

/// Lets the peak start again from what is in use now; where that cannot be done, it stays.
pub fn forget_peak() {
    // 5: reset the peak (proc(5)).
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
