//! No bytes make the SIP2 codec panic, and a message that was read is written and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sip2::{Dialect, Encoding, Frame, Frames};

fuzz_target!(|bytes: &[u8]| {
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
        }
    }
});
