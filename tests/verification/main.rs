//! Verification cases, one file each. `cargo test -p verification -- --nocapture` shows the measured figures.

#[cfg(test)]
mod axisymmetric;
#[cfg(test)]
mod bars_impact_2d;
#[cfg(test)]
mod bars_impact_at_rest;
#[cfg(test)]
mod bars_impact_convergence;
#[cfg(test)]
mod bars_impact_schemes;
#[cfg(test)]
mod bouncing_ball;
#[cfg(test)]
mod cattaneo_mindlin;
#[cfg(test)]
mod contact_laws;
#[cfg(test)]
mod contact_patch;
mod corotation;
#[cfg(test)]
mod cylinder_impact;
#[cfg(test)]
mod delassus_operator;
#[cfg(test)]
mod determinism;
#[cfg(test)]
mod double_cantilever;
#[cfg(test)]
mod equilibrium;
#[cfg(test)]
mod face_points;
#[cfg(test)]
mod failure_policy;
#[cfg(test)]
mod fibre_matrix;
#[cfg(test)]
mod free_bar_order;
#[cfg(test)]
mod free_spin;
#[cfg(test)]
mod functions;
#[cfg(test)]
mod geologic_fault;
#[cfg(test)]
mod geologic_layers;
#[cfg(test)]
mod ground;
#[cfg(test)]
mod h8_cubes;
#[cfg(test)]
mod hertz_cylinder;
#[cfg(test)]
mod hertz_sphere;
#[cfg(test)]
mod incline;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod ledger_of_bodies;
#[cfg(test)]
mod ledger_signs;
#[cfg(test)]
mod masonry;
#[cfg(test)]
mod maxwell;
#[cfg(test)]
mod moving_obstacles;
#[cfg(test)]
mod newmark_is_theta;
#[cfg(test)]
mod no_jump;
#[cfg(test)]
mod oblique_impact;
#[cfg(test)]
mod obstacles_in_space;
#[cfg(test)]
mod point_mass;
#[cfg(test)]
mod resume;
#[cfg(test)]
mod rigid_motion;
#[cfg(test)]
mod scheme_loss;
#[cfg(test)]
mod shrink_fit;
#[cfg(test)]
mod similar_problems;
#[cfg(test)]
mod sliding_block;
#[cfg(test)]
mod sliding_blocks;
#[cfg(test)]
mod solvers_agree;
#[cfg(test)]
mod space;
#[cfg(test)]
mod sphere_impact;
#[cfg(test)]
mod split_block;
#[cfg(test)]
mod springs;
#[cfg(test)]
mod statics;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod taylor_bar;
#[cfg(test)]
mod ties;
#[cfg(test)]
mod turning_bodies;
#[cfg(test)]
mod two_blocks;
#[cfg(test)]
mod units;
#[cfg(test)]
mod varied_friction;
