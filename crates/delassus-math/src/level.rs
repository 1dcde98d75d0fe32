//! The level of instructions.

use std::sync::OnceLock;

/// What a fused or wide sum needs of an x86-64: pulp, by which faer and the sweeps choose, asks for all of them, other libraries for AVX2 and FMA. What goes
/// beyond (AVX-512) has the same sums in wider registers, and the same bits.
#[cfg(all(feature = "native", target_arch = "x86_64"))]
const WIDE: [&str; 7] = ["AVX", "AVX2", "FMA", "BMI1", "BMI2", "LZCNT", "POPCNT"];

/// What the bits of a result depend on besides the case: the same on two machines, and the bits are the same.
///
/// Of a native build the instructions it has found, such as `x86-64 AVX2+FMA` or `x86-64 baseline`; of a portable one `portable x86-64`.
#[must_use]
pub fn level() -> &'static str {
    static LEVEL: OnceLock<String> = OnceLock::new();
    LEVEL.get_or_init(found)
}

fn found() -> String {
    #[cfg(feature = "portable")]
    let level = format!("portable {}", architecture());
    #[cfg(all(feature = "native", not(feature = "portable"), target_arch = "x86_64"))]
    let level = {
        use std::arch::is_x86_feature_detected as has;
        let found = [has!("avx"), has!("avx2"), has!("fma"), has!("bmi1"), has!("bmi2"), has!("lzcnt"), has!("popcnt")];
        name(found)
    };
    #[cfg(all(not(feature = "portable"), not(all(feature = "native", target_arch = "x86_64"))))]
    let level = architecture().to_owned();
    level
}

/// The architecture as people write it.
#[cfg(any(feature = "portable", not(target_arch = "x86_64")))]
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x86-64",
        other => other,
    }
}

/// All, none, or those of the list that are there.
#[cfg(all(feature = "native", target_arch = "x86_64"))]
fn name(found: [bool; WIDE.len()]) -> String {
    let there: Vec<&str> = WIDE.iter().zip(found).filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect();
    // Without AVX nothing of what is chosen can be used.
    match (there.len() == WIDE.len(), found[0]) {
        (true, _) => "x86-64 AVX2+FMA".to_owned(),
        (false, false) => "x86-64 baseline".to_owned(),
        (false, true) => format!("x86-64 {} only", there.join("+")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_names_the_build_and_the_processor() {
        let level = level();
        assert_eq!(level.starts_with("portable "), cfg!(feature = "portable"), "{level}");
        assert!(!cfg!(target_arch = "x86_64") || level.contains("x86-64"), "{level}");
    }

    #[cfg(all(feature = "native", target_arch = "x86_64"))]
    #[test]
    fn levels_have_names() {
        assert_eq!(name([true; 7]), "x86-64 AVX2+FMA");
        assert_eq!(name([false, false, false, false, false, false, true]), "x86-64 baseline");
        assert_eq!(name([true, false, true, true, true, true, true]), "x86-64 AVX+FMA+BMI1+BMI2+LZCNT+POPCNT only");
    }
}
