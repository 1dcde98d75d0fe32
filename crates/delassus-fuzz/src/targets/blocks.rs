//! Files of blocks: JSON, meshes of COMPAS, BODIES.DAT.

use delassus_case::block_files::{FileBlock, read};

use super::{Answer, Bound, Form, FuzzTarget, no_words};

/// JSON.
pub const JSON: FuzzTarget = FuzzTarget {
    name: "blocks-json",
    form: Form::Text,
    words: json_words,
    memory: Bound::READER,
    run: |input| run("x.json", input),
};
/// LMGC90's file.
pub const DATBOX: FuzzTarget = FuzzTarget {
    name: "blocks-dat",
    form: Form::Text,
    words: no_words,
    memory: Bound::READER,
    run: |input| run("x.dat", input),
};

fn json_words() -> Vec<String> {
    let words = [
        "\"vertices\": ",
        "\"faces\": ",
        "\"vertex\": ",
        "\"face\": ",
        "{\"x\": 1e308}",
        "[0, 1, 2]",
        "null",
        "18446744073709551615",
    ];
    words.map(str::to_owned).to_vec()
}

fn run(name: &str, input: &[u8]) -> Answer {
    let sizes = |blocks: Vec<FileBlock>| {
        let points = blocks.iter().map(|b| b.points.len()).sum();
        vec![blocks.len(), points, blocks.iter().map(|b| b.faces.len()).sum()]
    };
    Answer::of(read(name, input), sizes)
}
