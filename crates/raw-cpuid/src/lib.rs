//! Knows nothing about the processor. It stands in for the crate of this name (`[patch.crates-io]` in the workspace), with as much of its
//! interface as faer's libraries use.
//!
//! pulp looks here for vector instructions, and gemm for the sizes of caches, by which it cuts long sums into parts: both would make the last bits of
//! a product depend on the machine. Where nothing is known both take what every processor has, and fixed sizes. In the build `native`
//! the standard library tells the instructions, and this crate is asked for caches at most.
#![no_std]

/// What a processor tells about itself: nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuId;

/// Something that was not told. There is no value of it.
#[derive(Clone, Copy, Debug)]
pub enum Untold {}

/// A kind of cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheType {
    /// None.
    Null,
    /// For data.
    Data,
    /// For instructions.
    Instruction,
    /// For both.
    Unified,
    /// Not defined.
    Reserved,
}

/// How the places of a cache are shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Associativity {
    /// The cache is off.
    Disabled,
    /// One place for each address.
    DirectMapped,
    /// So many places for each address.
    NWay(u8),
    /// Any place for any address.
    FullyAssociative,
    /// Not told.
    Unknown,
}

impl CpuId {
    /// Asks nobody.
    #[must_use]
    pub fn new() -> Self {
        Self
    }

    /// Who made the processor: not told.
    #[must_use]
    pub fn get_vendor_info(&self) -> Option<Untold> {
        None
    }

    /// Instructions: not told.
    #[must_use]
    pub fn get_feature_info(&self) -> Option<Untold> {
        None
    }

    /// More instructions: not told.
    #[must_use]
    pub fn get_extended_feature_info(&self) -> Option<Untold> {
        None
    }

    /// Instructions of some makers: not told.
    #[must_use]
    pub fn get_extended_processor_and_feature_identifiers(&self) -> Option<Untold> {
        None
    }

    /// Registers that are saved: not told.
    #[must_use]
    pub fn get_extended_state_info(&self) -> Option<Untold> {
        None
    }

    /// Caches: not told.
    #[must_use]
    pub fn get_cache_parameters(&self) -> Option<core::iter::Empty<Untold>> {
        None
    }

    /// The nearest cache: not told.
    #[must_use]
    pub fn get_l1_cache_and_tlb_info(&self) -> Option<Untold> {
        None
    }

    /// The other caches: not told.
    #[must_use]
    pub fn get_l2_l3_cache_and_tlb_info(&self) -> Option<Untold> {
        None
    }
}

/// Questions that nobody can ask, since there is nothing to ask them of.
macro_rules! never_answered {
    ($kind:ty: $($name:ident)*) => {
        impl Untold {
            $(
                #[doc = concat!("`", stringify!($name), "`: never answered.")]
                #[must_use]
                pub fn $name(&self) -> $kind {
                    match *self {}
                }
            )*
        }
    };
}

never_answered!(&str: as_str);
never_answered!(u8: level dcache_size dcache_line_size l2cache_line_size l3cache_line_size);
never_answered!(u16: l2cache_size l3cache_size);
never_answered!(usize: associativity sets coherency_line_size);
never_answered!(CacheType: cache_type);
never_answered!(Associativity: dcache_associativity l2cache_associativity l3cache_associativity);
never_answered!(bool:
    has_adx has_aesni has_avx has_avx2 has_avx512_bf16 has_avx512_ifma has_avx512_vp2intersect has_avx512bitalg has_avx512bw has_avx512cd
    has_avx512dq has_avx512er has_avx512f has_avx512pf has_avx512vbmi has_avx512vbmi2 has_avx512vl has_avx512vnni has_avx512vpopcntdq has_bmi1
    has_bmi2 has_cmpxchg16b has_f16c has_fma has_fxsave_fxstor has_gfni has_lzcnt has_pclmulqdq has_popcnt has_rdrand has_rdseed has_rtm
    has_sha has_sse has_sse2 has_sse3 has_sse41 has_sse42 has_sse4a has_ssse3 has_tbm has_vaes has_vpclmulqdq has_xsave has_xsavec
    has_xsaveopt has_xsaves_xrstors
);
