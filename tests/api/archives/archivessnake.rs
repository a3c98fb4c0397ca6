//! ArchivesSnake, the Python client that archivists use, talks to Carrel (contract 10): the conversations are in
//! `tests/archivessnake`.

use std::{path::Path, process::Command};

use super::{PASSWORD, archives, user};

/// Holds a conversation with an empty library.
async fn hold(conversation: &'static str) {
    let archives = archives().await;
    user(&archives.library, "reader", &[]).await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = root.join(".carrel/python/bin/python");
    assert!(python.exists(), "ArchivesSnake is missing: make setup-test");
    let mut client = Command::new(python);
    client.arg(root.join("tests/archivessnake/conversations.py")).arg(conversation);
    client.env("CARREL_URL", &archives.library.archives).env("CARREL_PASSWORD", PASSWORD);
    // The settings of the user who runs the tests are not ours.
    client.env("ASNAKE_CONFIG_FILE", root.join("tests/archivessnake/no-settings.yml")).env("NO_PROXY", "127.0.0.1");
    let held = tokio::task::spawn_blocking(move || client.output()).await.expect("no panic").expect("python");
    assert!(
        held.status.success(),
        "{conversation}: {}{}",
        String::from_utf8_lossy(&held.stdout),
        String::from_utf8_lossy(&held.stderr)
    );
}

macro_rules! conversations {
    ($($name:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                hold(stringify!($name)).await;
            }
        )*

        #[test]
        fn every_conversation_is_held() {
            let text = include_str!("../../archivessnake/conversations.py");
            let list = text.split_once("CONVERSATIONS = [").and_then(|(_, rest)| rest.split_once(']'));
            let (list, _) = list.expect("the list of conversations");
            let listed: Vec<&str> = list.split([',', '\n', ' ']).filter(|name| !name.is_empty()).collect();
            assert_eq!(listed, [$(stringify!($name)),*]);
        }
    };
}

conversations! {
    log_in walk_repositories walk_trees look_up page change be_refused search authorities export
}
