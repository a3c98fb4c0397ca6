//! No bytes make the SIP2 codec panic, and a message that was read is written and read as the same; dates in it too.

#![no_main]

use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use sip2::{Dialect, Encoding, Frame, Frames};

fuzz_target!(|bytes: &[u8]| {
    let berlin = TimeZone::get("Europe/Berlin").expect("a time zone");
    for encoding in [Encoding::Utf8, Encoding::Cp850, Encoding::Latin1] {
        let dialect = Dialect { encoding, ..Dialect::default() };
        let mut frames = Frames::new(1024);
        frames.push(bytes);
        while let Some(frame) = frames.next_frame() {
            let Frame::Line(line) = frame else { continue };
            let Ok(received) = dialect.read(&line) else { continue };
            let written = dialect.write(&received.message, received.trailer);
            let again = dialect.read(&written[..written.len() - 1]).expect("what was written is read");
            assert_eq!(again.message.kind, received.message.kind);
            assert_eq!(again.trailer, received.trailer);
            assert_eq!(dialect.write(&again.message, again.trailer), written);
            for part in received.message.kind.parts() {
                assert_eq!(again.message.part(*part), received.message.part(*part));
                let moment = sip2::moment(received.message.part(*part), &berlin);
                let shown = moment.map(|moment| sip2::stamp(&moment.to_zoned(berlin.clone())));
                assert!(shown.is_none_or(|shown| shown.len() == 18));
            }
        }
    }
});
