//! The machine on which the suite ran, as far as the operating system reports it.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// A machine and its software.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Model of the processor.
    pub cpu: String,
    /// Cores this program may use.
    pub cores: usize,
    /// Operating system.
    pub os: String,
}

impl Machine {
    /// This one.
    #[must_use]
    pub fn this() -> Self {
        let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let value = |text: &str, key: &str, separator: char| {
            let mut pairs = text.lines().filter_map(|l| l.split_once(separator));
            pairs.find(|(k, _)| k.trim() == key).map(|(_, v)| v.trim().trim_matches('"').to_owned())
        };
        let arch = std::env::consts::ARCH;
        let cpu = value(&text("/proc/cpuinfo"), "model name", ':').unwrap_or_else(|| arch.to_owned());
        let system = value(&text("/etc/os-release"), "PRETTY_NAME", '=');
        let os = match system {
            Some(name) => format!("{} ({name}), {arch}", std::env::consts::OS),
            None => format!("{}, {arch}", std::env::consts::OS),
        };
        Self { cpu, cores: std::thread::available_parallelism().map_or(1, usize::from), os }
    }
}

/// A moment as `2026-11-16 18:05 UTC`. Days to dates by the calendar's cycle of 400 years, counted from 1 March.
#[must_use]
pub fn date(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Day 0 is 1970-01-01; 719 468 days lie between it and 0000-03-01.
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March have 31, 30, 31, 30, 31, 31, … days: 153 in each five.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * cycle + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest % 3600 / 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_of_known_moments() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_799, "2000-02-29 23:59 UTC"),
            (1_000_000_000, "2001-09-09 01:46 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
