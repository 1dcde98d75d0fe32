//! Cases as users write them: one program, so that it is compiled and linked once.

mod all_problems;
mod blocks;
mod built;
mod case_format;
mod json_cases;
mod own;
mod rigid;
mod together;
mod told;
