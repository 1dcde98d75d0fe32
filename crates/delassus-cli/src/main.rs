//! The program `delassus`.

fn main() -> std::process::ExitCode {
    delassus_cli::main()
}
