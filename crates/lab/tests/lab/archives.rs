//! Tests of the shipped workload for ArchivesSpace.

use crate::{
    stub::{Behaviour, Stub},
    support::{named, only, shipped},
};

#[tokio::test(flavor = "multi_thread")]
async fn resources_are_browsed_viewed_expanded_and_exported() {
    let stub = Stub::start(Behaviour::default()).await;
    let results = shipped("archives", &stub.url, |options| options.transactions = Some(60)).await.expect("measured");
    let stage = only(&results);
    let count = |name: &str| named(&stage.transactions, name).count;
    let counts = ["Browse resources", "View a resource", "Expand a tree", "Export EAD"].map(count);
    assert_eq!(counts, [20, 20, 15, 5]);
    assert!(results.warnings.is_empty(), "{:?}", results.warnings);
    let browse = named(&stage.requests, "GET resources");
    let statements = browse.statements.expect("the stub says how many");
    assert_eq!((statements.mean, statements.max), (3120.0, 3120));
    let export = named(&stage.requests, "GET EAD");
    assert_eq!((export.count, export.bytes, export.statements), (5, 50_000, None));
    // A resource without components has no node to read.
    let (node, root) = (named(&stage.requests, "GET node of the tree").count, count("Expand a tree"));
    assert!(node > 0 && node < root, "{node} of {root}");
    assert_eq!(results.target.product.as_deref(), Some("ArchivesSpace"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_user_is_refused_with_the_servers_text() {
    let stub = Stub::start(Behaviour::default()).await;
    let refused = shipped("archives", &stub.url, |options| options.credentials.user = "nobody".to_owned()).await;
    let error = refused.expect_err("refused");
    assert!(error.to_string().contains("refuses the log-in of \"nobody\": 403 Login failed"), "{error}");
    assert_eq!(error.exit_code(), 3);
}
