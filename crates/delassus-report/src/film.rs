//! `film.svg`: the frames of a run one after the other, as one animated picture that every browser shows.
//!
//! The pictures are those of the report's painter, with one camera, one scale of colours and one magnification. Each is an element that is visible for its share of the film's
//! time (CSS animation within the file, no script): the file can be opened by itself or stand in a page as `<img>`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use delassus_chart::svg::{escape, num};
use delassus_run::lock::{Holder, Lock};
use delassus_run::results::Folder;

use crate::error::ReportError;
use crate::folder::Results;
use crate::picture::{Gallery, reel};

/// Name of the film in its results folder.
pub const FILM: &str = "film.svg";

/// Bytes of pictures above which every other one is left out: browsers play larger files too slowly.
const MOST_BYTES: usize = 24_000_000;
/// Height of the line with the time, and of the key.
const TITLE: f64 = 34.0;
const KEY: [f64; 2] = [640.0, 84.0];

/// How a film is made.
#[derive(Clone, Copy, Debug)]
pub struct FilmOptions {
    /// Most pictures.
    pub frames: usize,
    /// How long it lasts \[s\].
    pub seconds: f64,
}

/// Writes the film of a results folder into it; the file, and how many pictures it has.
///
/// # Errors
/// What cannot be read, or written.
pub fn write_film(folder: &Path, options: FilmOptions) -> Result<(PathBuf, usize), ReportError> {
    Results::check_folder(folder)?;
    let _lock = Lock::take(folder, Holder::Report)?;
    let results = Results::read(folder)?;
    let mut gallery = reel(&results, options.frames)?;
    while gallery.pictures.len() > 2 && gallery.pictures.iter().map(|p| p.svg.len()).sum::<usize>() > MOST_BYTES {
        let mut k = 0;
        gallery.pictures.retain(|_| {
            k += 1;
            k % 2 == 1
        });
    }
    if gallery.pictures.is_empty() {
        return Err(ReportError::NoPictures(folder.to_owned()));
    }
    let n = gallery.pictures.len();
    let out = Folder::open(folder);
    out.write(FILM, film(&results.case.title, &gallery, options.seconds).as_bytes())?;
    Ok((out.file(FILM), n))
}

/// Width and height of a drawing, from its `viewBox`.
fn size(svg: &str) -> Option<[f64; 2]> {
    let numbers = svg.split_once("viewBox=\"0 0 ")?.1.split('"').next()?;
    let (w, h) = numbers.split_once(' ')?;
    Some([w.parse().ok()?, h.parse().ok()?])
}

/// A drawing as a part of another one, at a place and of a size.
fn placed(svg: &str, [x, y]: [f64; 2], [w, h]: [f64; 2]) -> String {
    let at = format!("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" ", num(x), num(y), num(w), num(h));
    svg.replacen("<svg ", &at, 1)
}

/// The film of pictures.
fn film(title: &str, gallery: &Gallery, seconds: f64) -> String {
    let n = gallery.pictures.len();
    let [w, h] = gallery.pictures.first().and_then(|p| size(&p.svg)).unwrap_or([640.0, 480.0]);
    let key = [w.min(KEY[0]), KEY[1] * w.min(KEY[0]) / KEY[0]];
    let height = TITLE + h + key[1] + 8.0;
    let (title, share) = (escape(title), 100.0 / n as f64);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#1a1a1a\">\n\
         <title>{title}</title>\n\
         <style>.f{{visibility:hidden;animation:film {seconds}s step-end infinite}}.f1{{visibility:visible}}\
         @keyframes film{{0%{{visibility:visible}}{share:.6}%{{visibility:hidden}}}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        num(1.4 * w),
        num(1.4 * height),
        num(w),
        num(height)
    );
    for (k, picture) in gallery.pictures.iter().enumerate() {
        let delay = seconds * k as f64 / n as f64;
        let first = if k == 0 { " f1" } else { "" };
        let _ = writeln!(
            out,
            "<g class=\"f{first}\" style=\"animation-delay:{delay:.4}s\"><text x=\"10\" y=\"22\">{title}: {}</text>{}</g>",
            escape(&picture.caption),
            placed(&picture.svg, [0.0, TITLE], [w, h])
        );
    }
    let _ = write!(out, "{}\n</svg>\n", placed(&gallery.key, [0.0, TITLE + h + 4.0], key));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Picture;

    /// Each picture is seen for its share, one after the other.
    #[test]
    fn every_picture_has_its_time() {
        let picture = |k: usize| Picture {
            svg: format!("<svg id=\"a{k}\" viewBox=\"0 0 320 200\"></svg>"),
            caption: format!("t = {k} < 9"),
        };
        let gallery = Gallery {
            pictures: (0..4).map(picture).collect(),
            key: "<svg id=\"key\" viewBox=\"0 0 640 84\"></svg>".to_owned(),
            ..Gallery::default()
        };
        let text = film("a & b", &gallery, 8.0);
        for piece in [
            "animation:film 8s step-end infinite",
            "25.000000%{visibility:hidden}",
            "animation-delay:0.0000s\"",
            "animation-delay:6.0000s\"",
            "a &amp; b: t = 3 &lt; 9",
            "<svg x=\"0\" y=\"34\" width=\"320\" height=\"200\" id=\"a3\"",
        ] {
            assert!(text.contains(piece), "no `{piece}` in {text}");
        }
        assert_eq!((text.matches("<svg").count(), text.matches("</svg>").count()), (6, 6));
    }
}
