//! Files that are broken, hostile or something else: an error with a line, never a panic, never memory without bound.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashMap;
use std::io::{BufReader, Read};

use common::{finding_aid, import, import_with, options};
use ead::{Importer, Limits, Mode};

/// The error of a tolerant import, as text; there must be one, on this line.
fn refused(xml: &[u8], line: u64) -> String {
    let error = import(xml, Mode::Tolerant).expect_err("the file is bad");
    assert_eq!(error.line, line, "{error}");
    error.to_string()
}

#[test]
fn files_that_are_no_finding_aid_are_refused() {
    for (xml, line, reason) in [
        ("", 1, "archdesc: the file describes no archives"),
        ("just text", 1, "archdesc: the file describes no archives"),
        ("<mets/>", 1, "this is not a finding aid"),
        ("\n\n<ead/>", 3, "the file describes no archives"),
        ("<ead xmlns=\"http://ead3.archivists.org/schema/\"/>", 1, "describes no archives"),
        ("<ead>\n<control/></ead>", 2, "describes no archives"),
        ("<?xml version=\"1.0\" encoding=\"martian\"?><ead/>", 1, "the encoding martian is not known"),
        ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><ead/>", 1, "says it is in UTF-16, and is not"),
    ] {
        let said = refused(xml.as_bytes(), line);
        assert!(said.contains(reason), "{xml}: {said}");
    }
}

#[test]
fn broken_xml_is_refused() {
    for (components, reason) in [
        ("<c><did></c></did>", "expected `</did>`"),
        ("<c level=file/>", "attribute value must be enclosed"),
        ("<c level=\"file\" level=\"file\"/>", "duplicated attribute"),
        ("<c><did><unittitle>A & B</unittitle></did></c>", "entity or character reference not closed"),
        ("<c><did><unittitle>&#0;</unittitle></did></c>", "no character of XML"),
        ("<c id=\"a&b\"/>", "an ampersand that starts no entity"),
        ("<c><!-- never closed", "comment not closed"),
        ("<c><did><unittitle><![CDATA[never closed", "CDATA not closed"),
    ] {
        let said = refused(finding_aid("", "", components).as_bytes(), 1);
        assert!(said.contains(reason), "{components}: {said}");
    }
}

#[test]
fn a_file_that_ends_early_is_refused_wherever_it_ends() {
    let whole = finding_aid(
        "",
        "<scopecontent><p>x</p></scopecontent>",
        "<c level=\"file\"><did><unittitle>T</unittitle></did></c>",
    );
    assert!(import(whole.as_bytes(), Mode::Strict).is_ok());
    for end in (0..whole.len()).step_by(3) {
        let error = import(&whole.as_bytes()[..end], Mode::Tolerant).expect_err("it is not whole");
        assert_eq!(error.line, 1, "{error}");
    }
    let lines = whole.replace("<dsc>", "<dsc>\n\n");
    let cut = lines.find("<c level").unwrap() + "<c level=\"file\">".len();
    let said = refused(&lines.as_bytes()[..cut], 3);
    assert!(said.contains("the file ends inside this element"), "{said}");
}

#[test]
fn entities_cannot_grow_without_bound() {
    let mut laughs = String::from("<!DOCTYPE ead [<!ENTITY l0 \"ha\">");
    for level in 1..12 {
        let ten = format!("&l{};", level - 1).repeat(10);
        laughs += &format!("<!ENTITY l{level} \"{ten}\">");
    }
    for name in ["l5", "l11"] {
        let xml = format!("{laughs}]>\n{}", finding_aid(&format!("<abstract>&{name};</abstract>"), "", ""));
        let said = refused(xml.as_bytes(), 2);
        assert!(said.contains("grows beyond its limit"), "{said}");
    }
    let own = "<!DOCTYPE ead [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>\n";
    let said = refused((own.to_owned() + &finding_aid("<abstract>&a;</abstract>", "", "")).as_bytes(), 2);
    assert!(said.contains("grows beyond its limit"), "{said}");
    // Many entities of a legal size are too much, too.
    let many = format!(
        "<!DOCTYPE ead [<!ENTITY a \"{}\">]>\n{}",
        "ha ".repeat(20_000),
        finding_aid(&format!("<abstract>{}</abstract>", "&a;".repeat(2_000)), "", "")
    );
    let said = refused(many.as_bytes(), 2);
    assert!(said.contains("the element is larger than"), "{said}");
}

#[test]
fn entities_outside_the_file_are_never_read() {
    let xml = format!(
        "<!DOCTYPE ead SYSTEM \"file:///ead.dtd\" [<!ENTITY here \"at &quot;home&quot;\">\
         <!ENTITY away SYSTEM \"file:///etc/passwd\">]>\n{}",
        finding_aid("<abstract>&here; &eacute; &away;</abstract>", "", "")
    );
    let error = import(xml.as_bytes(), Mode::Strict).expect_err("strict imports know all entities");
    assert_eq!(error.to_string(), "line 2, abstract: the entity &away; is not defined in the file");
    let imported = import(xml.as_bytes(), Mode::Tolerant).unwrap();
    assert_eq!(imported.resource()["notes"][0]["content"][0], "at \"home\" é &amp;away;");
    assert_eq!(imported.repairs.len(), 1);
    assert_eq!(imported.repairs[0].action, "kept as text");
}

#[test]
fn nesting_is_bounded() {
    let deep = finding_aid("", "", &"<c level=\"file\">\n".repeat(10_000));
    let error = import(deep.as_bytes(), Mode::Tolerant).expect_err("no finding aid is that deep");
    assert!(error.line > 100 && error.line < 140, "{error}");
    assert!(error.reason.contains("nested deeper than 128"), "{error}");
    let note = finding_aid("", &("<odd><p>".to_owned() + &"<emph>".repeat(10_000)), "");
    assert!(refused(note.as_bytes(), 1).contains("nested deeper than 128"));
}

#[test]
fn an_element_is_bounded_and_a_file_is_not() {
    let profiles = HashMap::new();
    let small = |mode| {
        let mut options = options(mode, &profiles);
        options.limits = Limits { element_bytes: 2_000, ..Limits::default() };
        options
    };
    let component = "<c level=\"file\"><did><unittitle>Letters</unittitle></did></c>";
    let long = finding_aid("", "", &component.repeat(1_000));
    assert_eq!(import_with(long.as_bytes(), small(Mode::Strict)).unwrap().of("archival_object").len(), 1_000);
    for large in [format!("<odd><p>{}</p></odd>", "x".repeat(3_000)), format!("<odd id=\"{}\"/>", "x".repeat(30_000))] {
        let error = import_with(finding_aid("", &large, "").as_bytes(), small(Mode::Tolerant)).expect_err("too large");
        assert_eq!(error.reason, "the element is larger than 2000 bytes", "{error}");
    }
}

/// A reader that never ends and must not be read to its end.
struct Endless;

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        into.fill(b'x');
        Ok(into.len())
    }
}

#[test]
fn a_file_without_an_end_is_refused() {
    let profiles = HashMap::new();
    let start: &[u8] = b"<ead><archdesc><odd><p>";
    let importer = Importer::new(BufReader::new(start.chain(Endless)), options(Mode::Tolerant, &profiles)).unwrap();
    let last = importer.last().expect("an error");
    assert!(last.expect_err("it has no end").reason.contains("larger than"));
}

#[test]
fn encodings_are_told_by_declaration_and_first_bytes() {
    let body = finding_aid("<abstract>Café</abstract>", "", "");
    let title = |bytes: &[u8]| import(bytes, Mode::Strict).unwrap().resource()["notes"][0]["content"][0].clone();
    let latin = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<u8>>();
    let declared = |name: &str| format!("<?xml version=\"1.0\" encoding=\"{name}\"?>{body}");
    let utf16: Vec<u8> = "\u{FEFF}"
        .chars()
        .chain(declared("UTF-16").chars())
        .collect::<String>()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for bytes in [
        declared("UTF-8").into_bytes(),
        body.clone().into_bytes(),
        ("\u{FEFF}".to_owned() + &declared("utf-8")).into_bytes(),
        latin(&declared("ISO-8859-1")),
        latin(&declared("windows-1252").replace("?>", &format!("{}?>", " ".repeat(200)))),
        utf16,
    ] {
        assert_eq!(title(&bytes), "Café");
    }
    let lying = latin(&declared("UTF-8").replace("<did>", "<did>\n\n"));
    let said = refused(&lying, 1);
    assert!(said.contains("not in the encoding it says"), "{said}");
}
