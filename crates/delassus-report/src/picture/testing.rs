//! Shapes for tests.

/// The faces of a box, counter-clockwise seen from outside: −x, +x, −y, +y, −z, +z.
pub fn cuboid(low: [f64; 3], size: [f64; 3]) -> Vec<Vec<[f64; 3]>> {
    let corner =
        |k: usize| -> [f64; 3] { std::array::from_fn(|i| low[i] + if k >> i & 1 == 1 { size[i] } else { 0.0 }) };
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    faces.iter().map(|f| f.iter().map(|&k| corner(k)).collect()).collect()
}

/// A face and its stress.
type StressedFace = (Vec<[f64; 3]>, f64);

/// The faces of boxes, each of its lowest corner and size, under one stress; and the number of the box of each face.
pub fn boxes(list: &[([f64; 3], [f64; 3])]) -> (Vec<StressedFace>, Vec<usize>) {
    let faces =
        list.iter().enumerate().flat_map(|(k, (low, size))| cuboid(*low, *size).into_iter().map(move |r| (k, r)));
    faces.map(|(k, ring)| ((ring, 1.0), k)).unzip()
}
