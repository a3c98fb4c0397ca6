//! A report as PDF.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use print::{Line as Printed, print_lines};

use super::{
    Head, NotWritten, Rows,
    outline::{Line, lines, told},
};
use crate::printing::LONG;

fn printed(line: Line) -> Printed {
    match line {
        Line::Page => Printed::Page,
        Line::Heading(text) => Printed::Heading(text),
        Line::Pair(name, value) => Printed::Pair(name, value),
        Line::Item(depth, pairs) => Printed::Item(depth, pairs),
    }
}

/// Writes it; returns the characters that no font has.
pub(super) fn write(
    head: &Head,
    rows: &Rows,
    out: &mut impl Write,
    goes_on: &impl Fn() -> bool,
) -> Result<BTreeSet<char>, NotWritten> {
    let is_empty = rows.rows()?.next().is_none();
    let none = is_empty.then(|| Printed::Item(0, vec![(String::new(), "No results found.".to_owned())]));
    let open = || -> io::Result<_> {
        let rows = lines(head, rows)?.map(|line| line.map(printed));
        Ok(told(head).map(|line| Ok(printed(line))).chain(none.clone().map(Ok)).chain(rows))
    };
    let done = print_lines(head.title, open, LONG, |_| goes_on())?;
    out.write_all(&done.pdf)?;
    Ok(done.missing)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{head, spooled};
    use super::*;

    #[test]
    fn a_report_is_printed_or_canceled() {
        let rows = spooled(&[json!({"record_title": "One", "names": [{"role": "x"}]}), json!({"record_title": "Two"})]);
        let mut head = head(&json!({"repository": "A"}));
        head.pages = true;
        let mut pdf = Vec::new();
        let missing = write(&head, &rows, &mut pdf, &|| true).expect("a PDF");
        assert!(pdf.starts_with(b"%PDF-") && missing.is_empty());
        let canceled = write(&head, &rows, &mut Vec::new(), &|| false);
        assert!(matches!(canceled, Err(NotWritten::Canceled)));
    }
}
