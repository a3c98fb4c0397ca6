//! A report as RTF, which word processors read.

use std::io::{self, Write};

use super::{
    Head, Rows,
    outline::{Line, lines, told},
};

/// A step from the left, in twentieths of a point.
const STEP: u32 = 360;

/// A text as RTF: ASCII stays, other characters are numbers in UTF-16.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '{' | '}' => escaped.extend(['\\', letter]),
            '\n' => escaped.push_str("\\line "),
            '\t' => escaped.push_str("\\tab "),
            ' '..='~' => escaped.push(letter),
            other if other.is_control() => {}
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    // Numbers are signed in this format.
                    escaped.push_str(&format!("\\u{}?", i16::from_ne_bytes(unit.to_ne_bytes())));
                }
            }
        }
    }
    escaped
}

/// A name in bold letters and what it is.
fn pair((name, value): &(String, String)) -> String {
    if name.is_empty() { escaped(value) } else { format!("{{\\b {}: }}{}", escaped(name), escaped(value)) }
}

fn line(line: &Line, out: &mut impl Write) -> io::Result<()> {
    match line {
        Line::Page => writeln!(out, "\\page"),
        Line::Heading(text) => writeln!(out, "\\pard\\sb240\\sa80\\keepn{{\\b\\fs28 {}}}\\par", escaped(text)),
        Line::Pair(name, value) => writeln!(out, "\\pard\\fs22 {}\\par", pair(&(name.clone(), value.clone()))),
        Line::Item(depth, pairs) => {
            let texts: Vec<String> = pairs.iter().map(pair).collect();
            let left = u32::from(*depth) * STEP;
            writeln!(out, "\\pard\\fs22\\fi-200\\li{left} \\bullet\\~{}\\par", texts.join("; "))
        }
    }
}

pub(super) fn write(head: &Head, rows: &Rows, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1{{\\fonttbl{{\\f0\\fswiss Helvetica;}}}}")?;
    writeln!(out, "\\pard\\sa120{{\\b\\fs40 {}}}\\par", escaped(head.title))?;
    for told in told(head) {
        line(&told, out)?;
    }
    let mut is_empty = true;
    for row in lines(head, rows)? {
        is_empty = false;
        line(&row?, out)?;
    }
    if is_empty {
        writeln!(out, "\\pard\\fs22 No results found.\\par")?;
    }
    out.write_all(b"}\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{head, written};
    use super::*;

    #[test]
    fn texts_are_ascii() {
        assert_eq!(escaped("a\\{b}\nc\td"), "a\\\\\\{b\\}\\line c\\tab d");
        assert_eq!(escaped("é—𝄞\u{1}"), "\\u233?\\u8212?\\u-10188?\\u-8930?");
    }

    #[test]
    fn a_report_is_one_group() {
        let rows = [json!({"record_title": "One {1}", "names": [{"role": "x", "_date": "1900"}]})];
        let text = written("rtf", &head(&json!({"repository": "A"})), &rows).expect("a report");
        assert!(text.starts_with("{\\rtf1") && text.ends_with("}\n"), "{text}");
        for part in
            ["{\\b\\fs40 Things}", "{\\b Repository: }A\\par", "{\\b\\fs28 One \\{1\\}}", "{\\b Role: }x; 1900\\par"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        let depth = text.replace("\\{", "").replace("\\}", "").chars().fold(0, |depth, letter| match letter {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        });
        assert_eq!(depth, 0);
        assert!(written("rtf", &head(&json!({})), &[]).expect("a report").contains("No results found."));
    }
}
