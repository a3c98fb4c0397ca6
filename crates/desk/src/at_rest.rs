//! Deciding again when somebody else was faster, until nobody is.

use store::StoreError;

use super::Failed;

/// How often the desk decides again before it gives up. Each time somebody else has done something to
/// the same item or patron in between.
const ATTEMPTS: usize = 50;

/// What an attempt fails with, as far as another attempt may help.
pub(super) trait Overtaken: From<StoreError> {
    /// True when somebody else was faster: reading and deciding again helps.
    fn was_overtaken(&self) -> bool;
}

impl Overtaken for StoreError {
    fn was_overtaken(&self) -> bool {
        match self {
            StoreError::Conflict(_) => true,
            // A second open loan of the item, or two requests at one place of a queue.
            StoreError::Duplicate { constraint, .. } => {
                ["loan_one_open_for_an_item", "request_one_place_in_a_queue"]
                    .contains(&constraint.as_str())
            }
            // The item or the patron is gone.
            StoreError::ForeignKey { constraint, .. } => constraint.starts_with("loan_open_"),
            _ => false,
        }
    }
}

impl<R> Overtaken for Failed<R> {
    fn was_overtaken(&self) -> bool {
        match self {
            Failed::Refused(_) | Failed::Unkept(_) => false,
            Failed::Store(error) => error.was_overtaken(),
        }
    }
}

/// Reads, decides and writes in one `attempt`, and again as long as somebody else was faster.
///
/// # Errors
/// That of the attempt; a conflict that says that `what` never came to rest.
pub(super) async fn until_at_rest<T, E, F>(what: &str, attempt: impl Fn() -> F) -> Result<T, E>
where
    E: Overtaken,
    // Not an async closure: the compiler cannot yet tell that the futures of one may move between threads.
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

    use super::*;

    type Outcome = Result<usize, Failed<&'static str>>;

    fn overtaken() -> Outcome {
        Err(StoreError::Conflict("somebody was faster".into()).into())
    }

    /// What comes of attempts that end so, one after the other and then always as the last, and how many were made.
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
        let (done, made) = attempts(vec![overtaken(), Err(Failed::Refused("no"))]).await;
        assert!(matches!(done, Err(Failed::Refused("no"))));
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
