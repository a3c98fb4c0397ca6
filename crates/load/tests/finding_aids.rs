//! Finding aids, loaded into a real database and written again.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use load::{
    finding_aids::{Export, Load, Report, Tell, export, load},
    progress::Unwatched,
};
use serde_json::json;
use testkit::{Client, Library};

fn aid(id: &str, date: &str, components: usize) -> String {
    let nodes: String = (0..components)
        .map(|n| {
            format!(
                "<c level=\"file\" id=\"c{n}\"><did><unittitle>File {n}, <emph render=\"italic\">one</emph></unittitle>\
                 <container type=\"box\" label=\"Mixed Materials\">{}</container></did></c>",
                n / 3
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?><ead xmlns=\"urn:isbn:1-931666-22-9\"><eadheader><eadid>{id}</eadid></eadheader>\
         <archdesc level=\"collection\"><did><unitid>{id}</unitid><unittitle>Papers</unittitle>{date}\
         <physdesc><extent>3 Linear Feet</extent></physdesc><origination><persname source=\"local\">Writer, A.</persname>\
         </origination></did><dsc>{nodes}</dsc></archdesc></ead>"
    )
}

const DATE: &str = "<unitdate normal=\"1900/1910\">1900-1910</unitdate>";

/// A library with the repositories A and B.
async fn library() -> Library {
    let library = testkit::library().await;
    let (id, password) = ("11111111-1111-4111-8111-111111111111", "a good long password");
    let user = json!({"id": id, "username": "admin", "active": true, "personal": {"lastName": "Archivist"}});
    library.open.create("/users", &user).await;
    let credentials = json!({"username": "admin", "password": password});
    library.open.post("/authn/credentials", &credentials).await.expect(201);
    library.open.create("/perms/users", &json!({"userId": id, "permissions": ["perms.all"]})).await;
    let client = Client::new(&library.archives, &[]).of_archives();
    let path = format!("/users/admin/login?password={}", password.replace(' ', "+"));
    let answer = client.post(&path, &json!({})).await.expect(200);
    let secret = answer.json()["session"].as_str().unwrap().to_owned();
    let client = client.with_header("x-archivesspace-session", &secret);
    for code in ["A", "B"] {
        client.post("/repositories", &json!({"repo_code": code, "name": code})).await.expect(200);
    }
    library
}

async fn load_into(library: &Library, repository: &str, folder: &Path, tolerant: bool) -> (Report, Vec<String>) {
    let tenant = library.app.tenant(library.tenant).unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&lines);
    let tell: Tell = Arc::new(move |line| told.lock().unwrap().push(line.to_owned()));
    let how = Load { repository: repository.to_owned(), tolerant, at_once: 4, folder: None };
    let report = load(&library.app, &tenant, &[folder.to_owned()], &how, &Unwatched, &tell).await.unwrap();
    let lines = lines.lock().unwrap().clone();
    (report, lines)
}

async fn write(library: &Library, repository: &str, folder: &Path) -> BTreeMap<PathBuf, String> {
    let tenant = library.app.tenant(library.tenant).unwrap();
    let what = Export { repository: repository.to_owned(), include_unpublished: true, ead3: false };
    export(&library.app, &tenant, folder, &what, &Unwatched).await.unwrap();
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().into(), fs::read_to_string(&path).unwrap())).collect()
}

/// Without what is different each time: numbers of records, and when the file was made.
fn stable(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '<']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let until = if rest.starts_with("/repositories/") {
            rest.find(['"', '<'])
        } else if rest.starts_with("<date>") {
            rest.find("</date>")
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
            continue;
        };
        rest = &rest[until.unwrap_or(rest.len())..];
    }
    out + rest
}

#[tokio::test(flavor = "multi_thread")]
async fn finding_aids_are_loaded_once_and_written_again() {
    let library = library().await;
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    fs::create_dir(&below).unwrap();
    for n in 0..6 {
        fs::write(below.join(format!("{n}.xml")), aid(&format!("MS{n}"), DATE, 10)).unwrap();
    }
    fs::write(folder.path().join("undated.xml"), aid("MS7", "", 2)).unwrap();
    fs::write(folder.path().join("notes.txt"), "no finding aid").unwrap();
    let (report, lines) = load_into(&library, "A", folder.path(), false).await;
    assert_eq!(report, Report { loaded: 6, known: 0, refused: 1, components: 60, repairs: 0 });
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("refused ") && lines[0].contains("undated.xml, line 1, MS7: dates"), "{lines:?}");
    // Once more loads what is left.
    let (report, lines) = load_into(&library, "A", folder.path(), true).await;
    assert_eq!(report, Report { loaded: 1, known: 6, refused: 0, components: 2, repairs: 1 });
    assert!(lines[0].starts_with("repaired ") && lines[0].ends_with("became `undated`"), "{lines:?}");
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let written = write(&library, "A", first.path()).await;
    assert_eq!(written.len(), 7);
    assert_eq!(written[Path::new("ms3.xml")].matches("<c ").count(), 10);
    // What was written goes in again, and comes out the same.
    let (report, lines) = load_into(&library, "B", first.path(), false).await;
    assert_eq!((report.loaded, report.components), (7, 62), "{lines:?}");
    let again = write(&library, "B", second.path()).await;
    assert_eq!(written.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn links_that_lead_nowhere_or_in_circles_stop_nothing() {
    let library = library().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.xml"), aid("MS1", DATE, 1)).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("b.xml")).unwrap();
    std::os::unix::fs::symlink(".", folder.path().join("round")).unwrap();
    fs::write(folder.path().join("c.xml"), aid("MS2", DATE, 1)).unwrap();
    let (report, lines) = load_into(&library, "A", folder.path(), false).await;
    assert_eq!((report.loaded, report.refused), (2, 1), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("refused") && line.contains("b.xml")), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a folder of real finding aids, named by CARREL_FINDING_AIDS"]
async fn a_folder_of_real_finding_aids_comes_out_as_it_went_in() {
    let library = library().await;
    let folder = PathBuf::from(std::env::var("CARREL_FINDING_AIDS").unwrap());
    let began = std::time::Instant::now();
    let (report, lines) = load_into(&library, "A", &folder, true).await;
    println!("{report:?} in {:?}", began.elapsed());
    let refused: Vec<_> = lines.iter().filter(|line| line.starts_with("refused")).collect();
    println!("{refused:#?}");
    // The second and third time must be alike: the first may lose what records do not have.
    let [first, second, third] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    write(&library, "A", first.path()).await;
    let (report, lines) = load_into(&library, "B", first.path(), true).await;
    let refused: Vec<_> = lines.iter().filter(|line| line.starts_with("refused")).collect();
    println!("{report:?} {refused:#?}");
    let b = write(&library, "B", second.path()).await;
    let other = self::library().await;
    let (report, _) = load_into(&other, "B", second.path(), true).await;
    println!("{report:?}");
    let c = write(&other, "B", third.path()).await;
    for (name, text) in &b {
        let again = c.get(name).map(|text| stable(text));
        if again.as_deref() != Some(&stable(text)) {
            println!("{} is different", name.display());
        }
    }
    assert_eq!(report.refused, 0);
}
