//! Order of convergence on smooth motion, over every scheme.
//!
//! Error: Euclidean norm of (q, v/ω) against the exact solution at one fixed time, five step sizes halved each time, order
//! by least squares in the logarithms.

use std::f64::consts::PI;

use delassus_dynamics::System;

use crate::common::{Form, Linear, Run, schemes};

/// t ↦ (q, v).
type Exact = Box<dyn Fn(f64) -> (Vec<f64>, Vec<f64>)>;

/// A system, its exact motion t ↦ (q, v), and a frequency to weigh v against q.
struct Problem {
    name: &'static str,
    system: Linear,
    exact: Exact,
    omega: f64,
    end: f64,
}

fn free_oscillator() -> Problem {
    let (m, k) = (1.7_f64, 12.0_f64);
    let w = (k / m).sqrt();
    Problem {
        name: "free oscillator",
        system: Linear::oscillator(m, 0.0, k),
        exact: Box::new(move |t| {
            let (s, c) = (w * t).sin_cos();
            (vec![c + 0.4 * s], vec![w * (0.4 * c - s)])
        }),
        omega: w,
        end: 2.0,
    }
}

/// m q̈ + c q̇ + k q = F sin(Ωt): forced part plus a decaying free one.
fn damped_and_loaded() -> Problem {
    let (m, c, k, force, rate) = (1.3_f64, 0.4_f64, 9.0_f64, 2.5_f64, 1.9_f64);
    let (a, b) = (k - m * rate * rate, c * rate);
    let (sine, cosine) = (force * a / (a * a + b * b), -force * b / (a * a + b * b));
    let decay = c / (2.0 * m);
    let w = (k / m - decay * decay).sqrt();
    Problem {
        name: "damped, sinusoidal load",
        system: Linear::oscillator(m, c, k).loaded(move |_, t| force * (rate * t).sin()),
        exact: Box::new(move |t| {
            let ((fs, fc), (s, co), e) = ((rate * t).sin_cos(), (w * t).sin_cos(), (-decay * t).exp());
            let q = sine * fs + cosine * fc + e * (0.8 * co - 0.3 * s);
            let v = rate * (sine * fc - cosine * fs) + e * (w * (-0.8 * s - 0.3 * co) - decay * (0.8 * co - 0.3 * s));
            (vec![q], vec![v])
        }),
        omega: w,
        end: 2.3,
    }
}

/// Six equal masses between two walls, C = ηK: modes 1 and 3, each a damped oscillator.
fn damped_chain() -> Problem {
    let (n, m, k, eta) = (6, 0.9_f64, 7.0_f64, 0.03_f64);
    let (mut damping, mut stiffness) = (Form::zero(n), Form::zero(n));
    let mut walls = vec![0.0; n];
    (walls[0], walls[n - 1]) = (1.0, 1.0);
    for i in 0..n {
        stiffness.link([i, (i + 1) % n], [1.0, 0.0], k * walls[i]);
        damping.link([i, (i + 1) % n], [1.0, 0.0], eta * k * walls[i]);
    }
    for i in 0..n - 1 {
        stiffness.tie(i, i + 1, k);
        damping.tie(i, i + 1, eta * k);
    }
    let mode = move |j: usize, i: usize| (PI * (j * (i + 1)) as f64 / (n + 1) as f64).sin();
    let frequency = move |j: usize| 2.0 * (k / m).sqrt() * (PI * j as f64 / (2 * (n + 1)) as f64).sin();
    Problem {
        name: "damped chain",
        system: Linear::new(Form::new(vec![m; n]), damping, stiffness),
        exact: Box::new(move |t| {
            let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
            for (j, amplitude, phase) in [(1, 1.0, 0.3), (3, 0.5, -0.8)] {
                let decay = 0.5 * eta * frequency(j).powi(2);
                let w = (frequency(j).powi(2) - decay * decay).sqrt();
                let (s, c) = (w * t + phase).sin_cos();
                let e = amplitude * (-decay * t).exp();
                for i in 0..n {
                    q[i] += mode(j, i) * e * c;
                    v[i] -= mode(j, i) * e * (w * s + decay * c);
                }
            }
            (q, v)
        }),
        omega: frequency(3),
        end: 1.7,
    }
}

/// A mass on a spring whose other end is shaken, V = A sin(Ωt), with a mass that couples the two.
fn shaken_base() -> Problem {
    let (m, coupling, k, speed, rate) = (1.4_f64, 0.2_f64, 11.0_f64, 0.9_f64, 1.6_f64);
    let mut mass = Form::new(vec![1.0 - coupling, m - coupling]);
    mass.link([0, 1], [1.0, 1.0], coupling);
    let mut stiffness = Form::zero(2);
    stiffness.tie(0, 1, k);
    let w = (k / m).sqrt();
    // m q̈ + k q = k X − coupling Ẍ with X = (A/Ω)(1 − cos Ωt)
    let rest = speed / rate;
    let forced = -(w * w * rest + coupling / m * speed * rate) / (w * w - rate * rate);
    let v0 = 0.6;
    Problem {
        name: "shaken base",
        system: Linear::new(mass, Form::zero(2), stiffness)
            .moved(&[0], move |_, t| (speed * (rate * t).sin(), speed * rate * (rate * t).cos())),
        exact: Box::new(move |t| {
            let ((fs, fc), (s, c)) = ((rate * t).sin_cos(), (w * t).sin_cos());
            let q = rest + forced * fc - (rest + forced) * c + v0 / w * s;
            let v = -forced * rate * fs + (rest + forced) * w * s + v0 * c;
            (vec![rest * (1.0 - fc), q], vec![speed * fs, v])
        }),
        omega: w,
        end: 2.1,
    }
}

fn error(problem: &Problem, integrator: &dyn delassus_dynamics::Integrator, n_steps: u32) -> f64 {
    let h = problem.end / f64::from(n_steps);
    let mut run = Run::new(&problem.system, integrator, h);
    let (q, v) = (problem.exact)(0.0);
    let mut state = run.start(0.0, q, v);
    for _ in 0..n_steps {
        state = run.step(&state);
    }
    let (q, v) = (problem.exact)(problem.end);
    let dq: f64 = state.q.iter().zip(&q).map(|(a, b)| (a - b).powi(2)).sum();
    let dv: f64 = state.v.iter().zip(&v).map(|(a, b)| ((a - b) / problem.omega).powi(2)).sum();
    (dq + dv).sqrt()
}

/// Slope of y over x by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (sxy, sxx) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx).powi(2)));
    sxy / sxx
}

fn check(problem: &Problem) {
    // The exact motion starts where the prescribed motion says.
    let (_, v) = (problem.exact)(0.0);
    for (&dof, (given, _)) in problem.system.prescribed().iter().zip(problem.system.prescribed_motion(0.0)) {
        assert!((v[dof] - given).abs() < 1e-15);
    }
    for scheme in schemes() {
        // Small enough that the next term of the error moves the order by less than 0.05.
        let points: Vec<(f64, f64)> = [250_u32, 500, 1000, 2000, 4000]
            .iter()
            .map(|&n| (-f64::from(n).ln(), error(problem, scheme.integrator.as_ref(), n).ln()))
            .collect();
        let order = slope(&points);
        let name = scheme.name();
        assert!(
            (order - scheme.order).abs() < 0.05,
            "{}, {name}: order {order:.4}, expected {}; errors {points:?}",
            problem.name,
            scheme.order
        );
    }
}

#[test]
fn order_on_a_free_oscillator() {
    check(&free_oscillator());
}

#[test]
fn order_with_damping_and_load() {
    check(&damped_and_loaded());
}

#[test]
fn order_on_a_damped_chain() {
    check(&damped_chain());
}

#[test]
fn order_with_a_moving_support_and_coupled_mass() {
    check(&shaken_base());
}
