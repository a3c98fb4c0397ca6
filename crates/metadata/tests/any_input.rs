//! Whatever a file holds, its import ends: with records, or with an error that names a line.
#![allow(clippy::unwrap_used)]

use metadata::import::{
    Format, Importer, Options,
    tables::{Attribute, Known, Table, TableOptions, Tables},
};
use proptest::prelude::*;

const FORMATS: [Format; 5] =
    [Format::Marc, Format::MarcHeadings, Format::MarcAccessions, Format::MarcAgents, Format::Eac];
const TABLES: [Table; 5] =
    [Table::Accessions, Table::Assessments, Table::DigitalObjects, Table::Locations, Table::Subjects];

fn counter() -> Box<dyn FnMut() -> String> {
    let mut next = 0;
    Box::new(move || {
        next += 1;
        next.to_string()
    })
}

/// How many records a file has, or the line of its error.
fn read(format: Format, xml: &[u8]) -> Result<usize, u64> {
    let options = Options {
        repository: 2,
        ids: counter(),
        today: "2026-11-24".to_owned(),
        events: true,
        subjects: true,
        is_extent_type: &|text| text == "boxes",
    };
    let importer = Importer::new(format, xml, options).map_err(|error| error.line)?;
    importer.map(|record| record.map_err(|error| error.line)).collect::<Result<Vec<_>, _>>().map(|all| all.len())
}

fn table_options<'a>(known: &'a Known, date_types: &[&str]) -> TableOptions<'a> {
    let date_types = date_types.iter().map(|&of| of.to_owned()).collect();
    TableOptions { repository: 2, ids: counter(), year: 2026, of_repository: true, date_types, known }
}

fn read_table(table: Table, text: &[u8]) -> Result<usize, u64> {
    let attribute = |id, kind: &str, label: &str| Attribute { id, kind: kind.to_owned(), label: label.to_owned() };
    let known =
        Known { attributes: vec![attribute(1, "format", "Film"), attribute(2, "rating", "Use")], ..Known::default() };
    let tables = Tables::new(table, text, table_options(&known, &["single"])).map_err(|error| error.line)?;
    tables.map(|record| record.map_err(|error| error.line)).collect::<Result<Vec<_>, _>>().map(|all| all.len())
}

/// Fields with any tags, indicators and subfields that mean something.
fn marc() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "010", "016", "024", "035", "040", "046", "099", "100", "110", "111", "150", "240", "245", "246", "260", "264",
        "300", "342", "370", "372", "375", "377", "400", "410", "500", "510", "520", "535", "541", "546", "583", "590",
        "600", "611", "630", "650", "656", "670", "678", "691", "700", "711", "752", "754", "852",
    ]);
    let subfield = ("[a-z0-9]", "[ -%'-;=?-~é]{0,12}");
    let field = (tag, "[ 0-9#]", "[ 0-9]", prop::collection::vec(subfield, 0..4));
    let control = "[ -%'-;=?-~]{0,42}";
    (control, "[ -%'-;=?-~]{0,10}", prop::collection::vec(field, 0..12)).prop_map(|(control, leader, fields)| {
        let fields: String = fields
            .iter()
            .map(|(tag, one, two, subfields)| {
                let inner: String = subfields
                    .iter()
                    .map(|(code, text)| format!("<subfield code=\"{code}\">{text}</subfield>"))
                    .collect();
                format!("<datafield tag=\"{tag}\" ind1=\"{one}\" ind2=\"{two}\">{inner}</datafield>")
            })
            .collect();
        format!(
            "<record><leader>{leader}</leader><controlfield tag=\"008\">{control}</controlfield>\
             <controlfield tag=\"005\">{leader}</controlfield>{fields}</record>"
        )
    })
}

proptest! {
    #[test]
    fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in FORMATS {
            prop_assert!(read(format, &bytes).is_err(), "no record is made of nothing");
        }
        for table in TABLES {
            prop_assert!(read_table(table, &bytes).map_or_else(|line| line > 0, |_| true));
        }
    }

    #[test]
    fn any_record_of_marc_ends(xml in marc()) {
        for format in FORMATS.into_iter().filter(|format| *format != Format::Eac) {
            let line = read(format, xml.as_bytes()).err();
            prop_assert!(line.is_none_or(|line| line == 1), "{line:?}");
        }
        prop_assert!(read(Format::MarcHeadings, xml.as_bytes()).is_ok());
        prop_assert!(read(Format::MarcAgents, xml.as_bytes()).is_ok());
    }

    #[test]
    fn any_cells_end(
        columns in prop::collection::vec("(accession|digital_object|date_1|agent|subject|term|location|user_defined|extent)_[a-z0-9_]{1,14}", 1..6),
        cells in prop::collection::vec(prop::collection::vec("[ -~é\"\n]{0,8}", 0..7), 0..4),
    ) {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        writer.write_record(&columns).unwrap();
        cells.iter().for_each(|row| writer.write_record(row).unwrap());
        let text = writer.into_inner().unwrap();
        for table in TABLES {
            prop_assert!(read_table(table, &text).map_or_else(|line| line > 0, |_| true));
        }
    }
}

#[test]
fn a_file_with_one_bad_record_says_where() {
    let good = "<record><datafield tag=\"300\"><subfield code=\"a\">1 box</subfield></datafield></record>\n";
    let bad = good.replace("1 box", "one box");
    let xml = format!("<collection>{good}{good}{bad}</collection>");
    assert_eq!(read(Format::Marc, xml.as_bytes()), Err(3));
    assert_eq!(read(Format::Marc, xml.replace("one", "1").as_bytes()), Ok(3));
    assert_eq!(read_table(Table::Assessments, b"basic\nrecord\n"), Ok(0));
    assert_eq!(read_table(Table::Subjects, b"\n\n"), Err(1));
    assert_eq!(read_table(Table::Assessments, b"basic,format\nrecord,feather\n"), Err(2));
}

/// Gives the same bytes again and again.
struct Again {
    text: Vec<u8>,
    at: usize,
}

impl std::io::Read for Again {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let many = into.len().min(self.text.len() - self.at);
        into[..many].copy_from_slice(&self.text[self.at..self.at + many]);
        self.at = (self.at + many) % self.text.len();
        Ok(many)
    }
}

fn endless(start: &str, text: &str) -> impl std::io::BufRead + use<> {
    use std::io::Read;
    // In blocks, as files are read.
    let again = Again { text: text.repeat(1 + 65_536 / text.len()).into_bytes(), at: 0 };
    std::io::BufReader::new(std::io::Cursor::new(start.as_bytes().to_vec()).chain(again))
}

fn importer<R: std::io::BufRead>(format: Format, input: R) -> Importer<'static, R> {
    let today = "2026-11-24".to_owned();
    let options =
        Options { repository: 2, ids: counter(), today, events: true, subjects: true, is_extent_type: &|_| false };
    Importer::new(format, input, options).unwrap()
}

#[test]
fn a_file_without_an_end_is_read_record_by_record() {
    let field = "<datafield tag=\"300\"><subfield code=\"a\">1 box</subfield></datafield>";
    let records = endless("<collection>", &format!("<record>{field}</record>"));
    assert_eq!(importer(Format::Marc, records).take(2_000).filter(Result::is_ok).count(), 2_000);
    let known = Known::default();
    let options = table_options(&known, &[]);
    let rows = endless("term_1,term_type_1\n", "Letters,topical\n");
    assert_eq!(Tables::new(Table::Subjects, rows, options).unwrap().take(2_000).filter(Result::is_ok).count(), 2_000);
}

#[test]
fn what_has_no_end_is_refused() {
    for (start, again, reason) in [
        ("<record><leader>", "x", "larger than"),
        ("<record>", "<a/>", "more than 200000 elements"),
        ("<record", " a=\"\"", "larger than"),
        ("<record>", "<a>", "nested deeper"),
        ("<other>", "x", "larger than"),
    ] {
        for format in FORMATS {
            let start = if format == Format::Eac { start.replace("record", "eac-cpf") } else { start.to_owned() };
            let said =
                importer(format, endless(&start, again)).last().expect("an error").expect_err("no end").to_string();
            assert!(said.contains(reason), "{start}{again}: {said}");
        }
    }
    let known = Known::default();
    for table in TABLES.into_iter().filter(|table| *table != Table::Assessments) {
        let rows = endless("a_1\n\"", "x,\n");
        let error = Tables::new(table, rows, table_options(&known, &[])).unwrap().last().expect("an error");
        let error = error.expect_err("no end");
        assert!(error.line == 2 && error.reason.contains("larger than"), "{error}");
    }
}
