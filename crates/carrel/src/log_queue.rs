//! The server's log lines wait in a queue, from which one thread writes them, many at a time. So a request neither waits
//! for a slow disk or a full pipe nor pays for a write of its own.
//!
//! The queue is bounded. If the output is too slow for it, lines of requests are dropped first, and warnings and errors
//! only if their own room is full too; the log and `carrel_log_lines_dropped_total` tell how many. At a stop and at a
//! panic the queue is written first.

use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// Bytes that may wait: some seconds of a busy desk's requests.
const ROOM: usize = 4 << 20;
/// Further bytes for warnings and errors.
const ROOM_FOR_WARNINGS: usize = 1 << 20;
/// How long a line waits for others. Whoever watches the log does not notice.
const GATHERING: Duration = Duration::from_millis(20);
/// Buffers that were larger than this are given back.
const KEPT: usize = 256 << 10;

/// A queue of lines. Clones share it.
#[derive(Clone)]
pub struct LogQueue {
    shared: Arc<Shared>,
}

struct Shared {
    room: usize,
    waiting: Mutex<Waiting>,
    filled: Condvar,
    written: Condvar,
}

#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    dropped: u64,
    /// Somebody waits for the lines.
    urgent: bool,
    /// The thread writes lines that it has taken.
    writing: bool,
}

impl LogQueue {
    /// Starts the thread that writes to `output`. `tell` is called, on that thread, with the number of lines that were
    /// dropped, as soon as there is room to say so.
    pub fn start(output: impl Write + Send + 'static, tell: impl Fn(u64) + Send + 'static) -> io::Result<Self> {
        Self::with_room(ROOM, output, tell)
    }

    fn with_room(
        room: usize,
        output: impl Write + Send + 'static,
        tell: impl Fn(u64) + Send + 'static,
    ) -> io::Result<Self> {
        let (waiting, filled, written) = (Mutex::default(), Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { room, waiting, filled, written });
        let of_thread = Arc::clone(&shared);
        std::thread::Builder::new().name("log".into()).spawn(move || of_thread.write_on(output, tell))?;
        Ok(Self { shared })
    }

    /// Waits until everything that waits now is written, for at most `limit`. Returns false if it is not.
    pub fn flush(&self, limit: Duration) -> bool {
        let mut waiting = self.shared.lock();
        waiting.urgent = true;
        self.shared.filled.notify_one();
        let unwritten = |waiting: &mut Waiting| waiting.writing || !waiting.bytes.is_empty();
        let outcome = self.shared.written.wait_timeout_while(waiting, limit, unwritten);
        !outcome.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: &[u8], room: usize) {
        let mut waiting = self.lock();
        if waiting.bytes.len() + line.len() > room {
            waiting.dropped += 1;
            return;
        }
        // The thread sleeps only while the queue is empty.
        if waiting.bytes.is_empty() {
            self.filled.notify_one();
        }
        waiting.bytes.extend_from_slice(line);
    }

    fn write_on(&self, mut output: impl Write, tell: impl Fn(u64)) -> ! {
        let (mut taken, mut untold) = (Vec::new(), 0);
        loop {
            untold += self.take(&mut taken);
            // Nothing is left to do about lines that cannot be written, except to count them.
            let lost = match output.write_all(&taken).and_then(|()| output.flush()) {
                Ok(()) => 0,
                Err(_) => taken.iter().filter(|byte| **byte == b'\n').count() as u64,
            };
            untold += lost;
            taken.clear();
            if taken.capacity() > KEPT {
                taken = Vec::new();
            }
            self.lock().writing = false;
            self.written.notify_all();
            if lost == 0 && untold > 0 {
                tell(std::mem::take(&mut untold));
            }
        }
    }

    /// Waits for lines, and a little longer for more, and takes them. Returns the number of those dropped meanwhile.
    fn take(&self, taken: &mut Vec<u8>) -> u64 {
        let idle = |waiting: &mut Waiting| waiting.bytes.is_empty();
        let waiting = self.filled.wait_while(self.lock(), idle).unwrap_or_else(PoisonError::into_inner);
        let patient = |waiting: &mut Waiting| !waiting.urgent;
        let gathered = self.filled.wait_timeout_while(waiting, GATHERING, patient);
        let mut waiting = gathered.unwrap_or_else(PoisonError::into_inner).0;
        std::mem::swap(&mut waiting.bytes, taken);
        waiting.urgent = false;
        waiting.writing = true;
        std::mem::take(&mut waiting.dropped)
    }
}

/// The writer of one line.
pub struct Line<'q> {
    queue: &'q Shared,
    room: usize,
}

impl Write for Line<'_> {
    /// The log writes a line with one call.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.queue.push(line, self.room);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'q> MakeWriter<'q> for LogQueue {
    type Writer = Line<'q>;

    fn make_writer(&'q self) -> Line<'q> {
        Line { queue: &self.shared, room: self.shared.room }
    }

    fn make_writer_for(&'q self, metadata: &Metadata<'_>) -> Line<'q> {
        let mut line = self.make_writer();
        if *metadata.level() <= Level::WARN {
            line.room += ROOM_FOR_WARNINGS;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    /// An output that takes each write only when the test allows it.
    struct Slow {
        allowed: Receiver<io::Result<()>>,
        wrote: Sender<String>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let Ok(outcome) = self.allowed.recv() else {
                // The test is over.
                loop {
                    std::thread::park();
                }
            };
            outcome?;
            self.wrote.send(String::from_utf8_lossy(bytes).into_owned()).expect("the test listens");
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Test {
        queue: LogQueue,
        allow: Sender<io::Result<()>>,
        wrote: Receiver<String>,
        told: Receiver<u64>,
    }

    fn with_room(room: usize) -> Test {
        let ((allow, allowed), (wrote, written), (tell, told)) = (channel(), channel(), channel());
        let output = Slow { allowed, wrote };
        let queue = LogQueue::with_room(room, output, move |lines| tell.send(lines).expect("the test listens"));
        Test { queue: queue.expect("a thread"), allow, wrote: written, told }
    }

    impl Test {
        fn line(&self, text: &str) {
            self.queue.make_writer().write_all(text.as_bytes()).expect("queued");
        }

        fn warning(&self, text: &str) {
            let mut line = self.queue.make_writer();
            line.room += ROOM_FOR_WARNINGS;
            line.write_all(text.as_bytes()).expect("queued");
        }
    }

    #[test]
    fn lines_that_come_together_are_one_write_in_their_order() {
        let test = with_room(1000);
        test.line("a\n");
        test.line("b\n");
        test.line("c\n");
        test.allow.send(Ok(())).unwrap();
        assert_eq!(test.wrote.recv_timeout(PATIENCE).unwrap(), "a\nb\nc\n");
        assert!(test.queue.flush(PATIENCE));
    }

    #[test]
    fn a_slow_output_holds_up_nobody_and_what_is_dropped_is_told() {
        let test = with_room(4);
        test.line("1\n");
        while !test.queue.shared.lock().writing {
            std::thread::yield_now();
        }
        for text in ["2\n", "3\n", "4\n", "5\n"] {
            test.line(text);
        }
        test.warning("6\n");
        assert!(!test.queue.flush(Duration::from_millis(1)), "it is not written yet");
        test.allow.send(Ok(())).unwrap();
        test.allow.send(Ok(())).unwrap();
        assert!(test.queue.flush(PATIENCE));
        assert_eq!(test.wrote.try_iter().collect::<String>(), "1\n2\n3\n6\n");
        assert_eq!(test.told.recv_timeout(PATIENCE).unwrap(), 2);
    }

    #[test]
    fn lines_that_could_not_be_written_are_told_when_the_output_works_again() {
        let test = with_room(1000);
        test.line("1\n2\n");
        test.allow.send(Err(io::ErrorKind::StorageFull.into())).unwrap();
        assert!(test.queue.flush(PATIENCE));
        assert!(test.told.try_recv().is_err());
        test.line("3\n");
        test.allow.send(Ok(())).unwrap();
        assert_eq!(test.told.recv_timeout(PATIENCE).unwrap(), 2);
        assert_eq!(test.wrote.recv_timeout(PATIENCE).unwrap(), "3\n");
    }
}
