//! The receiver of progress and messages of a run.

/// Receives progress and messages of a run.
pub trait Monitor: Send {
    /// The run starts.
    fn started(&mut self, title: &str, n_steps: usize);
    /// The number of nominal steps done, and the time.
    fn progressed(&mut self, done: usize, time: f64);
    /// A message.
    fn message(&mut self, text: &str);
    /// The last step is done, or the run has failed.
    fn ended(&mut self);
}

/// A monitor that ignores everything.
pub struct Silent;

impl Monitor for Silent {
    fn started(&mut self, _: &str, _: usize) {}
    fn progressed(&mut self, _: usize, _: f64) {}
    fn message(&mut self, _: &str) {}
    fn ended(&mut self) {}
}
