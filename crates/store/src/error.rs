//! What can go wrong at the database, sorted by who can do something about it.

use tokio_postgres::error::SqlState;

/// A failed statement.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A unique index refused the change.
    #[error("{table}: {constraint} exists already ({detail})")]
    Duplicate {
        /// Table.
        table: String,
        /// Index or constraint.
        constraint: String,
        /// PostgreSQL's detail line.
        detail: String,
    },
    /// A foreign key refused the change.
    #[error("{table}: {constraint} ({detail})")]
    ForeignKey {
        /// Table the constraint belongs to.
        table: String,
        /// Constraint.
        constraint: String,
        /// PostgreSQL's detail line.
        detail: String,
        /// True when a delete met records that still refer to this one.
        in_use: bool,
    },
    /// Another check of the database refused the change, or a function raised it.
    #[error("{message}")]
    Check {
        /// Constraint, or the SQLSTATE a function raised.
        constraint: String,
        /// Its text.
        message: String,
    },
    /// A value PostgreSQL cannot read.
    #[error("{0}")]
    Invalid(String),
    /// Two transactions got in each other's way; trying again helps.
    #[error("the change met another one at the same moment: {0}")]
    Conflict(String),
    /// The database cannot be reached, is starting, or all connections are busy.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// The statement took too long and was stopped.
    #[error("the database needed too long and was stopped; ask for less at once")]
    TooSlow,
    /// The disk of the database has no room.
    #[error(
        "the disk of the database is full, and nothing can be saved: free some space there. Carrel then goes on by \
         itself; nothing that was confirmed is lost"
    )]
    DiskFull,
    /// The disk of the database fails.
    #[error(
        "the disk of the database fails, and nothing can be saved: look at the logs of PostgreSQL and of its machine"
    )]
    DiskFails,
    /// The server takes no changes.
    #[error(
        "the database takes no changes now: it is a standby, or was set to be read only. Carrel connects anew and goes \
         on by itself when there is one that does"
    )]
    ReadOnly,
    /// The database did not answer in the time that was given.
    #[error(
        "the database did not answer within {} seconds, and nobody waits for it any longer; whether a change was made is \
         not known, so look before you repeat it",
        .0.as_secs_f32()
    )]
    Late(std::time::Duration),
    /// Anything else: a defect of ours or of the machine.
    #[error("database: {0}")]
    Other(String),
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(db) = error.as_db_error() else {
            return if error.is_closed() {
                StoreError::Unavailable("the connection was lost".into())
            } else {
                Self::without_state(&error)
            };
        };
        let table = db.table().unwrap_or_default().to_owned();
        let constraint = db.constraint().unwrap_or_default().to_owned();
        let detail = db.detail().unwrap_or_default().to_owned();
        let message = db.message().to_owned();
        match db.code() {
            &SqlState::UNIQUE_VIOLATION => StoreError::Duplicate {
                table,
                constraint,
                detail,
            },
            &SqlState::FOREIGN_KEY_VIOLATION => {
                let in_use = detail.contains("still referenced");
                StoreError::ForeignKey {
                    table,
                    constraint,
                    detail,
                    in_use,
                }
            }
            &SqlState::CHECK_VIOLATION | &SqlState::NOT_NULL_VIOLATION => StoreError::Check {
                constraint,
                message,
            },
            &SqlState::RAISE_EXCEPTION => StoreError::Check {
                constraint: db.hint().unwrap_or_default().to_owned(),
                message,
            },
            &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
                StoreError::Conflict(message)
            }
            &SqlState::DISK_FULL => StoreError::DiskFull,
            &SqlState::IO_ERROR => StoreError::DiskFails,
            &SqlState::READ_ONLY_SQL_TRANSACTION => StoreError::ReadOnly,
            // A disk with errors is switched to read only by its system, which PostgreSQL tells as a lack of rights.
            _ if message.contains("Read-only file system") => StoreError::DiskFails,
            &SqlState::OUT_OF_MEMORY | &SqlState::TOO_MANY_CONNECTIONS => {
                StoreError::Unavailable(message)
            }
            &SqlState::QUERY_CANCELED => StoreError::TooSlow,
            &SqlState::PROGRAM_LIMIT_EXCEEDED | &SqlState::STATEMENT_TOO_COMPLEX => {
                StoreError::Invalid(message)
            }
            state if state.code().starts_with("22") => StoreError::Invalid(message),
            state if state.code().starts_with("08") || state.code().starts_with("57") => {
                StoreError::Unavailable(message)
            }
            state => StoreError::Other(format!("{message} ({} {detail})", state.code())),
        }
    }
}

impl StoreError {
    fn without_state(error: &tokio_postgres::Error) -> Self {
        let mut text = error.to_string();
        let mut source = std::error::Error::source(error);
        let mut io = false;
        while let Some(cause) = source {
            io |= cause.is::<std::io::Error>();
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        if io {
            StoreError::Unavailable(text)
        } else {
            StoreError::Other(text)
        }
    }
}
