//! Files of imports that are bombs, point elsewhere or are broken, for each type of import: their job fails with file, line and
//! reason, nothing is saved, and nothing outside the file is read.

use std::io::Write;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::*;

const JOBS: &str = "/repositories/2/jobs";
/// The types of imports that read XML; finding aids in both of their versions.
const OF_XML: [(&str, Shape); 7] = [
    ("ead_xml", Shape::Ead2002),
    ("ead_xml", Shape::Ead3),
    ("marcxml", Shape::Marc),
    ("marcxml_accession", Shape::Marc),
    ("marcxml_subjects_and_agents", Shape::Marc),
    ("marcxml_auth_agent", Shape::Authority),
    ("eac_xml", Shape::Eac),
];
/// The types that read tables, with a table of one row; `TEXT` stands for any text.
const OF_TABLES: [(&str, &str); 5] = [
    ("accession_csv", "accession_title,accession_number_1,accession_accession_date\nTEXT,2,2020-01-01\n"),
    (
        "assessment_csv",
        "basic,basic,basic,basic\nRecord,Surveyed by,Survey begin,Purpose\naccession 1,surveyor,2005-12-31,TEXT\n",
    ),
    ("digital_object_csv", "digital_object_id,digital_object_title\nd1,TEXT\n"),
    ("location_csv", "location_building,location_coordinate_1_label,location_coordinate_1_indicator\nTEXT,Shelf,4\n"),
    ("subject_csv", "term_1,term_type_1,subject_source\nTEXT,topical,local\n"),
];
/// What imports make.
const MADE: [&str; 10] = [
    "/repositories/2/resources",
    "/repositories/2/archival_objects",
    "/repositories/2/accessions",
    "/repositories/2/assessments",
    "/repositories/2/digital_objects",
    "/repositories/2/events",
    "/agents/people",
    "/agents/corporate_entities",
    "/subjects",
    "/locations",
];

/// What an XML file is about.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Ead2002,
    Ead3,
    Marc,
    Authority,
    Eac,
}

impl Shape {
    /// A file with this where it has text.
    fn file(self, declarations: &str, text: &str) -> Vec<u8> {
        let begin = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{declarations}\n");
        let field =
            |tag: &str, fields: &str| format!("<datafield tag=\"{tag}\" ind1=\"1\" ind2=\"0\">{fields}</datafield>");
        let part = |code: &str, text: &str| format!("<subfield code=\"{code}\">{text}</subfield>");
        let rest = match self {
            Self::Ead2002 => format!(
                "<ead><eadheader><eadid>x</eadid></eadheader>\n<archdesc level=\"collection\"><did><unitid>MS1</unitid>\
                 <unittitle>Papers</unittitle><unitdate normal=\"1900/1910\">1900-1910</unitdate><physdesc><extent>3 Linear \
                 Feet</extent></physdesc></did>\n<scopecontent><p>{text}</p></scopecontent><dsc><c level=\"file\"><did>\
                 <unittitle>A file</unittitle></did></c></dsc></archdesc></ead>"
            ),
            Self::Ead3 => format!(
                "<ead xmlns=\"http://ead3.archivists.org/schema/\"><control><recordid>x</recordid></control>\n\
                 <archdesc level=\"collection\"><did><unitid>MS1</unitid><unittitle>Papers</unittitle><unitdatestructured>\
                 <daterange><fromdate standarddate=\"1900\">1900</fromdate><todate standarddate=\"1910\">1910</todate>\
                 </daterange></unitdatestructured><physdescstructured physdescstructuredtype=\"materialtype\" \
                 coverage=\"whole\"><quantity>3</quantity><unittype>Linear Feet</unittype></physdescstructured></did>\n\
                 <scopecontent><p>{text}</p></scopecontent></archdesc></ead>"
            ),
            Self::Marc => format!(
                "<collection>\n<record><leader>00000npc a2200000 u 4500</leader>\n{}{}{}{}{}{}</record></collection>",
                "<controlfield tag=\"008\">130109i19601970xx                  eng d</controlfield>",
                field("099", &part("a", "MS 1")),
                field("245", &part("a", "Papers")),
                field("300", &part("a", "5.0 Linear Feet")),
                field("520", &part("a", text)),
                field("650", &part("a", "Letters")),
            ),
            Self::Authority => format!(
                "<collection>\n<record><leader>00000nz  a2200000n  4500</leader>\n<controlfield tag=\"001\">n1</controlfield>\
                 {}{}</record></collection>",
                field("100", &part("a", "Davis, John")),
                field("678", &part("a", text)),
            ),
            Self::Eac => format!(
                "<eac-cpf>\n<control><recordId>r1</recordId></control><cpfDescription><identity><entityType>person</entityType>\n\
                 <nameEntry><part>Writer</part><authorizedForm>local</authorizedForm></nameEntry></identity><description>\
                 <biogHist><p>{text}</p></biogHist></description></cpfDescription></eac-cpf>"
            ),
        };
        (begin + &rest).into_bytes()
    }
}

/// Runs an import of a file; returns its status and its log.
async fn import(archives: &Archives, kind: &str, tolerant: bool, file: &[u8]) -> (String, String) {
    let mut job = json!({"job": {"jsonmodel_type": "import_job", "filenames": ["f.xml"], "import_type": kind}});
    if tolerant {
        job["job_params"] = json!({"tolerant": true}).to_string().into();
    }
    let mut body =
        format!("--xx\r\nContent-Disposition: form-data; name=\"job\"\r\n\r\n{job}\r\n--xx\r\n").into_bytes();
    body.extend(b"Content-Disposition: form-data; name=\"files[0]\"; filename=\"f.xml\"\r\n\r\n");
    body.extend(file);
    body.extend(b"\r\n--xx--\r\n");
    let client = archives.admin.with_header("content-type", "multipart/form-data; boundary=xx");
    let job = uri(&client.send(Method::POST, &format!("{JOBS}_with_files"), Some(body)).await.expect(200));
    archives.library.run_jobs().await;
    let status = archives.get(&job).await["status"].as_str().unwrap_or_default().to_owned();
    (status, archives.admin.get(&format!("{job}/log")).await.expect(200).text)
}

/// Makes what rows of assessments refer to.
async fn surveyed() -> Archives {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    archives.add(&format!("{repository}/accessions"), &json!({"id_0": "1", "title": "Boxes"})).await;
    let surveyor = json!({"username": "surveyor", "name": "Sur Veyor"});
    archives.admin.post("/users?password=a+good+long+password", &surveyor).await.expect(200);
    archives
}

/// How many records there are of everything that imports make.
async fn counted(archives: &Archives) -> Vec<usize> {
    let mut all = Vec::new();
    for path in MADE {
        all.push(archives.get(&format!("{path}?all_ids=true")).await.as_array().map_or(0, Vec::len));
    }
    all
}

/// Asserts that an import of each file fails and says where, that nothing of it is left, and that the good file is imported.
async fn all_fail(archives: &Archives, kind: &str, files: &[(&str, Vec<u8>)], good: &[u8]) {
    let before = counted(archives).await;
    for (what, file) in files {
        let (status, log) = import(archives, kind, false, file).await;
        let said = format!("{kind}, {what}: {log:.2000}");
        assert_eq!(status, "failed", "{said}");
        assert!(log.contains("IMPORT ERROR") && log.contains("f.xml, line "), "{said}");
        let reason = log.rsplit("f.xml, line ").next().and_then(|rest| rest.split_once(": "));
        assert!(reason.is_some_and(|(_, reason)| !reason.trim().is_empty()) && log.len() < 10_000, "{said}");
    }
    assert_eq!(counted(archives).await, before, "{kind}: something half-imported is left");
    let (status, log) = import(archives, kind, false, good).await;
    assert_eq!(status, "completed", "{kind}: {log}");
    assert_ne!(counted(archives).await, before, "{kind}");
}

#[tokio::test]
async fn bombs_and_broken_files_of_xml_fail_with_a_reason() {
    let mut laughs = "<!DOCTYPE ead [<!ENTITY l0 \"ha\">".to_owned();
    for level in 1..12 {
        laughs += &format!("<!ENTITY l{level} \"{}\">", format!("&l{};", level - 1).repeat(10));
    }
    laughs += "]>";
    let circle = "<!DOCTYPE ead [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>";
    let wide = format!("<!DOCTYPE ead [<!ENTITY a \"{}\">]>", "ha ".repeat(20_000));
    let attributes: String = (0..20_000).map(|n| format!(" a{n}=\"\"")).collect();
    for (kind, shape) in OF_XML {
        let archives = surveyed().await;
        let whole = shape.file("", "a");
        let with = |text: &str| shape.file("", text);
        let place = whole.windows(2).position(|part| part == b"a<").expect("the text");
        let inside = |bytes: &[u8]| [&whole[..place], bytes, &whole[place..]].concat();
        let files: Vec<(&str, Vec<u8>)> = vec![
            ("billion laughs", shape.file(&laughs, "&l11;")),
            ("entities in a circle", shape.file(circle, "&a;")),
            ("a wide entity many times", shape.file(&wide, &"&a;".repeat(2_000))),
            ("an entity outside", shape.file("<!DOCTYPE ead [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>", "&a;")),
            ("deep text", with(&"<emph>".repeat(100_000))),
            ("deep text that ends", with(&("<emph>".repeat(100_000) + &"</emph>".repeat(100_000)))),
            ("elements without end", with(&"<a/>".repeat(600_000))),
            ("attributes without end", with(&format!("<emph{attributes}/>"))),
            ("a name without end", [b"<ead><".to_vec(), vec![b'a'; 3_000_000]].concat()),
            ("an attribute without end", [b"<ead a=\"".to_vec(), vec![b'a'; 3_000_000]].concat()),
            ("no UTF-8", inside(b"\xff\xfe\xfa")),
            ("a NUL", inside(b"\0")),
            ("a reference to NUL", inside(b"&#0;")),
            ("cut off", whole[..whole.len() - 12].to_vec()),
            ("empty", Vec::new()),
            ("only a declaration", b"<?xml version=\"1.0\"?>\n".to_vec()),
            ("a wrong root", b"<html><body><p>Papers</p></body></html>".to_vec()),
            ("JSON", b"{\"title\": 1}".to_vec()),
            ("an archive", b"PK\x03\x04\x14\0\0\0\x08\0".to_vec()),
            ("a wrong encoding", b"<?xml version=\"1.0\" encoding=\"UTF-16\"?><ead/>".to_vec()),
        ];
        all_fail(&archives, kind, &files, &whole).await;
    }
}

#[tokio::test]
async fn broken_tables_fail_with_a_reason() {
    let archives = surveyed().await;
    for (kind, table) in OF_TABLES {
        let whole = table.replace("TEXT", "Papers");
        let with = |bytes: &[u8]| {
            let (before, after) = table.split_once("TEXT").expect("a place");
            // The row that breaks comes after one that does not.
            let twice = format!("{before}Papers{after}{}", before.rsplit('\n').next().unwrap_or_default());
            [twice.as_bytes(), bytes, after.as_bytes()].concat()
        };
        let (names, _) = table.split_once('\n').expect("names");
        let files: Vec<(&str, Vec<u8>)> = vec![
            ("no UTF-8", with(b"\xff\xfe\xfa")),
            ("names that are no UTF-8", [names.as_bytes(), b",\xff\n", whole.as_bytes()].concat()),
            ("a NUL", with(b"a\0b")),
            ("a quote that is never closed", with(&[b"\"".to_vec(), vec![b'a'; 5_000_000]].concat())),
            ("empty", Vec::new()),
            ("blank lines", b"\n\r\n , ,\n".to_vec()),
            ("XML", b"<?xml version=\"1.0\"?>\n<ead/>\n".to_vec()),
            ("JSON", b"{\"title\": 1}\n{\"title\": 2}\n".to_vec()),
            ("an archive", b"PK\x03\x04\x14\0\0\0\x08\0\n".to_vec()),
            ("a wide character set", b"\xff\xfet\0e\0r\0m\0_\x001\0\n\0".to_vec()),
        ];
        all_fail(&archives, kind, &files, whole.as_bytes()).await;
    }
}

#[tokio::test]
async fn every_type_of_import_is_attacked() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut all = texts(&archives.get(&format!("{JOBS}/import_types")).await, "name");
    all.sort();
    let mut attacked: Vec<_> = OF_XML.iter().map(|(kind, _)| *kind).chain(OF_TABLES.map(|(kind, _)| kind)).collect();
    attacked.sort_unstable();
    attacked.dedup();
    assert_eq!(all, attacked);
}

/// A file of 500 MB that is made while it is sent.
#[tokio::test]
async fn a_file_that_is_too_large_is_refused_before_it_is_read_to_its_end() {
    let archives = archives().await;
    archives.repository("A").await;
    let address = archives.library.archives.trim_start_matches("http://").to_owned();
    let login =
        log_in(&archives.library, "admin", &format!("password={}", PASSWORD.replace(' ', "+"))).await.expect(200);
    let session = login.json()["session"].as_str().expect("a session").to_owned();
    let mut connection = TcpStream::connect(&address).await.expect("a connection");
    let head = format!(
        "POST {JOBS}_with_files HTTP/1.1\r\nhost: {address}\r\nx-archivesspace-session: {session}\r\n\
         content-type: multipart/form-data; boundary=xx\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).await.expect("sent");
    let (mut reading, mut writing) = connection.split();
    let part = "<c level=\"file\"><did><unittitle>Letters</unittitle></did></c>".repeat(16_000);
    let sending = async {
        let mut sent = 0;
        while sent < 500_000_000 {
            let chunk = format!("{:x}\r\n{part}\r\n", part.len());
            // The server closes the connection.
            if writing.write_all(chunk.as_bytes()).await.is_err() {
                break;
            }
            sent += part.len();
        }
        sent
    };
    let answering = async {
        let mut answer = Vec::new();
        let mut some = [0; 4096];
        while let Ok(many @ 1..) = reading.read(&mut some).await {
            answer.extend(&some[..many]);
        }
        String::from_utf8_lossy(&answer).into_owned()
    };
    let (sent, answer) = tokio::join!(sending, answering);
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("\"error\""), "{answer}");
    assert!(sent < 500_000_000, "{sent} bytes were taken");
    assert_eq!(archives.get(&format!("{JOBS}?page=1")).await["total"], 0);
}

#[tokio::test]
async fn nothing_outside_a_file_is_read() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut elsewhere = tempfile::NamedTempFile::new().expect("a file");
    elsewhere.write_all(b"PASSWORDS-OF-THIS-MACHINE").expect("written");
    let path = elsewhere.path().to_string_lossy().into_owned();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let web = format!("http://{}/x", listener.local_addr().expect("an address"));
    let called = tokio::spawn(async move { listener.accept().await.is_ok() });
    for (kind, shape) in OF_XML {
        for tolerant in [false, true] {
            for place in [format!("file://{path}"), path.clone(), web.clone()] {
                for declarations in [
                    format!("<!DOCTYPE ead [<!ENTITY away SYSTEM \"{place}\">]>"),
                    format!("<!DOCTYPE ead [<!ENTITY % all SYSTEM \"{place}\"> %all; <!ENTITY away \"&all;\">]>"),
                    format!("<!DOCTYPE ead PUBLIC \"x\" \"{place}\" [<!ENTITY away PUBLIC \"x\" \"{place}\">]>"),
                    format!("<!DOCTYPE ead SYSTEM \"{place}\">"),
                ] {
                    let include =
                        format!("&away;<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"{place}\"/>");
                    let (_, log) = import(&archives, kind, tolerant, &shape.file(&declarations, &include)).await;
                    assert!(!log.contains("PASSWORDS"), "{kind}, {declarations}: {log}");
                }
            }
        }
    }
    assert!(!called.is_finished(), "an import called another server");
    called.abort();
    for path in MADE {
        for id in archives.get(&format!("{path}?all_ids=true")).await.as_array().into_iter().flatten() {
            let saved = archives.get(&format!("{path}/{id}")).await.to_string();
            assert!(!saved.contains("PASSWORDS"), "{saved}");
        }
    }
}
