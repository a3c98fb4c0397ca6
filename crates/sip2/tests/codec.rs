//! The examples of the specification, and properties of every message.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use sip2::{Code, Dialect, Encoding, Ending, Fault, Frame, Frames, Kind, Message, Part, Trailer, field};

const CHECKED: fn(u8) -> Trailer = |sequence| Trailer { sequence: Some(sequence), checked: true };

#[test]
fn the_examples_of_the_specification_are_read_and_written() {
    let dialect = Dialect::default();
    let rows = [
        ("9300CNLoginUserID|COLoginPassword|CPLocationCode|AY5AZEC7B", Kind::Login, CHECKED(5)),
        ("9900302.00AY1AZFCA5", Kind::TerminalStatus, CHECKED(1)),
        ("97AZFEF5", Kind::RequestResend, Trailer { sequence: None, checked: true }),
        ("97", Kind::RequestResend, Trailer::default()),
        ("2300119960212    100239AOid_21|AA104000000105|AC|AD|AY2AZF271", Kind::PatronStatus, CHECKED(2)),
        ("1719960213    123456AOinst|AB1565921879|AC|", Kind::ItemInformation, Trailer::default()),
    ];
    for (line, kind, trailer) in &rows {
        let received = dialect.read(line.as_bytes()).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        assert_eq!((received.message.kind, received.trailer), (*kind, *trailer), "{line}");
        let written = dialect.write(&received.message, received.trailer);
        assert_eq!(String::from_utf8(written).unwrap(), format!("{line}\r"));
    }
}

#[test]
fn unreadable_lines_have_a_reason() {
    let dialect = Dialect::default();
    for (line, fault) in [
        (&b""[..], Fault::UnknownKind),
        (b"9", Fault::UnknownKind),
        (b"GET / HTTP/1.1", Fault::UnknownKind),
        (b"00", Fault::UnknownKind),
        (b"930", Fault::Incomplete),
        (b"23001", Fault::Incomplete),
        (b"93\xc3\xa9CNx|", Fault::Incomplete),
        (b"9900302.00AY1AZFCA6", Fault::Checksum),
        (b"9900302.00AY1AZ+CA5", Fault::Checksum),
        (b"97AZ\xff\xff\xff\xff", Fault::Checksum),
    ] {
        assert_eq!(dialect.read(line), Err(fault), "{line:?}");
    }
}

#[test]
fn a_field_that_looks_like_a_checksum_is_a_field() {
    let received = Dialect::default().read(b"17                  ABXAZ1234").unwrap();
    assert_eq!(received.message.field(field::ITEM), Some("XAZ1234"));
    assert_eq!(received.trailer, Trailer::default());
}

#[test]
fn fields_keep_one_line_and_their_length() {
    let message =
        Message::new(Kind::RequestTerminalResend).with(field::TITLE, "a|b\r\nc").with(field::OWNER, "x".repeat(300));
    let crlf = Dialect { ending: Some(Ending::CrLf), ..Dialect::default() };
    let written = String::from_utf8(crlf.write(&message, Trailer::default())).unwrap();
    assert_eq!(written, format!("96AJa b  c|BG{}|\r\n", "x".repeat(255)));
}

fn encodings() -> impl Strategy<Value = Encoding> {
    prop_oneof![Just(Encoding::Utf8), Just(Encoding::Cp850), Just(Encoding::Latin1)]
}

fn messages() -> impl Strategy<Value = Message> {
    let parts = proptest::collection::vec("[ -{}~]{18}", 10);
    let code = "[A-Z]{2}".prop_filter("error detection", |code| code != "AY" && code != "AZ");
    // Letters that all three character sets have.
    let fields = proptest::collection::vec((code, "[ -{}~éüÄß]{0,40}"), 0..8);
    (proptest::sample::select(Kind::ALL), parts, fields).prop_map(|(kind, parts, fields)| {
        let mut message = Message::new(kind);
        for (part, text) in kind.parts().iter().zip(&parts) {
            message = message.with_part(*part, text);
        }
        for (code, text) in fields {
            let code = code.as_bytes();
            message = message.with(Code([code[0], code[1]]), text);
        }
        message
    })
}

proptest! {
    #[test]
    fn written_messages_are_read_back_unchanged(
        message in messages(), encoding in encodings(), sequence in proptest::option::of(0_u8..10), checked: bool
    ) {
        let dialect = Dialect { encoding, ..Dialect::default() };
        let trailer = Trailer { sequence, checked };
        let mut frames = Frames::new(8192);
        frames.push(&dialect.write(&message, trailer));
        let Some(Frame::Line(line)) = frames.next_frame() else { panic!("one line") };
        let received = dialect.read(&line);
        // Trailing blanks belong to the message.
        let received = received.expect("a message");
        prop_assert_eq!(received.message, message);
        prop_assert_eq!(received.trailer, trailer);
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), encoding in encodings()) {
        let dialect = Dialect { encoding, ..Dialect::default() };
        let mut frames = Frames::new(64);
        for piece in bytes.chunks(7) {
            frames.push(piece);
            while let Some(frame) = frames.next_frame() {
                if let Frame::Line(line) = frame
                    && let Ok(received) = dialect.read(&line) {
                    let again = dialect.write(&received.message, received.trailer);
                    prop_assert!(!again.is_empty());
                }
            }
        }
    }

    #[test]
    fn a_changed_byte_is_noticed(message in messages(), place: prop::sample::Index, bit in 0_u32..8) {
        let dialect = Dialect::default();
        let mut line = dialect.write(&message, CHECKED(3));
        line.pop();
        let place = place.index(line.len());
        line[place] ^= 1 << bit;
        // Only a trailer that no longer looks like a checksum at all goes unnoticed.
        if let Ok(received) = dialect.read(&line) {
            let lowercase = line[line.len() - 4..].iter().any(u8::is_ascii_lowercase);
            prop_assert!(!received.trailer.checked || received.trailer.sequence != Some(3) || lowercase);
        }
    }
}

#[test]
fn parts_have_the_width_of_the_specification() {
    for (kind, width) in [
        (Kind::CheckOut, 38),
        (Kind::CheckIn, 37),
        (Kind::PatronInformation, 31),
        (Kind::PatronInformationResponse, 59),
        (Kind::SystemStatus, 34),
        (Kind::FeePaid, 25),
        (Kind::RenewAllResponse, 27),
    ] {
        assert_eq!(kind.fixed_width(), width, "{kind:?}");
    }
    assert_eq!(Part::Summary.width(), 10);
}
