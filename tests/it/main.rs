//! End-to-end tests: the `wisdom` binary against servers on loopback.
//!
//! [`site`] is the server, [`run`] runs the binary, `layering` reads the source, `quality` needs pages from outside the
//! repository; every other module holds the tests of one part of the command line. Nothing here sleeps for luck: tests wait for a condition, with a limit.
mod archives;
mod bad_input;
mod charsets;
mod commands;
mod duplicates;
mod exports;
mod extract;
mod extract_quality;
mod faults;
mod incremental;
mod layering;
mod manners;
mod quality;
mod records;
mod resume;
mod rules;
mod run;
mod search;
mod site;
mod site_lists;
mod walks;
