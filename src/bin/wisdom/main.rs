//! The `wisdom` command.
mod demo;

fn main() {}
