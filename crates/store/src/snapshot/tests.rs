use super::*;

const QUESTION: &str = "/groups";

fn snapshot() -> Snapshot {
    Snapshot::sharing(&Arc::default())
}

fn stamp(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn bytes(text: &'static str) -> Bytes {
    Bytes::from_static(text.as_bytes())
}

/// A statement that begins now and has its answer in the same moment.
fn keep(snapshot: &Snapshot, number: u128, answer: &'static str) -> Instant {
    let reading = snapshot.begin();
    snapshot.keep_at(reading, stamp(number), QUESTION, &bytes(answer), reading.began);
    reading.began
}

fn at(snapshot: &Snapshot, question: &str, now: Instant) -> Option<Bytes> {
    snapshot.answer_at(question, now).map(|answer| answer.body().clone())
}

fn later(began: Instant, milliseconds: u64) -> Instant {
    began + Duration::from_millis(milliseconds)
}

#[test]
fn an_answer_is_given_for_a_second_after_its_statement_began() {
    let snapshot = snapshot();
    let began = keep(&snapshot, 1, "a");
    assert_eq!(at(&snapshot, QUESTION, later(began, 499)), Some(bytes("a")));
    assert_eq!(at(&snapshot, "/other", began), None);
    assert_eq!(at(&snapshot, QUESTION, later(began, 1000)), None);
}

#[test]
fn one_reader_asks_again_while_the_others_still_get_the_answer() {
    let snapshot = snapshot();
    let began = keep(&snapshot, 1, "a");
    let now = later(began, 500);
    assert_eq!(at(&snapshot, "/other", now), None, "a question without an answer is no second look");
    assert_eq!(at(&snapshot, QUESTION, now), None);
    assert_eq!(at(&snapshot, QUESTION, now), Some(bytes("a")));
    let again = Reading { began: now, writes: 0 };
    snapshot.keep_at(again, stamp(1), QUESTION, &bytes("a"), now);
    assert_eq!(at(&snapshot, QUESTION, later(now, 499)), Some(bytes("a")));
    assert_eq!(at(&snapshot, QUESTION, later(now, 500)), None);
}

#[test]
fn another_stamp_drops_what_was_kept_with_the_one_before() {
    let snapshot = snapshot();
    let began = keep(&snapshot, 1, "a");
    let reading = Reading { began: later(began, 1), writes: 0 };
    snapshot.keep_at(reading, stamp(2), "/other", &bytes("b"), later(began, 2));
    assert_eq!(at(&snapshot, QUESTION, later(began, 2)), None);
    assert_eq!(at(&snapshot, "/other", later(began, 2)), Some(bytes("b")));
}

#[test]
fn of_two_statements_at_once_with_different_stamps_neither_is_believed() {
    let snapshot = snapshot();
    let (early, late) = (snapshot.begin(), snapshot.begin());
    let now = later(late.began, 5);
    snapshot.keep_at(late, stamp(2), QUESTION, &bytes("new"), now);
    snapshot.keep_at(early, stamp(1), QUESTION, &bytes("old"), now);
    assert_eq!(at(&snapshot, QUESTION, now), None);
}

#[test]
fn a_change_by_this_process_makes_all_answers_doubtful_until_the_stamp_is_read_again() {
    let snapshot = snapshot();
    let began = keep(&snapshot, 1, "a");
    let taken = snapshot.noticed();
    let meanwhile = snapshot.begin();
    snapshot.notice();
    assert_eq!(at(&snapshot, QUESTION, began), None);
    // It reads what is there before the change is committed.
    let before = snapshot.begin();
    snapshot.keep_at(before, stamp(1), QUESTION, &bytes("a"), before.began);
    snapshot.keep_at(meanwhile, stamp(1), QUESTION, &bytes("a"), before.began);
    snapshot.settle(taken);
    assert_eq!(at(&snapshot, QUESTION, before.began), None);
    let began = keep(&snapshot, 2, "b");
    assert_eq!(at(&snapshot, QUESTION, began), Some(bytes("b")));
}

#[test]
fn a_connection_without_a_notice_meanwhile_changes_nothing() {
    let snapshot = snapshot();
    snapshot.notice();
    let taken = snapshot.noticed();
    let began = keep(&snapshot, 1, "a");
    snapshot.settle(taken);
    assert_eq!(at(&snapshot, QUESTION, began), Some(bytes("a")));
}

#[test]
fn memory_is_bounded_for_an_answer_a_tenant_and_all_tenants() {
    let snapshots = Snapshots::default();
    let large = Bytes::from(vec![b'x'; LARGEST / 2 - 1000]);
    let fill = |snapshot: &Snapshot| {
        for number in 0..40 {
            let (reading, question) = (snapshot.begin(), format!("/{number}"));
            snapshot.keep(reading, stamp(1), &question, &large);
        }
    };
    let first = snapshots.of("t_first");
    fill(&first);
    let held = snapshots.bytes.load(Ordering::Relaxed);
    assert!((LARGEST..=OF_TENANT).contains(&held), "{held}");
    let too_large = Bytes::from(vec![b'x'; LARGEST / 2]);
    first.keep(first.begin(), stamp(1), "/large", &too_large);
    assert!(first.answer("/large").is_none());
    for number in 0..40 {
        fill(&snapshots.of(&format!("t_{number}")));
    }
    let held = snapshots.bytes.load(Ordering::Relaxed);
    assert!((OF_ALL / 2..=OF_ALL).contains(&held), "{held}");
    for number in 0..40 {
        snapshots.forget(&format!("t_{number}"));
    }
    first.forget_if_idle(later(Instant::now(), 59_000));
    assert!(snapshots.bytes.load(Ordering::Relaxed) > 0);
    first.forget_if_idle(later(Instant::now(), 61_000));
    assert_eq!(snapshots.bytes.load(Ordering::Relaxed), 0);
}
