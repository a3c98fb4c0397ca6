//! No text makes the CQL parser panic, and what it accepts prints to a text with the same meaning.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|query: &str| {
    match cql::parse(query) {
        Ok(tree) => {
            let printed = tree.to_string();
            assert_eq!(cql::parse(&printed).as_ref(), Ok(&tree), "{printed}");
            let _ = tree.condition.operands();
        }
        Err(error) => assert!(error.offset.is_some_and(|offset| query.is_char_boundary(offset))),
    }
});
