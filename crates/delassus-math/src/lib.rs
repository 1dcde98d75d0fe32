//! What the bits of a result depend on besides its input: elementary functions, and the level of instructions.
//!
//! IEEE 754 fixes the bits of +, −, ×, ÷ and √, but neither those of sin, exp and similar functions nor the order of sums in a library. In a
//! build of the feature `native` faer chooses fused and wide instructions while the program runs, and the functions are those of the system's
//! library, which also does so: the bits are the same on all processors of one [`level`]. In a build of the feature `portable` nothing is chosen
//! and the functions are those of the libm crate, which are made of the operations that IEEE 754 fixes.
//!
//! [`Expression`]s that a user writes are made of these functions, and have the [units in words](UNITS) of cases.

mod expression;
mod function;
mod level;
mod units;

pub use expression::{Expression, ExpressionError};
pub use function::*;
pub use level::level;
pub use units::{UNITS, UnitQuantity, UnitWord};

#[cfg(all(feature = "native", feature = "portable"))]
compile_error!("the feature `portable` excludes `native`: build with --no-default-features --features portable");

#[cfg(not(any(feature = "native", feature = "portable")))]
compile_error!("without the feature `native` give `portable`: --no-default-features --features portable");

#[cfg(all(feature = "portable", any(target_feature = "avx", target_feature = "fma")))]
compile_error!(
    "the feature `portable` wants the instructions that every x86-64 has: build without -C target-cpu and -C target-feature"
);
