//! Expressions of named variables, as a user writes them: `1e-3*sin(2*pi*50*t)`.
//!
//! ```text
//! comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]      1 where it holds, else 0
//! sum        = product { ("+" | "-") product }
//! product    = signed { ("*" | "/") signed }
//! signed     = ("-" | "+") signed | power                               −2^2 = −4
//! power      = value [ "^" signed ]                                     2^3^2 = 2^9, 2^-1 = 0.5
//! value      = number | name | name "(" comparison { "," comparison } ")" | "(" comparison ")"      a name before "(" is a function or a unit
//! ```
//!
//! An expression is read once, into operations in the order in which they are done; its value then needs neither recursion nor
//! text. Length and nesting are bounded, so that no text can exhaust memory or stack. A value may be infinite or not a
//! number (`1/0`, `sqrt(-1)`): that is for the caller to judge.

mod calls;
mod jet;

use delassus_error::{Code, Coded};

use self::calls::{FUNCTIONS, branch};
use crate::units::UnitWord;

/// Longest text \[B\].
pub const MAX_LENGTH: usize = 4096;

/// Deepest nesting of brackets, signs and powers.
pub const MAX_NESTING: usize = 64;

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {}: {reason}", .at + 1)]
pub struct ExpressionError {
    /// Characters before the place.
    pub at: usize,
    /// What is wrong there.
    pub reason: String,
}

impl ExpressionError {
    /// The code of an expression that cannot be read, wherever it is written.
    pub const CODE: Code = Code("E0634");
}

impl Coded for ExpressionError {
    fn code(&self) -> Code {
        Self::CODE
    }
}

/// A function of numbers that an expression may call, with its first and second derivatives.
#[derive(Clone, Copy, Debug)]
enum Callable {
    /// f, and [f′, f″].
    One(fn(f64) -> f64, fn(f64) -> [f64; 2]),
    /// f(a, b), and [f_a, f_b, f_aa, f_ab, f_bb].
    Two(fn(f64, f64) -> f64, fn(f64, f64) -> [f64; 5]),
    /// `if`: the second where the first is not zero, else the third.
    If,
}

impl Callable {
    fn arity(self) -> usize {
        match self {
            Self::One(..) => 1,
            Self::Two(..) => 2,
            Self::If => 3,
        }
    }
}

/// Numbers with a name.
const CONSTANTS: [(&str, f64); 2] = [("pi", std::f64::consts::PI), ("e", std::f64::consts::E)];

/// One operation on a stack of numbers.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Number(f64),
    Variable(usize),
    Call(Callable),
}

/// An expression that has been read.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    operations: Vec<Operation>,
}

impl Expression {
    /// Reads an expression of the variables `names`.
    ///
    /// # Errors
    /// A text that is none, with the place of its first fault.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, ExpressionError> {
        if text.len() > MAX_LENGTH {
            let reason = format!("{} bytes are too long: at most {MAX_LENGTH}", text.len());
            return Err(ExpressionError { at: 0, reason });
        }
        let mut reader = ExpressionReader { text, rest: text, names, nesting: 0, operations: Vec::new() };
        reader.comparison()?;
        match reader.peek() {
            None => Ok(Self { text: text.to_owned(), operations: reader.operations }),
            Some(')') => Err(reader.fault("`)` without `(`")),
            Some(c) => Err(reader.fault(&format!("found `{c}` where an operator (+ - * / ^) or the end should be"))),
        }
    }

    /// Does its value depend on the variable of this number?
    #[must_use]
    pub fn uses(&self, variable: usize) -> bool {
        self.operations.iter().any(|operation| matches!(operation, Operation::Variable(k) if *k == variable))
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value where the variables have these values, in the order of their names; those that are missing are not numbers.
    #[must_use]
    pub fn value(&self, variables: &[f64]) -> f64 {
        let mut stack: Vec<f64> = Vec::with_capacity(self.operations.len().min(4 * MAX_NESTING));
        let pop = |stack: &mut Vec<f64>| stack.pop().unwrap_or(f64::NAN);
        for operation in &self.operations {
            let value = match *operation {
                Operation::Number(x) => x,
                Operation::Variable(k) => variables.get(k).copied().unwrap_or(f64::NAN),
                Operation::Call(Callable::One(f, _)) => f(pop(&mut stack)),
                Operation::Call(Callable::Two(f, _)) => {
                    let b = pop(&mut stack);
                    f(pop(&mut stack), b)
                }
                Operation::Call(Callable::If) => {
                    let c = pop(&mut stack);
                    let b = pop(&mut stack);
                    branch(pop(&mut stack), b, c)
                }
            };
            stack.push(value);
        }
        pop(&mut stack)
    }
}

/// A text on its way to operations.
struct ExpressionReader<'t> {
    text: &'t str,
    rest: &'t str,
    names: &'t [&'t str],
    nesting: usize,
    operations: Vec<Operation>,
}

impl<'t> ExpressionReader<'t> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Takes one of these, the longest first.
    fn take<'s>(&mut self, symbols: &[&'s str]) -> Option<&'s str> {
        self.peek();
        let found = symbols.iter().copied().find(|s| self.rest.starts_with(s))?;
        self.rest = &self.rest[found.len()..];
        Some(found)
    }

    fn fault(&self, reason: &str) -> ExpressionError {
        self.fault_at(self.rest, reason)
    }

    /// A fault where `rest` begins.
    fn fault_at(&self, rest: &str, reason: &str) -> ExpressionError {
        let before = &self.text[..self.text.len() - rest.len()];
        ExpressionError { at: before.chars().count(), reason: reason.to_owned() }
    }

    fn call(&mut self, function: Callable) {
        self.operations.push(Operation::Call(function));
    }

    /// Reads what is one level deeper.
    fn deeper(&mut self, read: fn(&mut Self) -> Result<(), ExpressionError>) -> Result<(), ExpressionError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.fault(&format!("nested more than {MAX_NESTING} deep")));
        }
        read(self)?;
        self.nesting -= 1;
        Ok(())
    }

    fn comparison(&mut self) -> Result<(), ExpressionError> {
        self.sum()?;
        let Some(symbol) = self.take(&["<=", ">=", "==", "!=", "<", ">"]) else { return Ok(()) };
        self.sum()?;
        self.call(calls::comparison(symbol));
        Ok(())
    }

    fn sum(&mut self) -> Result<(), ExpressionError> {
        self.product()?;
        while let Some(symbol) = self.take(&["+", "-"]) {
            self.product()?;
            self.call(if symbol == "+" { calls::ADD } else { calls::SUBTRACT });
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), ExpressionError> {
        self.signed()?;
        loop {
            if self.peek().is_some() && self.rest.starts_with("**") {
                return Err(self.fault("a power is written `^`"));
            }
            let Some(symbol) = self.take(&["*", "/"]) else { return Ok(()) };
            self.signed()?;
            self.call(if symbol == "*" { calls::MULTIPLY } else { calls::DIVIDE });
        }
    }

    fn signed(&mut self) -> Result<(), ExpressionError> {
        match self.take(&["-", "+"]) {
            Some("-") => {
                self.deeper(Self::signed)?;
                self.call(calls::NEGATE);
                Ok(())
            }
            Some(_) => self.deeper(Self::signed),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Result<(), ExpressionError> {
        self.value()?;
        if self.take(&["^"]).is_some() {
            self.deeper(Self::signed)?;
            self.call(calls::POWER);
        }
        Ok(())
    }

    fn value(&mut self) -> Result<(), ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.rest = &self.rest[1..];
                self.deeper(Self::comparison)?;
                self.close()
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.named(),
            Some(')' | ',') | None => Err(self.fault("a number, a name or `(` is missing")),
            Some(c) => Err(self.fault(&format!("`{c}` is not allowed here: expected a number, a name or `(`"))),
        }
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        match self.take(&[")"]) {
            Some(_) => Ok(()),
            None => Err(self.fault("`)` is missing")),
        }
    }

    fn number(&mut self) -> Result<(), ExpressionError> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits((end + 1 + sign).min(bytes.len()));
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let (number, rest) = self.rest.split_at(end);
        match number.parse::<f64>() {
            Ok(x) if x.is_finite() => {
                self.operations.push(Operation::Number(x));
                self.rest = rest;
                Ok(())
            }
            Ok(_) => Err(self.fault(&format!("`{number}` is too large for a number"))),
            Err(_) => Err(self.fault(&format!("`{number}` is not a number"))),
        }
    }

    fn named(&mut self) -> Result<(), ExpressionError> {
        let begin = self.rest;
        let end = begin.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(begin.len());
        let (name, rest) = begin.split_at(end);
        self.rest = rest;
        if self.take(&["("]).is_some() {
            if let Some(unit) = UnitWord::named(name) {
                return self.measured(begin, unit);
            }
            let Some((_, function)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
                let known: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
                return Err(
                    self.fault_at(begin, &format!("no function `{name}`: the functions are {}", known.join(", ")))
                );
            };
            let count = self.arguments()?;
            if count != function.arity() {
                let reason = format!("`{name}` takes {} values, found {count}", function.arity());
                return Err(self.fault_at(begin, &reason));
            }
            self.operations.push(Operation::Call(*function));
            return Ok(());
        }
        let variable = self.names.iter().position(|known| *known == name).map(Operation::Variable);
        let constant = || CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, x)| Operation::Number(*x));
        match variable.or_else(constant) {
            Some(operation) => self.operations.push(operation),
            None if UnitWord::named(name).is_some() => {
                return Err(self.fault_at(begin, &format!("the unit `{name}` needs its number: `{name}(1)`")));
            }
            None if FUNCTIONS.iter().any(|(known, _)| *known == name) => {
                return Err(self.fault_at(begin, &format!("the function `{name}` needs its values: `{name}(…)`")));
            }
            None => {
                let known: Vec<&str> = self.names.iter().copied().chain(CONSTANTS.map(|(name, _)| name)).collect();
                return Err(
                    self.fault_at(begin, &format!("no variable `{name}`: the variables are {}", known.join(", ")))
                );
            }
        }
        Ok(())
    }

    /// The values of a call behind its `(`: how many.
    fn arguments(&mut self) -> Result<usize, ExpressionError> {
        let mut count = 1;
        self.deeper(Self::comparison)?;
        while self.take(&[","]).is_some() {
            self.deeper(Self::comparison)?;
            count += 1;
        }
        self.close()?;
        Ok(count)
    }

    /// A value with its unit, behind the `(`: times a whole number, over another, as in a case.
    fn measured(&mut self, begin: &'t str, unit: &UnitWord) -> Result<(), ExpressionError> {
        let count = self.arguments()?;
        if count != 1 {
            return Err(self.fault_at(begin, &format!("the unit `{}` takes one value, found {count}", unit.name)));
        }
        self.operations.push(Operation::Number(unit.times));
        self.call(calls::MULTIPLY);
        self.operations.push(Operation::Number(unit.over));
        self.call(calls::DIVIDE);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{E, PI};

    use super::*;

    fn value(text: &str, variables: &[f64]) -> f64 {
        Expression::parse(text, &["t", "x"]).unwrap_or_else(|e| panic!("{text}: {e}")).value(variables)
    }

    fn fault(text: &str) -> (usize, String) {
        let error = Expression::parse(text, &["t", "x"]).expect_err(text);
        assert_eq!(error.code().as_str(), "E0634");
        (error.at, error.reason)
    }

    /// The same arithmetic, written in Rust: to the bit.
    #[test]
    fn values_are_those_of_the_same_arithmetic() {
        let (t, x) = (0.37_f64, -1.25_f64);
        let cases: [(&str, f64); 34] = [
            ("1e-3*sin(2*pi*50*t)", 1e-3 * (2.0 * PI * 50.0 * t).sin()),
            ("1 + 2*3", 7.0),
            ("(1 + 2)*3", 9.0),
            ("8/4/2", 1.0),
            ("8-4-2", 2.0),
            ("2^3^2", 512.0),
            ("-2^2", -4.0),
            ("(-2)^2", 4.0),
            ("2^-1", 0.5),
            ("2*-3", -6.0),
            ("--t", t),
            ("+t", t),
            (" t\t/\nx ", t / x),
            (".5e+1+1.E-1", 5.0 + 0.1),
            ("2e", f64::NAN),
            ("cos(t)*exp(-t/0.5)", t.cos() * (-t / 0.5).exp()),
            ("atan2(t, x)", t.atan2(x)),
            ("asin(t)+acos(t)+atan(x)+tan(t)", t.asin() + t.acos() + x.atan() + t.tan()),
            ("sinh(t)-cosh(x)*tanh(t)", t.sinh() - x.cosh() * t.tanh()),
            ("ln(t)+log10(t)+sqrt(t)+abs(x)", t.ln() + t.log10() + t.sqrt() + x.abs()),
            ("min(t,x)+10*max(t,x)", x + 10.0 * t),
            ("step(t)+10*step(x)+100*heaviside(0)", 101.0),
            ("if(t < 1, 3, 4) + if(t > 1, 30, 40)", 43.0),
            ("if(x >= 0, sqrt(x), -1)", -1.0),
            ("(t <= t) + 2*(t == x) + 4*(t != x) + 8*(x < t)", 13.0),
            ("mod(x, 1) + floor(x)", 0.75 - 2.0),
            ("sign(x) + sign(t) + sign(0)", 0.0),
            ("hypot(3, 4)", 5.0),
            ("e^1", E),
            ("pi", PI),
            ("Cm(57)", 0.57),
            ("Mm(t + 1)*2", (t + 1.0) * 1.0 / 1000.0 * 2.0),
            ("MPa(3)/KPa(1)", 3000.0),
            ("Years (1)*x", 31_557_600.0 * x),
        ];
        for (text, expected) in cases {
            if text == "2e" {
                // No exponent: a number, and then a name without an operator.
                assert_eq!(fault(text).0, 1);
                continue;
            }
            assert_eq!(value(text, &[t, x]).to_bits(), expected.to_bits(), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_not_lost() {
        for text in
            ["sqrt(-1)", "0/0", "min(0/0, 1)", "max(1, 0/0)", "if(0/0, 1, 2)", "step(0/0)", "(0/0) < 1", "sign(0/0)"]
        {
            assert!(value(text, &[0.0, 0.0]).is_nan(), "{text}");
        }
        assert!(value("1/t", &[0.0, 0.0]).is_infinite());
        assert!(value("x", &[1.0]).is_nan(), "a variable without value");
    }

    #[test]
    fn faults_tell_the_place() {
        for (text, at, piece) in [
            ("", 0, "is missing"),
            ("   ", 3, "is missing"),
            ("1e-3*sinn(t)", 5, "no function `sinn`: the functions are sin, cos"),
            ("2*y", 2, "no variable `y`: the variables are t, x, pi, e"),
            ("2 t", 2, "found `t`"),
            ("2*(t+1", 6, "`)` is missing"),
            ("t+1)", 3, "`)` without `(`"),
            ("sin", 0, "needs its values"),
            ("atan2(t)", 0, "`atan2` takes 2 values, found 1"),
            ("sin()", 4, "is missing"),
            ("2*Mm", 2, "the unit `Mm` needs its number: `Mm(1)`"),
            ("2*Mm(1, 2)", 2, "the unit `Mm` takes one value, found 2"),
            ("mm(1)", 0, "no function `mm`"),
            ("t**2", 1, "a power is written `^`"),
            ("3*#", 2, "`#` is not allowed here"),
            ("1+é", 2, "no variable `é`"),
            ("é", 0, "no variable"),
            ("1e999", 0, "too large"),
            (".", 0, "not a number"),
            ("1 < 2 < 3", 6, "found `<`"),
            ("t+", 2, "is missing"),
            ("t, x", 1, "found `,`"),
        ] {
            let (found, reason) = fault(text);
            assert!(found == at && reason.contains(piece), "{text}: {found}: {reason}");
        }
        assert_eq!(
            Expression::parse("2*y", &["t"]).unwrap_err().to_string(),
            "character 3: no variable `y`: the variables are t, pi, e"
        );
    }

    /// Texts that would exhaust a stack, or memory, are refused; those at the limit are read.
    #[test]
    fn hostile_texts_are_refused() {
        let brackets = |n: usize| "(".repeat(n) + "t" + &")".repeat(n);
        assert!((value(&brackets(MAX_NESTING), &[3.0]) - 3.0).abs() < 1e-15);
        assert!(fault(&brackets(MAX_NESTING + 1)).1.contains("nested"));
        assert!(fault(&"(".repeat(100_000)).1.contains("too long"));
        assert!(fault(&"(".repeat(MAX_LENGTH)).1.contains("nested"));
        assert!(fault(&"-".repeat(MAX_LENGTH)).1.contains("nested"));
        assert!(fault(&"2^".repeat(MAX_LENGTH / 2)).1.contains("nested"));
        assert!(fault(&"sin(".repeat(MAX_LENGTH / 4)).1.contains("nested"));
        let long = vec!["1"; MAX_LENGTH / 2].join("+");
        assert!((value(&long, &[]) - (MAX_LENGTH / 2) as f64).abs() < 1e-9);
    }
}
