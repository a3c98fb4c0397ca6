//! Many clients lend and return the copies of one title while others ask for them: nothing is lent against a request that
//! was placed before, and no conflict of locks reaches a client.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::Answer;

use super::disagreements;
use crate::circulation::{
    lending_library::{LendingLibrary, id},
    webhooks,
};

const COPIES: usize = 6;
const ROUNDS: usize = 4;

/// Whether it succeeded; otherwise it must have been refused, for a reason of the library.
fn done(answer: &Answer, good: u16) -> bool {
    let refused = answer.status == 422;
    assert!(answer.status == good || refused, "{}: {}", answer.status, answer.text);
    answer.status == good
}

async fn titles() -> (LendingLibrary, Vec<String>, Vec<String>) {
    let library = webhooks::library().await;
    library.allow_titles().await;
    let (mut items, mut readers) = (Vec::new(), Vec::new());
    for copy in 0..COPIES {
        items.push(library.item(&format!("i-{copy}"), json!({})).await);
        library.patron(&format!("p-{copy}"), json!({})).await;
        readers.push(library.patron(&format!("r-{copy}"), json!({})).await);
    }
    (library, items, readers)
}

async fn cancel(library: &LendingLibrary, request: &Value) {
    let path = format!("/circulation/requests/{}", id(request));
    library.desk.delete(&path).await.expect(204);
}

/// Returns what is on loan and cancels what is asked for, so that every copy is available.
async fn put_back(library: &LendingLibrary) {
    let waiting = library.desk.query("/request-storage/requests?limit=100", "status==\"Open*\"").await.json();
    for request in waiting["requests"].as_array().expect("requests") {
        cancel(library, request).await;
    }
    for copy in 0..COPIES {
        library.check_in(&format!("i-{copy}"), json!({})).await.expect(200);
    }
}

#[tokio::test]
async fn a_copy_is_either_lent_or_set_aside() {
    let (library, items, readers) = titles().await;
    let (mut lent, mut set_aside) = (0, 0);
    for round in 0..ROUNDS {
        // The copy is asked for as an item in one round, and as one of its title in the next.
        let races = (0..COPIES).map(|copy| {
            let (library, item, reader) = (&library, &items[copy], &readers[copy]);
            async move {
                let page = async {
                    match round % 2 {
                        0 => library.ask("Page", item, reader, json!({})).await,
                        _ => library.ask_title("Page", reader).await,
                    }
                };
                let (barcode, patron) = (format!("i-{copy}"), format!("p-{copy}"));
                let (paged, checked_out) = tokio::join!(page, library.check_out(&barcode, &patron, json!({})));
                let loan = done(&checked_out, 201).then(|| checked_out.json());
                let request = done(&paged, 201).then(|| paged.json());
                (loan, request)
            }
        });
        let outcomes = join_all(races).await;
        let on_loan: Vec<_> = outcomes.iter().filter_map(|(loan, _)| loan.as_ref()?["itemId"].as_str()).collect();
        let paged: Vec<_> = outcomes.iter().filter_map(|(_, request)| request.as_ref()?["itemId"].as_str()).collect();
        let both: Vec<_> = on_loan.iter().filter(|item| paged.contains(item)).collect();
        assert!(both.is_empty(), "lent although set aside for another: {both:?}");
        for item in &paged {
            assert_eq!(library.item_status(item).await, "Paged");
        }
        (lent, set_aside) = (lent + on_loan.len(), set_aside + paged.len());
        put_back(&library).await;
    }
    assert!(lent > 0 && set_aside > 0, "{lent} lent, {set_aside} set aside");
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_returned_copy_goes_to_whoever_asked_before() {
    let (library, items, readers) = titles().await;
    let mut waited = 0;
    for round in 0..ROUNDS {
        for copy in 0..COPIES {
            library.check_out(&format!("i-{copy}"), &format!("p-{copy}"), json!({})).await.expect(201);
        }
        let races = (0..COPIES).map(|copy| {
            let (library, item, reader) = (&library, &items[copy], &readers[copy]);
            async move {
                let hold = async {
                    match round % 2 {
                        0 => library.ask("Hold", item, reader, json!({})).await,
                        _ => library.ask_title("Hold", reader).await,
                    }
                };
                let barcode = format!("i-{copy}");
                let (held, returned) = tokio::join!(hold, library.check_in(&barcode, json!({})));
                returned.expect(200);
                usize::from(done(&held, 201))
            }
        });
        let placed: usize = join_all(races).await.into_iter().sum();
        // Each copy that returns after a request was placed waits for it; each request placed after all copies were back
        // would have been refused.
        let on_shelf =
            library.desk.query("/item-storage/items?limit=0", "status.name==\"Awaiting pickup\"").await.json();
        let on_shelf = on_shelf["totalRecords"].as_u64().expect("a number");
        let open = library.desk.query("/request-storage/requests?limit=0", "status==\"Open - Awaiting pickup\"").await;
        assert_eq!(open.json()["totalRecords"], on_shelf);
        if round % 2 == 0 {
            assert_eq!(on_shelf, placed as u64, "a copy that someone waits for is on the shelf");
        }
        waited += placed;
        put_back(&library).await;
    }
    assert!(waited > 0);
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
}

#[tokio::test]
async fn no_deadlock_reaches_a_client() {
    let (library, items, readers) = titles().await;
    let lend = (0..COPIES).map(|client| {
        let library = &library;
        async move {
            let mut lent = 0;
            for step in 0..8 {
                let barcode = format!("i-{}", (client + step) % COPIES);
                let checked_out = library.check_out(&barcode, &format!("p-{client}"), json!({})).await;
                lent += usize::from(done(&checked_out, 201));
                done(&library.check_in(&barcode, json!({})).await, 200);
            }
            lent
        }
    });
    let ask = (0..COPIES).map(|client| {
        let (library, items, reader) = (&library, &items, &readers[client]);
        async move {
            let mut placed = 0;
            for step in 0..8 {
                let kind = ["Page", "Hold", "Recall"][(client + step) % 3];
                let answer = match step % 2 {
                    0 => library.ask(kind, &items[(client * 5 + step) % COPIES], reader, json!({})).await,
                    _ => library.ask_title(kind, reader).await,
                };
                if done(&answer, 201) {
                    placed += 1;
                    cancel(library, &answer.json()).await;
                }
            }
            placed
        }
    });
    let (lent, placed): (Vec<usize>, Vec<usize>) = tokio::join!(join_all(lend), join_all(ask));
    assert!(lent.iter().sum::<usize>() > 0 && placed.iter().sum::<usize>() > 0, "{lent:?} {placed:?}");
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_module_begins_and_ends_to_listen_while_the_desk_works() {
    let (library, ..) = titles().await;
    let lend = (0..COPIES).map(|copy| {
        let (library, barcode, patron) = (&library, format!("i-{copy}"), format!("p-{copy}"));
        async move {
            for _ in 0..8 {
                library.check_out(&barcode, &patron, json!({})).await.expect(201);
                library.check_in(&barcode, json!({})).await.expect(200);
            }
        }
    });
    let listen = async {
        for _ in 0..4 {
            let hook = webhooks::listen(&library, &["ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"]).await;
            let path = format!("/pubsub/messaging-modules?moduleId={}&moduleRole=SUBSCRIBER", webhooks::MODULE);
            library.desk.delete(&path).await.expect(204);
            drop(hook);
        }
    };
    tokio::join!(join_all(lend), listen);
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
}
