//! A cluster loses its primary: Carrel switches to the promoted standby, and no acknowledged change is lost.

use std::time::Instant;

use super::kill::{Desk, compare, killed_during_check_outs, make_library_in};
use super::servers::{Server, url};
use super::support::{Carrel, carrel, command, data_dir, send};

fn command_at(unused: &std::path::Path, url: &str) -> std::process::Command {
    let mut command = command(unused);
    command.env("CARREL_DATABASE_URL", url);
    command
}

#[tokio::test]
async fn a_lost_primary_is_followed_by_its_standby_without_a_lost_loan() {
    let (dir, primary) = (data_dir(), Server::primary().await);
    let unused = dir.path().join("unused");
    make_library_in(&["--database-url", &url(&[&primary])]);
    let standby = primary.standby().await;

    // Carrel waits for a lone standby, as long as the setting says.
    let alone = url(&[&standby]);
    let mut hasty = command_at(&unused, &alone);
    let refused = hasty.arg("--database-wait-seconds=1").output();
    let text = String::from_utf8_lossy(&refused.expect("it runs").stderr).into_owned();
    assert!(text.contains("it is a standby") && text.contains("Promote it"), "{text}");
    let waiting = Carrel::spawn(command_at(&unused, &alone));
    let text = waiting.line_with("waiting for a database that takes changes");
    assert!(text.contains("it is a standby"), "{text}");
    let examined = carrel(&unused, &["doctor", "--database-url", &alone]);
    let text = String::from_utf8_lossy(&examined.stdout).into_owned();
    assert!(text.contains("The database is a standby"), "{text}");

    let both = url(&[&primary, &standby]) + "?target_session_attrs=read-write";
    let carrel = Carrel::start_with(command_at(&unused, &both));
    let loans = killed_during_check_outs(&carrel, primary.process_id()).await;
    let text = carrel.until("/readyz", 503).await;
    assert!(!text.is_empty());
    let began = Instant::now();
    standby.promote().await;
    carrel.until("/readyz", 200).await;
    println!("{:?} after the promotion the desk works", began.elapsed());
    compare(&carrel, &loans).await;
    let desk = Desk::open(&carrel).await;
    let items = "/item-storage/items?limit=5&query=status.name==Available";
    assert!(!desk.barcodes(items, "items").await.is_empty());

    let waiting = waiting.ready();
    assert_eq!(waiting.status("/readyz").await, Some(200));
    assert!(waiting.stop("TERM").success() && carrel.stop("TERM").success());
}

#[tokio::test]
async fn a_frozen_server_does_not_block_the_others_and_is_abandoned() {
    let (dir, frozen) = (data_dir(), Server::primary().await);
    let healthy = Server::primary().await;
    let unused = dir.path().join("unused");
    send("STOP", frozen.process_id());

    let both = url(&[&frozen, &healthy]) + "?target_session_attrs=read-write";
    let carrel = Carrel::start_with(command_at(&unused, &both));
    assert_eq!(carrel.status("/readyz").await, Some(200));
    assert!(carrel.stop("TERM").success());

    let mut hasty = command_at(&unused, &url(&[&frozen]));
    let refused = hasty.arg("--database-wait-seconds=1").output();
    let text = String::from_utf8_lossy(&refused.expect("it runs").stderr).into_owned();
    assert!(text.contains("the server does not answer"), "{text}");
}
