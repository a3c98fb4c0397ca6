//! Terminals that send garbage, nothing, half a message or too much affect only themselves.

use std::time::Duration;

use self_check::Settings;
use serde_json::json;

use crate::terminal::{LOG_IN, SelfChecks, field};

fn impatient() -> Settings {
    Settings {
        sign_in_within: Duration::from_secs(3),
        message_within: Duration::from_secs(1),
        idle: Duration::from_secs(4),
        ..Settings::default()
    }
}

#[tokio::test]
async fn garbage_is_requested_again_a_few_times() {
    let checks = SelfChecks::new().await;
    for garbage in [
        &b"GET / HTTP/1.1\r"[..],
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r",
        b"93\xff\xfe|||||\r",
        b"11\r",
        b"9300CNlibrarian|COsecret|CPDesk|AY1AZ0000\r",
        &[b'x'; 5_000],
    ] {
        let mut terminal = checks.terminal().await;
        for _ in 0..5 {
            terminal.send(garbage).await;
            if !garbage.contains(&b'\r') {
                terminal.send(b"\r").await;
            }
            let answer = terminal.hear().await.expect("a word");
            assert_eq!(answer, b"96AZFEF6\r", "{garbage:?}");
        }
        assert!(terminal.is_over().await, "{garbage:?}");
    }
    let mut sound = checks.terminal().await;
    sound.send(b"nonsense\r\n\r\n").await;
    assert_eq!(sound.hear().await.as_deref(), Some(&b"96AZFEF6\r\n"[..]));
    assert_eq!(sound.ask(LOG_IN).await, "941");
}

#[tokio::test]
async fn split_and_joined_messages_are_answered_in_order() {
    let checks = SelfChecks::new().await;
    checks.lending.patron("reader", json!({})).await;
    let mut terminal = checks.terminal().await;
    for byte in format!("{LOG_IN}\r").bytes() {
        terminal.send(&[byte]).await;
    }
    assert_eq!(terminal.hear().await.as_deref(), Some(&b"941\r"[..]));
    let lines = "2300020261122    120000AO|AAreader|AC|AD|\r2300020261122    120000AO|AAnobody|AC|AD|\n";
    terminal.send(lines.repeat(50).as_bytes()).await;
    for turn in 0..100 {
        let answer = terminal.hear().await.expect("an answer");
        let answer = String::from_utf8(answer).expect("UTF-8");
        let known = if turn % 2 == 0 { "Y" } else { "N" };
        assert_eq!(field(&answer, "BL"), Some(known), "{turn}: {answer}");
    }
}

#[tokio::test]
async fn silent_and_slow_terminals_are_disconnected() {
    let checks = SelfChecks::with(impatient()).await;
    let mut silent = checks.terminal().await;
    let mut half = checks.signed_in().await;
    half.send(b"11YN2026").await;
    let mut dribbling = checks.signed_in().await;
    let dribble = tokio::spawn(async move {
        // One byte at a time, each long before any timeout.
        let mut every = tokio::time::interval(Duration::from_millis(50));
        loop {
            every.tick().await;
            if dribbling.try_send(b"9").await.is_err() {
                break dribbling.is_over().await;
            }
        }
    });
    let mut idle = checks.signed_in().await;
    assert!(silent.is_over().await);
    assert!(half.is_over().await);
    assert!(dribble.await.expect("no panic"));
    assert!(idle.is_over().await);
}

#[tokio::test]
async fn bad_terminals_do_not_disturb_a_good_one() {
    let checks = SelfChecks::new().await;
    checks.lending.item("book", json!({})).await;
    checks.lending.patron("reader", json!({})).await;
    let mut bad = Vec::new();
    for turn in 0..40 {
        let mut terminal = checks.terminal().await;
        match turn % 4 {
            0 => terminal.send(b"11YN20261122").await,
            1 => terminal.send(&[0xff; 900]).await,
            // Sends questions and never reads.
            2 => terminal.send("9900802.00\r".repeat(2_000).as_bytes()).await,
            _ => {}
        }
        bad.push(terminal);
    }
    let mut good = checks.signed_in().await;
    for second in 0..20 {
        let checked_out =
            good.ask(&format!("11NN20261122    1200{second:02}                  AO|AAreader|ABbook|AC|")).await;
        assert!(checked_out.starts_with("121N"), "{checked_out}");
        let taken = good.ask(&format!("09N20261122    1200{second:02}20261122    120000AP|AO|ABbook|AC|")).await;
        assert!(taken.starts_with("101Y"), "{taken}");
    }
}

#[tokio::test]
async fn one_terminal_too_many_gets_an_off_line_status() {
    let settings = Settings { terminals: 2, ..Settings::default() };
    let checks = SelfChecks::with(settings).await;
    let (mut first, second) = (checks.signed_in().await, checks.signed_in().await);
    let mut third = checks.terminal().await;
    let answer = third.hear().await.expect("a word");
    let answer = String::from_utf8(answer).expect("UTF-8");
    assert!(answer.starts_with("98NNNNNN000000"), "{answer}");
    assert_eq!(field(&answer, "AF"), Some("Too many terminals are connected."));
    // The answer has the required fields of a status.
    assert_eq!(field(&answer, "AO"), Some(""));
    assert_eq!(field(&answer, "BX"), Some("NNNNNNNNNNNNNNNN"));
    assert!(third.is_over().await);
    assert!(first.ask("9900802.00").await.starts_with("98Y"));
    // A disconnect frees a place at once.
    drop(second);
    let mut fourth = checks.terminal().await;
    for _ in 0..200 {
        if fourth.try_ask(LOG_IN).await.as_deref() == Some("941") {
            return;
        }
        fourth = checks.terminal().await;
    }
    panic!("the place was never free");
}
