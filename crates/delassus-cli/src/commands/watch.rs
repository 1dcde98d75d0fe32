//! `delassus watch`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use console::Term;
use delassus_error::{FileError, Interrupt};
use delassus_report::folder::Results;
use delassus_report::live;

use crate::interrupts::heard;
use crate::{CommandError, Reply, output};

/// Follow a run as it goes: plots in the terminal, or a page on this machine with --page
#[derive(Args)]
pub struct Watch {
    /// Results folder of a run in progress
    results: PathBuf,
    /// Columns of history.csv to plot
    columns: Vec<String>,
    /// Show the run once and end
    #[arg(long)]
    once: bool,
    /// Serve a page that follows the run, on 127.0.0.1 only, at this port (0: any that is free)
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", conflicts_with = "once", require_equals = true)]
    page: Option<u16>,
}

/// Time between two looks at the run.
const PAUSE: Duration = Duration::from_secs(1);
/// Time between two looks for somebody who asks for the page.
const SHORT_PAUSE: Duration = Duration::from_millis(50);
/// Longest request that is read, and how long is waited for it.
const REQUEST: u64 = 8192;
const PATIENCE: Duration = Duration::from_secs(2);

impl Watch {
    pub fn execute(self) -> Result<Reply, CommandError> {
        if self.once {
            let width = usize::from(Term::stdout().size().1);
            return Ok(live::terminal(&Results::read(&self.results)?, &self.columns, width)
                .trim_end()
                .to_owned()
                .into());
        }
        let stop = heard("no longer watching; the run itself goes on");
        match self.page {
            Some(port) => serve(&self.results, &self.columns, port, &stop),
            None => self.follow(&stop),
        }
    }

    /// Draws the plots again and again until the run is over.
    fn follow(&self, stop: &Interrupt) -> Result<Reply, CommandError> {
        let term = Term::stdout();
        let mut drawn = 0;
        loop {
            let results = Results::read(&self.results)?;
            let text = live::terminal(&results, &self.columns, usize::from(term.size().1));
            let text = text.trim_end();
            if live::is_over(&results) || stop.is_raised() {
                let _ = term.clear_last_lines(drawn);
                return Ok(text.to_owned().into());
            }
            let _ = term.clear_last_lines(drawn);
            output::say(&text);
            drawn = if term.is_term() { text.lines().count() } else { 0 };
            std::thread::sleep(PAUSE);
        }
    }
}

/// Serves the page until the run is over or somebody asks to stop.
fn serve(results: &Path, columns: &[String], port: u16, stop: &Interrupt) -> Result<Reply, CommandError> {
    let failed = |source| FileError { action: "serve", path: format!("127.0.0.1:{port}").into(), source };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Results::read(results)?;
    output::say(&format!("http://{address}/ (Ctrl-C ends the page, not the run)"));
    // The last page is given once more after the end, or the browser would miss it.
    let mut last_given = false;
    while !stop.is_raised() && !last_given {
        match listener.accept() {
            Ok((stream, _)) => {
                let found = Results::read(results);
                let given = answer(stream, found.as_ref().ok(), columns).is_ok_and(|is_page| is_page);
                last_given = given && found.as_ref().is_ok_and(live::is_over);
            }
            Err(_) => std::thread::sleep(SHORT_PAUSE),
        }
    }
    Ok(String::new().into())
}

/// Answers one request; was it for the page?
fn answer(mut stream: TcpStream, results: Option<&Results>, columns: &[String]) -> std::io::Result<bool> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut first = String::new();
    BufReader::new((&stream).take(REQUEST)).read_line(&mut first)?;
    let (status, body) = match results {
        _ if !first.starts_with("GET / ") => ("404 Not Found", "not found".to_owned()),
        Some(results) => ("200 OK", live::page(results, columns)),
        None => ("503 Service Unavailable", "the results folder cannot be read just now; try again".to_owned()),
    };
    let kind = if status.starts_with("200") { "text/html" } else { "text/plain" };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()?;
    Ok(kind == "text/html")
}
