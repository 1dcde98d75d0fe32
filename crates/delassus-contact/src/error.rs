//! Errors of contact surfaces, pairs and positions.

use delassus_error::{Code, Coded};
use thiserror::Error;

/// An error of contact detection: it names what is wrong, where, with its value, and what would be right.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ContactError {
    /// A candidate set without nodes.
    #[error("the candidate set of body {body} is empty: it needs at least one node")]
    EmptyCandidates {
        /// Body of the set.
        body: usize,
    },
    /// Nodes and areas differ in number.
    #[error("the candidate set of body {body} has {nodes} nodes but {areas} areas: give one area per node")]
    AreaCount {
        /// Body of the set.
        body: usize,
        /// Number of nodes.
        nodes: usize,
        /// Number of areas.
        areas: usize,
    },
    /// A tributary area that is not a positive number.
    #[error("candidate node {node} of body {body} has the area {area}: it must be positive and finite")]
    InvalidArea {
        /// Body of the set.
        body: usize,
        /// The node.
        node: usize,
        /// Its area (m²).
        area: f64,
    },
    /// A radius of balls that is not a positive number.
    #[error("the candidates of body {body} are balls of radius {radius}: it must be positive and finite")]
    BallRadius {
        /// Body of the set.
        body: usize,
        /// The radius (m).
        radius: f64,
    },
    /// A ball whose centre is not a node.
    #[error("candidate {index} of body {body} lies between nodes: the centre of a ball must be a node")]
    RoundPoint {
        /// Body of the set.
        body: usize,
        /// Index of the candidate.
        index: usize,
    },
    /// The same node twice in a candidate set: its contact would be there twice.
    #[error("node {node} is listed twice among the candidates of body {body}: list every node once")]
    DuplicateCandidate {
        /// Body of the set.
        body: usize,
        /// The node.
        node: usize,
    },
    /// The same point twice in a candidate set: its contact would be there twice.
    #[error(
        "candidates {first} and {second} of body {body} (between nodes {nodes:?}) are the same point: list every point once"
    )]
    DuplicatePoint {
        /// Body of the set.
        body: usize,
        /// Number of the first of them.
        first: usize,
        /// Number of the other.
        second: usize,
        /// Their nodes.
        nodes: Vec<usize>,
    },
    /// A point that is not a mean of nodes.
    #[error(
        "a candidate point has the nodes {nodes:?} with the weights {weights:?}: give one weight ≥ 0 per node, each node once, of sum 1"
    )]
    InvalidWeights {
        /// The nodes.
        nodes: Vec<usize>,
        /// The weights.
        weights: Vec<f64>,
    },
    /// More candidates than a contact key can number.
    #[error("candidate number {index} does not fit a contact key: a pair can have at most {max} candidates", max = u32::MAX)]
    TooManyCandidates {
        /// Index of the first candidate that does not fit.
        index: usize,
    },
    /// A surface without facets.
    #[error("the contact surface of body {body} is empty: it needs at least one facet")]
    EmptySurface {
        /// Body of the surface.
        body: usize,
    },
    /// A facet with a number of nodes that facets of this dimension do not have.
    #[error("facet {facet} has {count} nodes: it must have {fewest} to {most} (linear facets only)")]
    CornerCount {
        /// Index of the facet.
        facet: usize,
        /// Number of its nodes.
        count: usize,
        /// Fewest nodes of a facet.
        fewest: usize,
        /// Most nodes of a facet.
        most: usize,
    },
    /// A facet that names the same node twice.
    #[error("facet {facet} names node {node} twice: its nodes must differ")]
    RepeatedNode {
        /// Index of the facet.
        facet: usize,
        /// The node.
        node: usize,
    },
    /// A chain that branches.
    #[error("node {node} belongs to {count} facets ({facets:?}): in a chain it can belong to two at most")]
    BranchingChain {
        /// The node.
        node: usize,
        /// Number of facets that share it.
        count: usize,
        /// Those facets.
        facets: Vec<usize>,
    },
    /// Two neighbouring facets that do not run the same way.
    #[error(
        "facets {first} and {second} meet at node {node} but run in opposite directions: orient every facet so that the solid is on its left"
    )]
    InconsistentOrientation {
        /// The shared node.
        node: usize,
        /// The lower facet.
        first: usize,
        /// The higher facet.
        second: usize,
    },
    /// More than two facets at an edge (3D).
    #[error("{count} facets ({facets:?}) meet at the edge between nodes {nodes:?}: at most two can")]
    BranchingSurface {
        /// Ends of the edge, ascending.
        nodes: [usize; 2],
        /// Number of facets that share it.
        count: usize,
        /// Those facets.
        facets: Vec<usize>,
    },
    /// Two neighbouring facets that are not seen from the same side (3D).
    #[error(
        "facets {first} and {second} run along the edge between nodes {nodes:?} in the same direction: order the nodes of every facet counter-clockwise seen from outside"
    )]
    OppositeFacets {
        /// Ends of the edge, ascending.
        nodes: [usize; 2],
        /// The lower facet.
        first: usize,
        /// The higher facet.
        second: usize,
    },
    /// A facet in 3D without area.
    #[error("facet {facet} of body {body} (nodes {nodes:?}) has no area: its nodes are on a line or at the same place")]
    FlatFacet {
        /// Body of the surface.
        body: usize,
        /// Index of the facet.
        facet: usize,
        /// Its nodes.
        nodes: Vec<usize>,
    },
    /// A facet whose nodes are at the same place.
    #[error("facet {facet} of body {body} (nodes {nodes:?}) has no length: its nodes are at the same place")]
    ZeroLengthFacet {
        /// Body of the surface.
        body: usize,
        /// Index of the facet.
        facet: usize,
        /// Its nodes.
        nodes: Vec<usize>,
    },
    /// A normal without direction.
    #[error("the normal {normal:?} has no direction: it must be finite and not zero")]
    ZeroNormal {
        /// The components.
        normal: Vec<f64>,
    },
    /// An obstacle with a coordinate that is not a number.
    #[error("the {what} of an obstacle is {value:?}: its components must be finite")]
    NonFiniteObstacle {
        /// Which of its data.
        what: &'static str,
        /// The components.
        value: Vec<f64>,
    },
    /// A side of an obstacle without length.
    #[error(
        "the obstacle's side from {a:?} to {b:?} has no length: its ends must differ (and the first point of a polygon is not repeated at its end)"
    )]
    ZeroLengthObstacle {
        /// First end.
        a: Vec<f64>,
        /// Second end.
        b: Vec<f64>,
    },
    /// A segment as an obstacle in another dimension than 2.
    #[error(
        "a segment obstacle cannot be used in {dimension} dimensions: it separates solid from free space in 2D only"
    )]
    SegmentDimension {
        /// The dimension.
        dimension: usize,
    },
    /// A shape in a dimension that it does not have.
    #[error("a {shape} cannot be an obstacle in {dimension} dimensions: it is a shape of 3D")]
    ShapeDimension {
        /// Its name.
        shape: &'static str,
        /// The dimension.
        dimension: usize,
    },
    /// An axis without direction.
    #[error("the axis {axis:?} of an obstacle has no direction: it must be finite and not zero")]
    ZeroAxis {
        /// The components.
        axis: Vec<f64>,
    },
    /// A size of an obstacle that is not a length.
    #[error("the {what} of an obstacle is {value} m: it must be positive and finite")]
    InvalidSize {
        /// Which of its sizes.
        what: &'static str,
        /// The size (m).
        value: f64,
    },
    /// A facet of a rigid surface that names a point which is not there.
    #[error("facet {facet} of an obstacle names point {point}, but the obstacle has {n_points} points only")]
    UnknownPoint {
        /// Index of the facet.
        facet: usize,
        /// Index of the point.
        point: usize,
        /// Number of points.
        n_points: usize,
    },
    /// A facet of a rigid surface in 3D without area.
    #[error(
        "facet {facet} of an obstacle, with corners {corners:?}, has no area: they are on a line or at the same place"
    )]
    FlatObstacleFacet {
        /// Index of the facet.
        facet: usize,
        /// Its corners (m).
        corners: Vec<Vec<f64>>,
    },
    /// A surface that should be closed and has a border.
    #[error(
        "facet {facet} of an obstacle has no neighbour at the edge from point {from} to point {to}: a solid needs a closed surface"
    )]
    OpenSolid {
        /// The first facet with a border.
        facet: usize,
        /// First end of the edge.
        from: usize,
        /// Second end of the edge.
        to: usize,
    },
    /// A closed surface around nothing.
    #[error("the surface of {n_facets} facets encloses the volume {volume} m³: its inside is not defined")]
    FlatSolid {
        /// Number of facets.
        n_facets: usize,
        /// The signed volume (m³).
        volume: f64,
    },
    /// A radius that is not a length.
    #[error("the radius of an obstacle is {radius} m: it must be positive and finite")]
    InvalidRadius {
        /// The radius (m).
        radius: f64,
    },
    /// A polygon or chain with too few points.
    #[error("an obstacle of {count} points has no sides: it needs at least {needed}")]
    TooFewPoints {
        /// Number of points.
        count: usize,
        /// How many it takes.
        needed: usize,
    },
    /// A polygon that has no inside.
    #[error(
        "the polygon of {n_points} points has the area {area} m²: its points must not lie on a line, and its loops \
         must not cancel"
    )]
    FlatPolygon {
        /// Number of points.
        n_points: usize,
        /// Its signed area (m²).
        area: f64,
    },
    /// Two sides of a polygon or chain that cross: inside and outside would not be defined.
    #[error(
        "sides {first} {first_ends:?} and {second} {second_ends:?} of an obstacle cross: give the points in their order along it"
    )]
    CrossingSides {
        /// The lower side, counted from zero.
        first: usize,
        /// The higher side.
        second: usize,
        /// Ends of the lower side (m).
        first_ends: [[f64; 2]; 2],
        /// Ends of the higher side (m).
        second_ends: [[f64; 2]; 2],
    },
    /// A gap time over which no velocity can be taken.
    #[error("the gap time {value} s of an obstacle's motion must be positive and finite")]
    InvalidGapTime {
        /// The gap time (s).
        value: f64,
    },
    /// A limit of a pair that is not a length.
    #[error("pair {pair}, pass {pass}: {limit} = {value} m must be a number ≥ 0")]
    InvalidLimit {
        /// The caller's number of the pair.
        pair: u32,
        /// The pass.
        pass: u64,
        /// `reach` or `depth`.
        limit: &'static str,
        /// Its value (m).
        value: f64,
    },
    /// Two pairs with the same number and pass: the keys of their contacts would clash.
    #[error("pair {pair}, pass {pass} is given twice: number and pass together must be unique")]
    DuplicatePair {
        /// The caller's number of the pair.
        pair: u32,
        /// The pass.
        pass: u64,
    },
    /// A body that has no positions.
    #[error("body {body} is used by a contact pair, but positions are given for {n_bodies} bodies only")]
    UnknownBody {
        /// The body.
        body: usize,
        /// Number of bodies with positions.
        n_bodies: usize,
    },
    /// A node that has no position.
    #[error("node {node} of body {body} is used by a contact pair, but the body has {n_nodes} nodes only")]
    UnknownNode {
        /// The body.
        body: usize,
        /// The node.
        node: usize,
        /// Number of nodes of the body.
        n_nodes: usize,
    },
    /// A position that is not a number, or whose square overflows.
    #[error(
        "component {component} of the position of node {node} of body {body} is {value:e}: it must be finite (and below 1e150 in size)"
    )]
    InvalidPosition {
        /// The body.
        body: usize,
        /// The node.
        node: usize,
        /// 0 for x, 1 for y, 2 for z.
        component: usize,
        /// The value (m).
        value: f64,
    },
    /// Not one motion per pair.
    #[error(
        "{motions} obstacle motions are given for {pairs} pairs: give one per pair (a motion at rest where nothing moves)"
    )]
    MotionCount {
        /// Number of motions.
        motions: usize,
        /// Number of pairs.
        pairs: usize,
    },
    /// A motion that is not a number.
    #[error("pair {pair}, pass {pass}: the {what} of the obstacle is {value:?}: its components must be finite")]
    NonFiniteMotion {
        /// The caller's number of the pair.
        pair: u32,
        /// The pass.
        pass: u64,
        /// `displacement`, `velocity`, `centre`, `rotation` or `spin`.
        what: &'static str,
        /// The components.
        value: Vec<f64>,
    },
}

impl Coded for ContactError {
    fn code(&self) -> Code {
        match self {
            Self::EmptyCandidates { .. } => Code("E0501"),
            Self::AreaCount { .. } => Code("E0502"),
            Self::InvalidArea { .. } => Code("E0503"),
            Self::DuplicateCandidate { .. } => Code("E0504"),
            Self::DuplicatePoint { .. } => Code("E0505"),
            Self::InvalidWeights { .. } => Code("E0506"),
            Self::TooManyCandidates { .. } => Code("E0507"),
            Self::BallRadius { .. } => Code("E0508"),
            Self::RoundPoint { .. } => Code("E0509"),
            Self::EmptySurface { .. } => Code("E0511"),
            Self::CornerCount { .. } => Code("E0512"),
            Self::RepeatedNode { .. } => Code("E0513"),
            Self::BranchingChain { .. } => Code("E0514"),
            Self::InconsistentOrientation { .. } => Code("E0515"),
            Self::BranchingSurface { .. } => Code("E0516"),
            Self::OppositeFacets { .. } => Code("E0517"),
            Self::FlatFacet { .. } => Code("E0518"),
            Self::ZeroLengthFacet { .. } => Code("E0519"),
            Self::ZeroNormal { .. } => Code("E0521"),
            Self::NonFiniteObstacle { .. } => Code("E0522"),
            Self::ZeroLengthObstacle { .. } => Code("E0523"),
            Self::SegmentDimension { .. } => Code("E0524"),
            Self::ShapeDimension { .. } => Code("E0525"),
            Self::ZeroAxis { .. } => Code("E0526"),
            Self::InvalidSize { .. } => Code("E0527"),
            Self::UnknownPoint { .. } => Code("E0528"),
            Self::FlatObstacleFacet { .. } => Code("E0529"),
            Self::OpenSolid { .. } => Code("E0530"),
            Self::FlatSolid { .. } => Code("E0531"),
            Self::InvalidRadius { .. } => Code("E0532"),
            Self::TooFewPoints { .. } => Code("E0533"),
            Self::FlatPolygon { .. } => Code("E0534"),
            Self::CrossingSides { .. } => Code("E0535"),
            Self::InvalidGapTime { .. } => Code("E0541"),
            Self::InvalidLimit { .. } => Code("E0542"),
            Self::DuplicatePair { .. } => Code("E0543"),
            Self::UnknownBody { .. } => Code("E0544"),
            Self::UnknownNode { .. } => Code("E0545"),
            Self::InvalidPosition { .. } => Code("E0546"),
            Self::MotionCount { .. } => Code("E0547"),
            Self::NonFiniteMotion { .. } => Code("E0548"),
        }
    }
}
