//! Retries decisions that conflict with concurrent changes.

use store::StoreError;

use super::Failed;

/// Maximum number of attempts. Each failure means that another operation changed the same item or patron in between.
const ATTEMPTS: usize = 50;

/// Errors that may call for another attempt.
pub(super) trait Overtaken: From<StoreError> {
    /// True after a conflict with a concurrent change: reading and deciding again may succeed.
    fn was_overtaken(&self) -> bool;
}

impl Overtaken for StoreError {
    fn was_overtaken(&self) -> bool {
        match self {
            StoreError::Conflict(_) => true,
            // A second open loan of the item, or two requests at one position in a queue.
            StoreError::Duplicate { constraint, .. } => {
                ["loan_one_open_for_an_item", "request_one_place_in_a_queue"].contains(&constraint.as_str())
            }
            // The item or the patron was deleted.
            StoreError::ForeignKey { constraint, .. } => constraint.starts_with("loan_open_"),
            _ => false,
        }
    }
}

impl Overtaken for Failed {
    fn was_overtaken(&self) -> bool {
        match self {
            Failed::Refused(_) | Failed::Rejected(_) => false,
            Failed::Store(error) => error.was_overtaken(),
        }
    }
}

/// Runs `attempt` (read, decide, write) and repeats it after conflicts with concurrent changes.
///
/// # Errors
/// The error of the attempt, or a conflict that names `what` after too many attempts.
pub(super) async fn until_at_rest<T, E, F>(what: &str, attempt: impl Fn() -> F) -> Result<T, E>
where
    E: Overtaken,
    // Not an async closure: the compiler cannot yet prove that its future is `Send`.
    F: Future<Output = Result<T, E>>,
{
    for _ in 0..ATTEMPTS {
        match attempt().await {
            Err(error) if error.was_overtaken() => {}
            done => return done,
        }
    }
    Err(StoreError::Conflict(format!("{what} never came to rest")).into())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use refusals::Refused;

    use super::*;

    type Outcome = Result<usize, Failed>;

    fn overtaken() -> Outcome {
        Err(StoreError::Conflict("somebody was faster".into()).into())
    }

    /// Runs attempts that return `ends` in order, repeating the last one; returns the outcome and the number of
    /// attempts.
    async fn attempts(mut ends: Vec<Outcome>) -> (Outcome, usize) {
        ends.reverse();
        let (ends, made) = (RefCell::new(ends), RefCell::new(0));
        let done = until_at_rest("the loan", || async {
            *made.borrow_mut() += 1;
            ends.borrow_mut().pop().unwrap_or_else(overtaken)
        })
        .await;
        (done, made.into_inner())
    }

    #[tokio::test]
    async fn decides_again_only_when_somebody_was_faster() {
        let (done, made) = attempts(vec![overtaken(), overtaken(), Ok(7)]).await;
        assert!(matches!(done, Ok(7)));
        assert_eq!(made, 3);
        let refused = || Failed::Refused(Refused::default());
        let (done, made) = attempts(vec![overtaken(), Err(refused())]).await;
        assert!(matches!(done, Err(Failed::Refused(_))));
        assert_eq!(made, 2);
        let (done, made) = attempts(vec![Err(StoreError::TooSlow.into()), Ok(7)]).await;
        assert!(matches!(done, Err(Failed::Store(StoreError::TooSlow))));
        assert_eq!(made, 1);
    }

    #[tokio::test]
    async fn gives_up_in_the_end() {
        let (done, made) = attempts(Vec::new()).await;
        let Err(Failed::Store(StoreError::Conflict(text))) = done else {
            panic!("{done:?}");
        };
        assert_eq!(text, "the loan never came to rest");
        assert_eq!(made, ATTEMPTS);
    }
}
