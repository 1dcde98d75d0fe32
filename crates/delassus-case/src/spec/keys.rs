//! The keys at the top of a case, and how the value of each is read by itself.

use delassus_dynamics::integrator::IntegratorSpec;
use delassus_fem::Kinematics;
use delassus_verify::VerifySpec;

use super::{
    BodyEntry, BoundaryEntry, Case, ContactEntry, JointEntry, LoadEntry, MaterialEntry, MotionEntry, ObstacleEntry,
    OutputSpec, ProbeEntry, SolverSpec, StartSpec, TieEntry, Units,
};
use crate::source::KeyProbe;

/// Makes [`Case::keys`] and [`Case::required_keys`] from one list. A field of [`Case`] that is not in the list, or
/// whose type is another one, does not compile.
macro_rules! keys_of_case {
    (@required required $key:ident) => { Some(stringify!($key)) };
    (@required optional $key:ident) => { None };
    (@type value $type:ty) => { $type };
    (@type list $type:ty) => { Vec<$type> };
    ($($need:ident $key:ident: $shape:ident $type:ty,)*) => {
        impl Case {
            /// Every key of a case, and how its value is read.
            #[must_use]
            pub fn keys() -> Vec<(&'static str, KeyProbe)> {
                vec![$((stringify!($key), KeyProbe::$shape::<$type>())),*]
            }

            /// The keys a case must have.
            #[must_use]
            pub fn required_keys() -> Vec<&'static str> {
                let keys = [$(keys_of_case!(@required $need $key)),*];
                keys.into_iter().flatten().collect()
            }
        }

        const _: fn(Case) = |case| {
            let Case { $($key),* } = case;
            $(let _: keys_of_case!(@type $shape $type) = $key;)*
        };
    };
}

keys_of_case! {
    required title: value String,
    optional units: value Units,
    optional dimension: value usize,
    optional kinematics: value Kinematics,
    required materials: list MaterialEntry,
    required bodies: list BodyEntry,
    optional obstacles: list ObstacleEntry,
    optional contacts: list ContactEntry,
    optional loads: list LoadEntry,
    optional boundary: list BoundaryEntry,
    optional motions: list MotionEntry,
    optional joints: list JointEntry,
    optional ties: list TieEntry,
    optional start: value StartSpec,
    required integrator: value IntegratorSpec,
    required step: value f64,
    required duration: value f64,
    optional solver: value SolverSpec,
    optional memory: value f64,
    optional output: value OutputSpec,
    optional probes: list ProbeEntry,
    optional verify: value Option<VerifySpec>,
}
