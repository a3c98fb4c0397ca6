//! No text makes the circulation rules parser panic, and what it accepts prints to the same rules.

#![no_main]

use circulation::rules::{Matcher, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse(text) {
        Ok(rules) => {
            let printed = rules.to_string();
            assert_eq!(parse(&printed).as_ref(), Ok(&rules), "{printed}");
            let _ = Matcher::new(&rules);
        }
        Err(error) => assert!(error.line >= 1, "{error}"),
    }
});
