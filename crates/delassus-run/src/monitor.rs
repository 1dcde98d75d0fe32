//! The receiver of progress and messages of a run.

/// Someone who wants to know how a run goes.
pub trait Monitor: Send {
    /// The run starts.
    fn started(&mut self, title: &str, n_steps: usize);
    /// So many of the nominal steps are done.
    fn progressed(&mut self, done: usize, time: f64);
    /// Something worth a line.
    fn message(&mut self, text: &str);
    /// The last step is done, or the run has failed.
    fn ended(&mut self);
}

/// Nobody.
pub struct Silent;

impl Monitor for Silent {
    fn started(&mut self, _: &str, _: usize) {}
    fn progressed(&mut self, _: usize, _: f64) {}
    fn message(&mut self, _: &str) {}
    fn ended(&mut self) {}
}
