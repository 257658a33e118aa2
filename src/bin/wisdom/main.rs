//! The `wisdom` command.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "talking to a terminal is what a command is for")]
mod args;
mod bar;
mod command;
mod demo;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let talk = args.talk();
    let done = match args.command {
        Command::Demo(demo) => command::demo::run(&demo, talk),
        Command::Crawl(crawl) => command::crawl::run(&crawl, talk),
        Command::Import(import) => command::import::run(&import, talk),
        Command::Mine(mine) => command::mine::run(&mine, talk),
        Command::Rules(rules) => command::rules::run(&rules, talk),
        Command::Rebuild(rebuild) => command::rebuild::run(&rebuild, talk),
        Command::Verify(which) => command::verify::run(&which, talk),
        Command::Export(export) => command::export::run(&export, talk),
        Command::Search(search) => command::search::run(&search, talk),
        Command::Extract(extract) => command::extract::run(&extract, talk),
        Command::Records(records) => command::records::run(&records, talk),
        Command::Inspect(inspect) => command::inspect::run(&inspect),
        Command::Report(report) => command::report::run(&report, talk),
        Command::Serve(serve) => command::serve::run(&serve, talk),
        Command::Sites(sites) => command::sites::run(&sites),
        Command::Completions { shell } => command::print(&args::completions(shell)),
    };
    match done {
        Ok(command::Ended::Done) => ExitCode::SUCCESS,
        Ok(command::Ended::InPart) => ExitCode::from(1),
        Err(error) if command::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", told(&error));
            ExitCode::from(2)
        }
    }
}

/// An error with its causes, without those whose words it says already.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let words = cause.to_string();
        if !text.contains(&words) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&words);
        }
    }
    text
}
