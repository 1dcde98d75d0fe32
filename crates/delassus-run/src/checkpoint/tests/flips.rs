//! Every byte of a checkpoint counts.

use super::*;

/// A small checkpoint whose bytes are changed one after the other, each bit alone and all of them: every change is seen, and the older one is taken.
#[test]
fn a_change_of_any_byte_is_seen_and_the_older_one_taken() {
    let scene = Scene::stopped();
    let case = loaded(&[]);
    let lowered = case.lowered::<2>().unwrap();
    let (path, ours) = (scene.checkpoint(12), Origin::of(&case, &lowered));
    let whole = fs::read(&path).unwrap();
    assert!(Checkpoint::from_bytes(&whole, &path).is_ok());
    assert!(whole.len() > 2000 && whole.len() < 20_000, "{} bytes", whole.len());
    let mut bytes = whole.clone();
    for k in 0..bytes.len() {
        for mask in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            bytes[k] ^= mask;
            let e = Checkpoint::from_bytes(&bytes, &path).unwrap_err();
            assert!(matches!(e, CheckpointError::Damaged { .. }), "byte {k}, mask {mask}: {e}");
            bytes[k] ^= mask;
        }
    }
    // The older one is the same for all of a kind: some through the folder.
    for k in (0..64).chain((64..bytes.len()).step_by(61)).chain(bytes.len() - 40..bytes.len()) {
        bytes[k] ^= 1 << (k % 8);
        fs::write(&path, &bytes).unwrap();
        bytes[k] = whole[k];
        let mut said = Vec::new();
        let found = Checkpoint::find(&scene.out(), &ours, &lowered.model, &mut |text| said.push(text.to_owned()));
        assert_eq!(found.unwrap().unwrap().checkpoint.done, 10, "byte {k}");
        assert!(said.len() == 1 && said[0].contains("step_000000012.ckpt` is damaged"), "byte {k}: {said:?}");
    }
    // As is any length but its own.
    for n in 0..whole.len() {
        assert!(Checkpoint::from_bytes(&whole[..n], &path).is_err(), "{n} bytes");
    }
    fs::write(&path, &whole).unwrap();
    scene.check_resumed(&["resumed after step 12 of 20"]);
}
