//! A database that is read-only for a while, as after a fail-over that left connections to the old primary.

use super::kill::{Desk, make_library_in};
use super::servers::{Server, url};
use super::support::{Carrel, command, data_dir};

#[tokio::test]
async fn a_read_only_database_is_reported_its_connections_are_dropped_and_the_desk_goes_on() {
    let (dir, server) = (data_dir(), Server::primary().await);
    let url = url(&[&server]);
    make_library_in(&["--database-url", &url]);
    let mut command = command(&dir.path().join("unused"));
    command.env("CARREL_DATABASE_URL", &url);
    let carrel = Carrel::start_with(command);
    let desk = Desk::open(&carrel).await;
    let items = "/item-storage/items?limit=50&query=status.name==Available";
    let items = desk.barcodes(items, "items").await;
    let patrons = desk.barcodes("/users?limit=50&query=active==true", "users").await;

    // New connections are read-only for as long as they live.
    let client = server.connect().await;
    let connect_anew = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE application_name = 'carrel' AND pid <> pg_backend_pid()";
    for statement in ["ALTER ROLE carrel SET default_transaction_read_only = on", connect_anew] {
        client.batch_execute(statement).await.expect("it runs");
    }
    let text = carrel.until("/readyz", 503).await;
    assert!(text.contains("takes no changes"), "{text}");
    let (status, text) = desk.try_check_out(&items[0], &patrons[0]).await.expect("an answer");
    assert_eq!(status, 503, "{text}");
    assert!(text.contains("takes no changes"), "{text}");
    desk.barcodes("/users?limit=5", "users").await;

    let reset = "ALTER ROLE carrel RESET default_transaction_read_only";
    client.batch_execute(reset).await.expect("it runs");
    carrel.until("/readyz", 200).await;
    let mut lent = None;
    for (item, patron) in items.iter().zip(&patrons) {
        lent = lent.or(desk.check_out(item, patron).await);
    }
    assert!(lent.is_some(), "the desk lends again");
    assert!(carrel.stop("TERM").success());
}
