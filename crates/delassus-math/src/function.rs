//! Elementary functions: those of the system's library, or in a portable build those of the libm crate.
//!
//! The methods of `f64` of the same names always go to the system's library, whose bits depend on its version, and on the processor: glibc
//! has variants with and without fused multiplication. A test of the workspace (`walls`) checks that they are not used.

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($x:ident),+) = $libm:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[must_use]
            pub fn $name($($x: f64),+) -> f64 {
                #[cfg(feature = "portable")]
                let value = libm::$libm($($x),+);
                #[cfg(not(feature = "portable"))]
                let value = f64::$name($($x),+);
                value
            }
        )*
    };
}

functions! {
    /// sin x.
    sin(x) = sin;
    /// cos x.
    cos(x) = cos;
    /// tan x.
    tan(x) = tan;
    /// arcsin x.
    asin(x) = asin;
    /// arccos x.
    acos(x) = acos;
    /// arctan x.
    atan(x) = atan;
    /// The angle of the point (x, y).
    atan2(y, x) = atan2;
    /// sinh x.
    sinh(x) = sinh;
    /// cosh x.
    cosh(x) = cosh;
    /// tanh x.
    tanh(x) = tanh;
    /// arsinh x.
    asinh(x) = asinh;
    /// eˣ.
    exp(x) = exp;
    /// eˣ − 1.
    exp_m1(x) = expm1;
    /// ln x.
    ln(x) = log;
    /// ln(1 + x).
    ln_1p(x) = log1p;
    /// log₁₀ x.
    log10(x) = log10;
    /// xʸ.
    powf(x, y) = pow;
    /// ∛x.
    cbrt(x) = cbrt;
    /// √(x² + y²).
    hypot(x, y) = hypot;
}

/// sin x and cos x.
#[inline]
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    #[cfg(feature = "portable")]
    let both = libm::sincos(x);
    #[cfg(not(feature = "portable"))]
    let both = x.sin_cos();
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Either library is within two units of the last place of values known to 20 digits.
    #[test]
    fn functions_are_what_their_names_say() {
        let known = [
            (sin(1.0), 0.841_470_984_807_896_5),
            (cos(1.0), 0.540_302_305_868_139_8),
            (tan(1.0), 1.557_407_724_654_902_3),
            (asin(0.6), 0.643_501_108_793_284_4),
            (acos(0.6), 0.927_295_218_001_612_2),
            (atan(2.0), 1.107_148_717_794_090_4),
            (atan2(-1.0, -2.0), -2.677_945_044_588_987),
            (sinh(1.0), 1.175_201_193_643_801_4),
            (cosh(1.0), 1.543_080_634_815_243_7),
            (tanh(1.0), 0.761_594_155_955_764_9),
            (asinh(1.0), 0.881_373_587_019_543),
            (exp(1.0), std::f64::consts::E),
            (exp_m1(1e-5), 1.000_005_000_016_666_7e-5),
            (ln(10.0), std::f64::consts::LN_10),
            (ln_1p(1e-5), 9.999_950_000_333_332e-6),
            (log10(2.0), std::f64::consts::LOG10_2),
            (powf(2.0, 0.3), 1.231_144_413_344_916_3),
            (cbrt(2.0), 1.259_921_049_894_873_2),
            (hypot(1.0, 2.0), 2.236_067_977_499_79),
            (sin_cos(1.0).0, 0.841_470_984_807_896_5),
            (sin_cos(1.0).1, 0.540_302_305_868_139_8),
        ];
        for (k, (found, exact)) in known.into_iter().enumerate() {
            assert!(f64::abs(found - exact) <= 2.0 * f64::EPSILON * f64::abs(exact), "entry {k}: {found:e}, {exact:e}");
        }
    }
}
