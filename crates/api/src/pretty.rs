//! JSON as mod-circulation prints it.

use std::io;

use serde::Serialize;
use serde_json::{
    Value,
    ser::{Formatter, Serializer},
};

/// Prints JSON like FOLIO's Vert.x pretty printer: two-space indents, and a space on both sides of the colon.
#[must_use]
pub(crate) fn pretty(value: &Value) -> String {
    let mut out = Vec::with_capacity(2048);
    // Writing a JSON value into memory cannot fail, and what is written is text.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut out, Vertx::default()));
    String::from_utf8(out).unwrap_or_default()
}

/// The form of Vert.x's pretty printer.
#[derive(Default)]
struct Vertx {
    depth: usize,
    /// Whether the object that ends has members.
    has_members: bool,
}

impl Vertx {
    fn line<W: io::Write + ?Sized>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Vertx {
    fn begin_object<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.has_members = false;
        out.write_all(b"{")
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        self.line(out)
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b" : ")
    }

    fn end_object_value<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_members = true;
        Ok(())
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        match self.has_members {
            true => self.line(out)?,
            false => out.write_all(b" ")?,
        }
        out.write_all(b"}")
    }

    fn begin_array_value<W: io::Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b" " } else { b", " })
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b" ]")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn circulation_prints_a_space_on_both_sides_of_the_colon() {
        let value = json!({"id": "x", "loan": {"items": [1, {"a": true}], "none": [], "empty": {}}});
        assert_eq!(
            pretty(&value),
            "{\n  \"id\" : \"x\",\n  \"loan\" : {\n    \"items\" : [ 1, {\n      \"a\" : true\n    } ],\n    \
             \"none\" : [ ],\n    \"empty\" : { }\n  }\n}"
        );
        assert_eq!(serde_json::from_str::<Value>(&pretty(&value)).unwrap(), value);
    }
}
