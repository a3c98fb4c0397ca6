//! Sends messages through a tenant's mail server (mod-email, `/smtp-configuration`).

use std::{fmt, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    address::AddressError,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{Tls, TlsParameters},
    },
};
use serde::Deserialize;

/// How long a mail server may take for one step by default.
const PATIENCE: Duration = Duration::from_secs(10);
/// A whole message may take this many times as long as one step.
const STEPS: u32 = 4;
/// The longest that a tenant can set.
const MOST_PATIENCE: Duration = Duration::from_secs(60);

/// A tenant's mail server, as stored.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Configuration {
    pub host: String,
    pub port: i64,
    username: String,
    password: String,
    ssl: bool,
    trust_all: bool,
    login_option: Option<String>,
    start_tls_options: Option<String>,
    auth_methods: Option<String>,
    from: Option<String>,
    identities: Vec<Identity>,
    email_headers: Vec<Header>,
    connect_timeout: Option<u64>,
    /// How long sent e-mails are kept, in hours.
    pub expiration_hours: Option<i64>,
}

/// Leaves out user name and password: this may reach a log.
impl fmt::Debug for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Identity {
    address: String,
    name: Option<String>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Header {
    name: String,
    value: String,
}

/// An e-mail, as stored.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Email {
    pub id: String,
    /// Recipients, separated by commas.
    pub to: String,
    from: Option<String>,
    bcc: Option<String>,
    header: String,
    body: String,
    output_format: Option<String>,
    attachments: Vec<File>,
    /// Number of attempts so far.
    pub attempt_count: i64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct File {
    content_type: Option<String>,
    name: Option<String>,
    data: Option<String>,
    disposition: Option<String>,
    content_id: Option<String>,
}

/// Why an e-mail was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotSent {
    /// It will never be accepted: a refused recipient, a malformed address.
    Refused(String),
    /// It may be accepted later; other messages may be accepted now.
    Later(String),
    /// The server cannot be reached, so nothing can be sent now.
    Unreachable(String),
}

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (NotSent::Refused(text) | NotSent::Later(text) | NotSent::Unreachable(text)) = self;
        f.write_str(text)
    }
}

impl From<Error> for NotSent {
    fn from(error: Error) -> Self {
        let text = with_causes(&error);
        match (error.is_permanent(), error.is_transient()) {
            (true, _) => NotSent::Refused(text),
            (_, true) => NotSent::Later(text),
            // Neither an answer nor a fault of the message: the connection failed.
            _ => NotSent::Unreachable(text),
        }
    }
}

/// The error with its causes; the outermost alone says little.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let said = inner.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = inner.source();
    }
    text
}

/// A connection to a tenant's mail server, opened when first needed and reused for later messages.
pub struct Server<'c> {
    configuration: &'c Configuration,
    transport: AsyncSmtpTransport<Tokio1Executor>,
    /// Without log-in, for servers that offer none.
    anonymous: Option<AsyncSmtpTransport<Tokio1Executor>>,
}

impl<'c> Server<'c> {
    /// The server of a configuration.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub fn new(configuration: &'c Configuration) -> Result<Self, NotSent> {
        let login = configuration.login_option.as_deref().unwrap_or("NONE");
        let must = matches!(login, "REQUIRED" | "XOAUTH2");
        let may = login != "DISABLED" && !configuration.username.is_empty();
        Ok(Server {
            configuration,
            transport: configuration.transport(may)?,
            anonymous: (may && !must).then(|| configuration.transport(false)).transpose()?,
        })
    }

    /// Sends a message, or gives up if the server takes too long.
    pub async fn send(&self, email: &Email) -> Result<(), NotSent> {
        let whole = self.configuration.patience() * STEPS;
        match tokio::time::timeout(whole, self.hand_over(email)).await {
            Ok(sent) => sent,
            Err(_) => Err(NotSent::Unreachable(format!("no answer in {} s", whole.as_secs()))),
        }
    }

    async fn hand_over(&self, email: &Email) -> Result<(), NotSent> {
        let message = self.configuration.message(email)?;
        let sent = self.transport.send(message.clone()).await;
        match (sent, &self.anonymous) {
            (Ok(_), _) => Ok(()),
            // The server and Carrel have no log-in method in common, and log-in is optional.
            (Err(error), Some(anonymous)) if error.is_client() => {
                anonymous.send(message).await?;
                Ok(())
            }
            (Err(error), _) => Err(error.into()),
        }
    }
}

impl Configuration {
    fn transport(&self, login: bool) -> Result<AsyncSmtpTransport<Tokio1Executor>, NotSent> {
        let port = u16::try_from(self.port).map_err(|_| NotSent::Unreachable(format!("{} is no port", self.port)))?;
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&self.host)
            .port(port)
            .timeout(Some(self.patience()))
            .tls(self.tls()?);
        if login {
            let credentials = Credentials::new(self.username.clone(), self.password.clone());
            transport = transport.credentials(credentials);
            let mechanisms = self.mechanisms();
            if !mechanisms.is_empty() {
                transport = transport.authentication(mechanisms);
            }
        }
        Ok(transport.build())
    }

    fn patience(&self) -> Duration {
        let set = self.connect_timeout.map_or(PATIENCE, Duration::from_millis);
        set.clamp(Duration::from_millis(100), MOST_PATIENCE)
    }

    fn tls(&self) -> Result<Tls, NotSent> {
        let start = self.start_tls_options.as_deref().unwrap_or("OPTIONAL");
        if !self.ssl && start == "DISABLED" {
            return Ok(Tls::None);
        }
        let parameters = TlsParameters::builder(self.host.clone())
            .dangerous_accept_invalid_certs(self.trust_all)
            .dangerous_accept_invalid_hostnames(self.trust_all)
            .build()?;
        Ok(match (self.ssl, start) {
            (true, _) => Tls::Wrapper(parameters),
            (false, "REQUIRED") => Tls::Required(parameters),
            (false, _) => Tls::Opportunistic(parameters),
        })
    }

    /// The log-in methods that both the configuration and Carrel offer.
    fn mechanisms(&self) -> Vec<Mechanism> {
        if self.login_option.as_deref() == Some("XOAUTH2") {
            return vec![Mechanism::Xoauth2];
        }
        let names = self.auth_methods.as_deref().unwrap_or_default();
        let named = names.split([' ', ',']).filter_map(|name| match name {
            "PLAIN" => Some(Mechanism::Plain),
            "LOGIN" => Some(Mechanism::Login),
            "XOAUTH2" => Some(Mechanism::Xoauth2),
            _ => None,
        });
        named.collect()
    }

    /// A message with the tenant's headers. Its Message-ID stays the same when it is sent again, so that a mail program
    /// shows it once.
    fn message(&self, email: &Email) -> Result<Message, NotSent> {
        let refuse = |text: String| NotSent::Refused(text);
        let from = email.from.as_deref().filter(|from| !from.trim().is_empty());
        let from = from.or(self.from.as_deref()).unwrap_or(&self.username);
        let mut message = Message::builder()
            .from(self.mailbox(from).map_err(|fault| refuse(format!("sender {from}: {fault}")))?)
            .subject(single_line(&email.header))
            .message_id(Some(format!("<{}@carrel>", email.id)));
        for (addresses, blind) in [(Some(&email.to), false), (email.bcc.as_ref(), true)] {
            for address in addresses.into_iter().flat_map(|list| list.split(',')).map(str::trim) {
                if address.is_empty() {
                    continue;
                }
                let mailbox = self.mailbox(address);
                let mailbox = mailbox.map_err(|fault| refuse(format!("recipient {address}: {fault}")))?;
                message = if blind { message.bcc(mailbox) } else { message.to(mailbox) };
            }
        }
        for header in &self.email_headers {
            if let Ok(name) = HeaderName::new_from_ascii(header.name.clone()) {
                message = message.raw_header(HeaderValue::new(name, single_line(&header.value)));
            }
        }
        let text = email.text();
        let message = match email.attachments.is_empty() {
            true => message.singlepart(text),
            false => message.multipart(email.files(MultiPart::related().singlepart(text))),
        };
        message.map_err(|error| refuse(with_causes(&error)))
    }

    /// An address, with the name that the tenant gave it.
    fn mailbox(&self, address: &str) -> Result<Mailbox, AddressError> {
        let identity = self.identities.iter().find(|known| known.address == address);
        match identity.and_then(|known| known.name.as_deref()).filter(|name| !name.trim().is_empty()) {
            Some(name) => Ok(Mailbox::new(Some(name.to_owned()), address.parse()?)),
            None => address.parse(),
        }
    }
}

/// A header value must be one line.
fn single_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

impl Email {
    fn text(&self) -> SinglePart {
        let format = self.output_format.as_deref().unwrap_or_default().trim();
        match format.eq_ignore_ascii_case("text/html") {
            true => SinglePart::html(self.body.clone()),
            false => SinglePart::plain(self.body.clone()),
        }
    }

    fn files(&self, parts: MultiPart) -> MultiPart {
        self.attachments.iter().fold(parts, |parts, file| match file.part() {
            Some(part) => parts.singlepart(part),
            None => parts,
        })
    }
}

impl File {
    fn part(&self) -> Option<SinglePart> {
        let data = STANDARD.decode(self.data.as_deref()?).ok()?;
        let kind = self.content_type.as_deref().and_then(|kind| ContentType::parse(kind).ok());
        let kind = kind.or_else(|| ContentType::parse("application/octet-stream").ok())?;
        let name = self.name.clone().unwrap_or_else(|| "file".to_owned());
        let inline = self.disposition.as_deref() == Some("inline");
        let attachment = match self.content_id.as_deref().filter(|_| inline) {
            Some(id) => Attachment::new_inline(id.trim_matches(['<', '>']).to_owned()),
            None => Attachment::new(name),
        };
        Some(attachment.body(data, kind))
    }
}
