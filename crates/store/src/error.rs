//! Database errors, grouped by who can act on them.

use std::error::Error;

use tokio_postgres::error::SqlState;

/// A failed statement.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A unique index refused the change.
    #[error("{table}: {constraint} exists already ({detail})")]
    Duplicate {
        table: String,
        /// Index or constraint.
        constraint: String,
        /// PostgreSQL's detail line.
        detail: String,
    },
    /// A foreign key refused the change.
    #[error("{table}: {constraint} ({detail})")]
    ForeignKey {
        /// Table of the constraint.
        table: String,
        constraint: String,
        /// PostgreSQL's detail line.
        detail: String,
        /// True if the record to delete is still referred to.
        in_use: bool,
    },
    /// A list of a record names a record that does not exist (`inventory_lists.sql`).
    #[error("{message}")]
    NoSuchListed {
        message: Box<str>,
        /// Which list of which record.
        detail: Box<str>,
    },
    /// Another check of the database, or a function, refused the change.
    #[error("{message}")]
    Check {
        /// The constraint, or the SQLSTATE that a function raised.
        constraint: String,
        message: String,
    },
    /// A value that PostgreSQL cannot read.
    #[error("{0}")]
    Invalid(String),
    /// Two transactions conflicted; a retry helps.
    #[error("the change met another one at the same moment: {0}")]
    Conflict(String),
    /// The database is unreachable or starting, or all connections are busy.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// The statement took too long and was cancelled.
    #[error("the database needed too long and was stopped; ask for less at once")]
    TooSlow,
    /// The database's disk is full.
    #[error(
        "the disk of the database is full, and nothing can be saved: free some space there. Carrel then goes on by \
         itself; nothing that was confirmed is lost"
    )]
    DiskFull,
    /// The database's disk fails.
    #[error(
        "the disk of the database fails, and nothing can be saved: look at the logs of PostgreSQL and of its machine"
    )]
    DiskFails,
    /// The server is read-only.
    #[error(
        "the database takes no changes now: it is a standby, or set to read-only. Carrel reconnects and continues \
         by itself once there is one that does"
    )]
    ReadOnly,
    /// The database did not answer within the time limit.
    #[error(
        "the database did not answer within {} seconds, and the request was given up; whether a change was made is not \
         known, so look before you repeat it",
        .0.as_secs_f32()
    )]
    Late(std::time::Duration),
    /// Any other error: a defect of Carrel or of the machine.
    #[error("database: {0}")]
    Other(String),
}

impl StoreError {
    /// Whether the database refused what was sent, so that trying again changes nothing.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Duplicate { .. }
                | Self::ForeignKey { .. }
                | Self::NoSuchListed { .. }
                | Self::Check { .. }
                | Self::Invalid(_)
        )
    }
}

/// The constraint that stands for references in lists.
const LISTED: &str = "listed";

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
            &SqlState::UNIQUE_VIOLATION => StoreError::Duplicate { table, constraint, detail },
            &SqlState::FOREIGN_KEY_VIOLATION => match detail.contains("still referenced") {
                false if constraint == LISTED => {
                    StoreError::NoSuchListed { message: message.into(), detail: detail.into() }
                }
                in_use => StoreError::ForeignKey { table, constraint, detail, in_use },
            },
            &SqlState::CHECK_VIOLATION | &SqlState::NOT_NULL_VIOLATION => StoreError::Check { constraint, message },
            &SqlState::RAISE_EXCEPTION => {
                StoreError::Check { constraint: db.hint().unwrap_or_default().to_owned(), message }
            }
            &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => StoreError::Conflict(message),
            &SqlState::DISK_FULL => StoreError::DiskFull,
            &SqlState::IO_ERROR => StoreError::DiskFails,
            &SqlState::READ_ONLY_SQL_TRANSACTION => StoreError::ReadOnly,
            // The system remounts a failing disk read-only, which PostgreSQL reports as missing rights.
            _ if message.contains("Read-only file system") => StoreError::DiskFails,
            &SqlState::OUT_OF_MEMORY | &SqlState::TOO_MANY_CONNECTIONS => StoreError::Unavailable(message),
            &SqlState::QUERY_CANCELED => StoreError::TooSlow,
            &SqlState::PROGRAM_LIMIT_EXCEEDED | &SqlState::STATEMENT_TOO_COMPLEX => StoreError::Invalid(message),
            state if state.code().starts_with("22") => StoreError::Invalid(message),
            state if state.code().starts_with("08") || state.code().starts_with("57") => {
                StoreError::Unavailable(message)
            }
            state => StoreError::Other(format!("{message} ({} {detail})", state.code())),
        }
    }
}

/// The values of a key that PostgreSQL's detail line names: `Key (columns)=(values) already exists.`, or `is not present …`, or `is
/// still referenced …`.
pub fn named_values(detail: &str) -> Option<&str> {
    let (_, rest) = detail.split_once(")=(")?;
    rest.rsplit_once(") ").map(|(values, _)| values)
}

/// What an error says, and what its causes say: those of the database's driver say little themselves.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    causes(error).fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause: &&'a (dyn Error + 'static)| (*cause).source())
}

impl StoreError {
    fn without_state(error: &tokio_postgres::Error) -> Self {
        let io = causes(error).any(|cause| cause.is::<std::io::Error>());
        let text = with_causes(error);
        if io { StoreError::Unavailable(text) } else { StoreError::Other(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_error_of_the_driver_is_told_with_its_cause() {
        let mut nowhere = tokio_postgres::Config::new();
        nowhere.host_path("/nonexistent").user("nobody");
        let error = nowhere.connect(tokio_postgres::NoTls).await.map(drop).expect_err("there is no server");
        assert!(with_causes(&error).contains("No such file or directory"), "{}", with_causes(&error));
    }

    #[test]
    fn values_are_those_that_postgresql_names() {
        for (detail, values) in [
            ("Key (lower(name))=(a book) already exists.", Some("a book")),
            ("Key (scope, value)=(x, y (2) z) already exists.", Some("x, y (2) z")),
            ("Key (typeid)=(7) is not present in table \"type\".", Some("7")),
            ("Key (id)=(7) is still referenced from table \"item\".", Some("7")),
            ("something else", None),
            ("", None),
        ] {
            assert_eq!(named_values(detail), values, "{detail}");
        }
    }
}
