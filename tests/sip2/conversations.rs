//! Recorded conversations (`golden/`): lines with `> ` are sent, lines with `< ` are expected, and `*` stands for what
//! varies. `@checksums` turns on error detection; `@charset` and `@ending` set the terminal's dialect.

use std::path::Path;

use self_check::Settings;
use serde_json::json;
use sip2::{Dialect, Ending};

use crate::terminal::{SelfChecks, Terminal};

struct Conversation {
    text: String,
    checksums: bool,
    charset: String,
    ending: &'static str,
}

impl Conversation {
    fn read(name: &str) -> Conversation {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sip2/golden");
        let text = std::fs::read_to_string(folder.join(name)).expect("a conversation");
        let said = |what: &str| text.lines().find_map(|line| line.strip_prefix(what));
        Conversation {
            checksums: said("@checksums").is_some(),
            charset: said("@charset ").unwrap_or("utf-8").to_owned(),
            ending: match said("@ending ") {
                Some("crlf") => "\r\n",
                _ => "\r",
            },
            text,
        }
    }

    /// The bytes of a text; it knows only the characters that the conversations use.
    fn bytes(&self, text: &str) -> Vec<u8> {
        let byte = |letter: char| match (self.charset.as_str(), letter) {
            (_, letter) if letter.is_ascii() => vec![letter as u8],
            ("cp850", 'ü') => vec![0x81],
            ("cp850", 'é') => vec![0x82],
            ("iso-8859-1", 'ü') => vec![0xfc],
            ("iso-8859-1", 'é') => vec![0xe9],
            ("utf-8", letter) => letter.to_string().into_bytes(),
            (charset, letter) => panic!("{letter} in {charset}"),
        };
        text.chars().flat_map(byte).collect()
    }

    async fn hold(&self, terminal: &mut Terminal) {
        let (mut sequence, mut question) = (0_u8, String::new());
        for line in self.text.lines() {
            if let Some(line) = line.strip_prefix("> ") {
                sequence = (sequence + 1) % 10;
                question = line.to_owned();
                let mut bytes = self.bytes(line);
                if self.checksums {
                    bytes.extend_from_slice(format!("AY{sequence}AZ").as_bytes());
                    bytes.extend_from_slice(sum(&bytes).as_bytes());
                }
                bytes.extend_from_slice(self.ending.as_bytes());
                terminal.send(&bytes).await;
            }
            if let Some(expected) = line.strip_prefix("< ") {
                let mut answer = terminal.hear().await.expect("an answer");
                let end = answer.split_off(answer.len() - self.ending.len());
                assert_eq!(end, self.ending.as_bytes(), "the end of the answer to {question}");
                if self.checksums {
                    let actual = answer.split_off(answer.len() - 4);
                    assert_eq!(actual, sum(&answer).as_bytes(), "the checksum of the answer to {question}");
                    let trailer = answer.split_off(answer.len() - 5);
                    assert_eq!(trailer, format!("AY{sequence}AZ").as_bytes(), "{question}");
                }
                let expected = self.bytes(expected);
                let shown = String::from_utf8_lossy(&answer);
                assert!(fits(&expected, &answer), "> {question}\n< {shown}\n  is not\n< {line}");
            }
        }
    }
}

/// The checksum as in the specification: the sum of all bytes, of which the lower sixteen bits are negated.
fn sum(bytes: &[u8]) -> String {
    let sum: u32 = bytes.iter().map(|byte| u32::from(*byte)).sum();
    format!("{:04X}", (0x1_0000 - (sum & 0xffff)) & 0xffff)
}

/// Whether `actual` is `expected`, in which `*` stands for anything except a delimiter.
fn fits(expected: &[u8], actual: &[u8]) -> bool {
    match (expected.split_first(), actual.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), next) => {
            let longer = next.filter(|(byte, _)| **byte != b'|');
            fits(rest, actual) || longer.is_some_and(|(_, left)| fits(expected, left))
        }
        (Some((wanted, rest)), Some((byte, left))) => wanted == byte && fits(rest, left),
        _ => false,
    }
}

/// The library of the conversations: a patron with an umlaut, books, one of them requested elsewhere, a fee.
async fn library() -> SelfChecks {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    let home = json!({"id": "93d3d88d-499b-45d0-9bc7-ac73c3a19880", "addressType": "Home"});
    lending.desk.post("/addresstypes", &home).await.expect(201);
    let personal = json!({"personal": {"firstName": "Renée", "lastName": "Müller", "email": "reader@example.org",
        "addresses": [{"addressLine1": "1 Main St", "city": "Town", "postalCode": "12345",
            "addressTypeId": "93d3d88d-499b-45d0-9bc7-ac73c3a19880", "primaryAddress": true}]}});
    let patron = lending.patron("reader", personal).await;
    let other = lending.patron("other", json!({})).await;
    for barcode in ["book-1", "book-2"] {
        lending.item(barcode, json!({})).await;
    }
    lending.item("map-1", json!({"materialTypeId": lending.map})).await;
    let wanted = lending.item("wanted", json!({})).await;
    let at_branch = json!({"pickupServicePointId": lending.branch});
    lending.hold(&wanted, &other, 1, at_branch).await;
    checks.pin(&patron, "1234").await;
    let fee = json!({"amount": 5.5, "remaining": 5.5, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
        "feeFineType": "Damage", "feeFineOwner": "Desk", "userId": patron,
        "id": "6e5c1b1a-0000-4000-8000-000000000001",
        "feeFineId": "6e5c1b1a-0000-4000-8000-000000000002", "ownerId": "6e5c1b1a-0000-4000-8000-000000000003"});
    lending.desk.post("/accounts", &fee).await.expect(201);
    checks
}

async fn hold(name: &str, station: serde_json::Value) {
    let checks = library().await;
    let rules = json!({"usePinForPatronVerification": true, "alwaysCheckPatronPassword": true});
    checks.set("acsTenantConfig", rules).await;
    let key = format!("selfCheckoutConfig.{}", checks.lending.service_point);
    checks.set(&key, station).await;
    let conversation = Conversation::read(name);
    conversation.hold(&mut checks.terminal().await).await;
}

#[tokio::test]
async fn a_visit_in_utf_8() {
    hold("visit.txt", json!({"libraryName": "Main library"})).await;
}

#[tokio::test]
async fn a_visit_in_code_page_850_with_checksums() {
    hold("visit-cp850-checksums.txt", json!({"charset": "IBM850"})).await;
}

#[tokio::test]
async fn a_visit_in_latin_1_with_line_feeds() {
    let station = json!({"charset": "ISO-8859-1", "messageDelimiter": "\r\n"});
    hold("visit-latin1-crlf.txt", station).await;
}

#[tokio::test]
async fn terminals_that_send_line_feeds_get_line_feeds() {
    let checks = SelfChecks::new().await;
    let status = b"9900802.00";
    for (sent, heard) in [("\r", "\r"), ("\r\n", "\r\n"), ("\n", "\r\n")] {
        assert_eq!(ends(&checks, status, sent).await, [heard; 2], "{sent:?}");
        // Garbage is requested again with the same line end.
        assert_eq!(ends(&checks, b"??", sent).await, [heard; 2], "{sent:?}");
    }
}

#[tokio::test]
async fn the_line_end_setting_overrides_what_a_terminal_sends() {
    let settings =
        |ending| Settings { dialect: Dialect { ending: Some(ending), ..Dialect::default() }, ..Settings::default() };
    for (ending, heard) in [(Ending::Cr, "\r"), (Ending::CrLf, "\r\n")] {
        let checks = SelfChecks::with(settings(ending)).await;
        for sent in ["\r", "\r\n"] {
            assert_eq!(ends(&checks, b"9900802.00", sent).await, [heard; 2]);
        }
    }
}

/// The line ends of the answers to a line that is sent twice.
async fn ends(checks: &SelfChecks, line: &[u8], end: &str) -> [String; 2] {
    let mut terminal = checks.terminal().await;
    terminal.send(&[line, end.as_bytes()].concat()).await;
    let first = terminal.hear().await.expect("an answer");
    terminal.send(&[line, end.as_bytes()].concat()).await;
    // A late line feed of the first answer would begin the second.
    let second = terminal.hear().await.expect("an answer");
    [first, second].map(|answer| {
        let answer = String::from_utf8(answer).expect("UTF-8");
        let said = answer.trim_end_matches(['\r', '\n']);
        answer[said.len()..].to_owned()
    })
}

#[test]
fn a_star_stands_for_anything_but_a_delimiter() {
    for (expected, actual, fit) in
        [("a*c", "abbbc", true), ("a*c", "ac", true), ("a*c", "a|c", false), ("a|*|", "a||", true), ("a", "ab", false)]
    {
        assert_eq!(fits(expected.as_bytes(), actual.as_bytes()), fit, "{expected} {actual}");
    }
}
