//! One terminal's connection, from first byte to last. It has its own task and bounded buffer, and holds nothing that
//! other terminals need, such as a database connection, while it waits.

use std::{net::SocketAddr, panic::AssertUnwindSafe, sync::Arc, time::Instant};

use api::{app::App, inside::Insider};
use futures_util::FutureExt;
use sip2::{Dialect, Encoding, Frame, Frames, Kind, Message, Part, Received, Trailer};
use store::db::Lane;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant as Deadline, timeout, timeout_at},
};

use crate::{
    answer_begin::{begin, refused},
    answers::status,
    conversation::Conversation,
    line,
    outcome::{Outcome, outcome_of},
    recent::{Recent, is_of_now},
    settings::Settings,
    station::{self, Caller, SignInFailure, Station},
    tenants::ending,
    transaction::{Refusal, Transaction},
    words::{Text, Words},
};

/// Longest message in bytes; real ones are far shorter.
const LONGEST_MESSAGE: usize = 4_096;
const BUFFER: usize = 1_024;
const SIGN_IN_FIRST: &str =
    "the terminal has not signed in: set its software to log in (93) with a user name, a password and a location";

pub struct Connection {
    app: Arc<App>,
    settings: Arc<Settings>,
    recent: Arc<Recent>,
    stream: TcpStream,
    peer: SocketAddr,
    tenant: Option<String>,
    dialect: Dialect,
    frames: Frames,
    conversation: Conversation,
    station: Option<Station>,
    connected: Deadline,
}

/// Why a connection ended, for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum End {
    #[error("the terminal closed the connection")]
    Closed,
    #[error("the terminal was silent for too long")]
    Silent,
    #[error("a message was not completed in time")]
    TooSlow,
    #[error("the terminal does not take its answers")]
    NotReading,
    #[error("too many lines that are no messages")]
    NotUnderstood,
    #[error("too many failed log-ins")]
    NotSignedIn,
}

impl Connection {
    pub fn new(
        app: Arc<App>,
        settings: Arc<Settings>,
        recent: Arc<Recent>,
        stream: TcpStream,
        peer: SocketAddr,
    ) -> Self {
        let port = stream.local_addr().map_or(0, |address| address.port());
        let table = &settings.tenants;
        let (tenant, dialect) = table.at_connection(peer.ip(), port, settings.dialect);
        let tenant = tenant.map(str::to_owned);
        if let Err(error) = line::set_up(&stream) {
            tracing::debug!(target: "carrel::sip2", %peer, %error, "a line without keepalive");
        }
        Self {
            app,
            settings,
            recent,
            stream,
            peer,
            tenant,
            dialect,
            frames: Frames::new(LONGEST_MESSAGE),
            conversation: Conversation::default(),
            station: None,
            connected: Deadline::now(),
        }
    }

    /// Serves the terminal until either side ends the connection. `stop` takes effect between messages.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let end = loop {
            let frame = tokio::select! {
                biased;
                () = &mut stop => break None,
                frame = self.next_frame() => frame,
            };
            let answered = match frame {
                Ok(frame) => self.answer(&frame).await,
                Err(end) => Err(end),
            };
            if let Err(end) = answered {
                break Some(end);
            }
        };
        let why = end.map_or_else(|| "Carrel stops".to_owned(), |end| end.to_string());
        tracing::debug!(target: "carrel::sip2", peer = %self.peer, why, "terminal gone");
        let _ = self.stream.shutdown().await;
    }

    /// The next line. Once its first byte has arrived, the whole line has a deadline.
    async fn next_frame(&mut self) -> Result<Frame, End> {
        let mut buffer = [0; BUFFER];
        let mut complete_by: Option<Deadline> = None;
        loop {
            if let Some(frame) = self.frames.next_frame() {
                return Ok(frame);
            }
            let begun = self.frames.has_begun();
            let by = match (begun, complete_by) {
                (true, Some(by)) => by,
                (true, None) => {
                    let by = Deadline::now() + self.settings.message_within;
                    *complete_by.insert(by)
                }
                (false, _) if self.station.is_none() => self.connected + self.settings.sign_in_within,
                (false, _) => Deadline::now() + self.settings.idle,
            };
            let read = timeout_at(by, self.stream.read(&mut buffer)).await;
            match read {
                Ok(Ok(0) | Err(_)) => return Err(End::Closed),
                Ok(Ok(length)) => self.frames.push(&buffer[..length]),
                Err(_) if begun => return Err(End::TooSlow),
                Err(_) => return Err(End::Silent),
            }
        }
    }

    async fn answer(&mut self, frame: &Frame) -> Result<(), End> {
        let received = match frame {
            Frame::TooLong => None,
            Frame::Line(line) => self.dialect.read(line).ok(),
        };
        let (Frame::Line(line), Some(received)) = (frame, received) else {
            return self.ask_again().await;
        };
        if received.message.kind == Kind::RequestResend {
            let last = self.conversation.last_answer().map(<[u8]>::to_vec);
            return match last {
                Some(answer) => self.resend(&answer).await,
                None => self.send(&self.resend_request(received.trailer.checked)).await,
            };
        }
        if let Some(answer) = self.conversation.repeated(line, &received) {
            let answer = answer.to_vec();
            return self.resend(&answer).await;
        }
        let began = Instant::now();
        let outcome = match self.done_before(&received, began) {
            Some(answer) => Outcome::new(answer, true),
            None => self.outcome(&received).await,
        };
        outcome.log(self.peer, self.station.as_ref(), &received, began.elapsed());
        // Signing in may change the dialect, which can depend on the location.
        let bytes = self.written(&outcome.answer, received.trailer);
        self.conversation.answered(line, &bytes);
        self.send(&bytes).await?;
        match outcome.last {
            true => Err(End::NotSignedIn),
            false => Ok(()),
        }
    }

    /// The answer to a message that this terminal sent on a connection it lost.
    fn done_before(&self, received: &Received, now: Instant) -> Option<Message> {
        let station = self.station.as_ref()?;
        let answer = self.recent.answer(station, received, now)?;
        let configuration = self.app.tenant(&station.tenant)?.desk.remembered()?;
        let clock = (self.app.clock)();
        if !is_of_now(&received.message, clock, configuration.zone()) {
            return None;
        }
        metrics::counter!("carrel_sip2_resent_total").increment(1);
        Some(answer)
    }

    /// Asks the terminal to repeat an unreadable line, a few times.
    async fn ask_again(&mut self) -> Result<(), End> {
        metrics::counter!("carrel_sip2_unreadable_total").increment(1);
        let enough = self.conversation.count_unreadable();
        self.send(&self.resend_request(true)).await?;
        match enough {
            true => Err(End::NotUnderstood),
            false => Ok(()),
        }
    }

    async fn resend(&mut self, answer: &[u8]) -> Result<(), End> {
        metrics::counter!("carrel_sip2_resent_total").increment(1);
        self.send(answer).await
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), End> {
        match timeout(self.settings.message_within, self.stream.write_all(bytes)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Closed),
            Err(_) => Err(End::NotReading),
        }
    }

    /// Handles a message. A panic fails only this transaction of this terminal.
    async fn outcome(&mut self, received: &Received) -> Outcome {
        let message = &received.message;
        let now = jiff::Zoned::now();
        let judged = AssertUnwindSafe(self.judge(message)).catch_unwind().await;
        judged.unwrap_or_else(|_| {
            let texts = [Words::default().say(Text::Failed)];
            let mut outcome = Outcome::new(refused(message, &sip2::stamp(&now), "", &texts), false);
            outcome.failure = Some("panic".to_owned());
            outcome
        })
    }

    async fn judge(&mut self, message: &Message) -> Outcome {
        if message.kind == Kind::Login {
            return self.sign_in(message).await;
        }
        let utc = (self.app.clock)().to_zoned(jiff::tz::TimeZone::UTC);
        let Some(station) = &self.station else {
            let now = sip2::stamp(&utc);
            return match message.kind {
                Kind::TerminalStatus => Outcome::new(status::before_sign_in(message, &now), true),
                _ => {
                    let texts = [Words::default().say(Text::NotSignedIn)];
                    let mut outcome = Outcome::new(refused(message, &now, "", &texts), false);
                    outcome.why = Some(SIGN_IN_FIRST.to_owned());
                    outcome
                }
            };
        };
        let _at_desk = priority::at_desk();
        match self.transaction(station, message).await {
            Ok(transaction) => {
                let now = transaction.stamp(transaction.insider.now);
                let mut outcome = outcome_of(message, &now, transaction.answer().await);
                if outcome.done {
                    self.recent.remember(station, message, &outcome.answer, Instant::now());
                }
                outcome.meter = Some(Arc::clone(transaction.insider.session.meter()));
                outcome
            }
            Err(refusal) => outcome_of(message, &sip2::stamp(&utc), Err(refusal)),
        }
    }

    /// The terminal's user and the library's configuration as of now.
    async fn transaction<'m>(&self, station: &'m Station, request: &'m Message) -> Result<Transaction<'m>, Refusal> {
        let words = Words::default();
        let failed = |error: &dyn std::fmt::Display| Refusal {
            failure: Some(error.to_string()),
            ..Refusal::with_text(words.say(Text::Failed))
        };
        let gone = || Refusal {
            why: Some("the terminal's user is inactive or has been deleted".to_owned()),
            ..Refusal::with_text(words.say(Text::NotSignedIn))
        };
        let tenant = self.app.tenant(&station.tenant).ok_or_else(gone)?;
        let now = (self.app.clock)();
        let session = self.app.request(&tenant, Lane::Desk);
        let session = session.map_err(|error| failed(&error))?;
        let access = tenant.directory.access(&session, station.user, now).await;
        let access = access.map_err(|error| failed(&error))?;
        let access = access.filter(|access| access.active).ok_or_else(gone)?;
        // Only a status must see the current configuration; other messages notice a change by the statements they run.
        let remembered = tenant.desk.remembered();
        let remembered = remembered.filter(|_| request.kind != Kind::TerminalStatus);
        let configuration = match remembered {
            Some(configuration) => configuration,
            None => {
                let current = tenant.desk.current(&session).await;
                current.map_err(|error| failed(&error))?
            }
        };
        let insider = Insider::new(&self.app, &tenant, access, now);
        Ok(Transaction { insider: insider.map_err(|error| failed(&error))?, station, configuration, request })
    }

    async fn sign_in(&mut self, message: &Message) -> Outcome {
        let caller = Caller { address: self.peer.ip(), tenant: self.tenant.as_deref() };
        let answer = begin(message, "");
        match station::sign_in(&self.app, &self.settings, &caller, message).await {
            Ok((station, configuration)) => {
                let here = configuration.self_checks.station(station.service_point);
                let encoding = here.charset.as_deref().and_then(Encoding::named);
                let ending = here.message_delimiter.as_deref().and_then(ending);
                self.dialect.encoding = encoding.unwrap_or(self.dialect.encoding);
                self.dialect.ending = ending.or(self.dialect.ending);
                self.station = Some(station);
                Outcome::new(answer.with_part(Part::Ok, "1"), true)
            }
            Err(error) => {
                self.station = None;
                tracing::warn!(target: "carrel::sip2", peer = %self.peer, why = %error, "terminal not let in");
                let mut outcome = Outcome::new(answer, false);
                outcome.why = Some(error.to_string());
                if let SignInFailure::Store(error) = error {
                    outcome.failure = Some(error.to_string());
                } else {
                    outcome.last = self.conversation.count_failed_login();
                }
                outcome
            }
        }
    }

    /// The bytes of a message. If no line end is configured, it uses the terminal's own.
    fn written(&self, message: &Message, trailer: Trailer) -> Vec<u8> {
        let ending = self.dialect.ending.unwrap_or(self.frames.ending());
        let dialect = Dialect { ending: Some(ending), ..self.dialect };
        dialect.write(message, trailer)
    }

    /// The request to repeat a message; it has no sequence number.
    fn resend_request(&self, checked: bool) -> Vec<u8> {
        let trailer = Trailer { sequence: None, checked };
        self.written(&Message::new(Kind::RequestTerminalResend), trailer)
    }
}
