//! Jobs with spreadsheets (contract 3.5): components, digital objects, containers, and changes of components.

use super::*;

const JOBS: &str = "/repositories/2/jobs";
const BOUNDARY: &str = "xxBOUNDARYxx";
const MARKER: &str = "ArchivesSpace field code (please don't edit this row)";
const DIGITAL: &str = "ArchivesSpace digital object import field codes";

impl Archives {
    /// Runs a job with a file to its end; returns its address and its record.
    async fn run_with_file(&self, work: Value, parameters: Value, file: &[u8]) -> (String, Value) {
        let job = json!({"jsonmodel_type": "job", "job": work, "job_params": parameters.to_string()});
        let head = |name: &str| {
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"f\"\r\n\r\n")
        };
        let mut body =
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"job\"\r\n\r\n{job}\r\n").into_bytes();
        body.extend(head("files[0]").into_bytes());
        body.extend(file);
        body.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
        let client = self.admin.with_header("content-type", &format!("multipart/form-data; boundary={BOUNDARY}"));
        let job = uri(&client.send(Method::POST, &format!("{JOBS}_with_files"), Some(body)).await.expect(200));
        self.library.run_jobs().await;
        let done = self.get(&job).await;
        (job, done)
    }

    async fn log(&self, job: &str) -> String {
        self.admin.get(&format!("{job}/log")).await.expect(200).text
    }

    /// The file that a job made.
    async fn made(&self, job: &str) -> String {
        let files = self.get(&format!("{job}/output_files")).await;
        let last = files.as_array().and_then(|files| files.last()).expect("a file").clone();
        self.admin.get(&format!("{job}/output_files/{last}")).await.expect(200).text
    }

    async fn records(&self, job: &str) -> Vec<String> {
        let found = self.get(&format!("{job}/records?page=1&page_size=50")).await;
        let records = found["results"].as_array().expect("a list").iter();
        records.map(|one| one["record"]["ref"].as_str().expect("an address").to_owned()).collect()
    }

    /// A repository with a resource whose EAD ID is MS1.
    async fn papers(&self) -> String {
        self.repository("A").await;
        let mut papers = resource("1");
        papers["ead_id"] = "MS1".into();
        self.add("/repositories/2/resources", &papers).await
    }
}

fn bulk_import(kind: &str, format: &str, only_validate: bool) -> Value {
    json!({"jsonmodel_type": "bulk_import_job", "resource_id": "1", "filename": "sheet", "load_type": kind,
        "content_type": format, "format": format, "only_validate": only_validate.to_string()})
}

fn csv(marker: &str, codes: &str, data: &[&str]) -> Vec<u8> {
    let lines: Vec<String> = data.iter().map(|line| format!(",{line}\n")).collect();
    format!("{marker},{codes}\nField name,for people\n{}", lines.concat()).into_bytes()
}

/// A workbook whose sheet has these rows.
fn workbook(name: &str, rows: &[Vec<String>]) -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.set_name(name).expect("a name");
    for (row, cells) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(cells) {
            sheet.write(row, column, cell).expect("a cell");
        }
    }
    workbook.save_to_buffer().expect("a workbook")
}

const CODES: &str = "ead,ref_id,title,hierarchy,level,publish,begin,extent_type,number,cont_instance_type,type_1,indicator_1,\
                     barcode,digital_object_id,digital_object_publish,rep_file_uri,people_agent_header_1,subject_1_term,\
                     n_scopecontent";
const ROWS: [&str; 3] = [
    "MS1,s1,Letters,1,Series,TRUE,1900,Linear Feet,2,Mixed Materials,Box,1,b1,,,,\"Writer, A\",Correspondence,Much",
    "MS1,,To a friend,2,File,f,1901,,,Mixed Materials,Box,1,b1,scan1,TRUE,http://a.b,\"Writer, A\",Correspondence,",
    "MS1,,To nobody,2,File,,,,,Photographs of him,Crate,7,,,,,,,",
];

#[tokio::test]
async fn components_are_made_from_a_table() {
    let archives = archives().await;
    let papers = archives.papers().await;
    let sheet = csv(MARKER, CODES, &ROWS);
    let (job, done) = archives.run_with_file(bulk_import("ao", "csv", false), json!({"rid": "1"}), &sheet).await;
    assert_eq!((&done["status"], &done["has_modified_records"]), (&json!("completed"), &json!(true)), "{done}");
    let records = archives.records(&job).await;
    assert_eq!(records.len(), 3, "the components alone");
    let series = archives.get(&records[0]).await;
    assert_eq!(
        (&series["ref_id"], &series["level"], &series["publish"]),
        (&json!("s1"), &json!("series"), &json!(true))
    );
    assert_eq!(
        (&series["dates"][0]["begin"], &series["extents"][0]["extent_type"]),
        (&json!("1900"), &json!("linear_feet"))
    );
    assert_eq!(series["notes"][0]["subnotes"][0]["content"], "Much");
    let file = archives.get(&records[1]).await;
    assert_eq!((&file["parent"]["ref"], &file["resource"]["ref"]), (&json!(records[0]), &json!(papers)));
    assert_eq!((&file["linked_agents"], &file["subjects"]), (&series["linked_agents"], &series["subjects"]));
    let held =
        |record: &Value, place: usize| record["instances"][place]["sub_container"]["top_container"]["ref"].clone();
    assert_eq!(held(&file, 0), held(&series, 0));
    let scan = archives.get(file["instances"][1]["digital_object"]["ref"].as_str().expect("an address")).await;
    assert_eq!((&scan["digital_object_id"], &scan["publish"]), (&json!("scan1"), &json!(true)));
    assert_eq!(scan["file_versions"][0]["file_uri"], "http://a.b");
    assert_eq!(scan["title"], "To a friend, 1901");
    // Lists of types of instances and containers get new values.
    let last = archives.get(&records[2]).await;
    assert_eq!(last["instances"][0]["instance_type"], "Photographs of him");
    let log = archives.log(&job).await;
    assert!(log.contains(&format!("Row 3: Created Archival Object 'Letters, 1900' {} s1", records[0])), "{log}");
    assert!(log.contains("Row 3:\tTop Container [box 1] created: /repositories/2/top_containers/"), "{log}");
    assert!(log.contains("The file has been processed") && log.contains("Completed import of sheet"), "{log}");
    let table = archives.made(&job).await;
    assert!(table.starts_with("Row,Status,Title,URI,Ref ID,Info or Error\n"), "{table}");
    assert!(table.contains(&format!("Row 3,,\"Letters, 1900\",{},s1\n", records[0])), "{table}");
    // Once more, below the first component: agents, subjects and containers are the same; the identifiers are taken.
    let (again, done) =
        archives.run_with_file(bulk_import("ao", "csv", false), json!({"rid": 1, "aoid": "1"}), &sheet).await;
    assert_eq!(done["status"], "completed");
    let log = archives.log(&again).await;
    assert!(log.contains("Row 3:\tERROR Problem with initial save of Letters"), "{log}");
    assert!(log.contains("ref_id: An Archival Object Ref ID must be unique to its resource"), "{log}");
    assert!(log.contains(
        "Row 4:\tERROR Row 4 will not be processed due to errors: The parent archival object was not created"
    ));
    assert_eq!(archives.records(&again).await, [""; 0]);
    for (kind, many) in [("subjects", 1), ("agents/people", 1)] {
        let all = archives.get(&format!("/{kind}?all_ids=true")).await;
        assert_eq!(all.as_array().map(Vec::len), Some(many), "{kind}");
    }
}

#[tokio::test]
async fn a_workbook_is_only_checked_or_continues_a_component() {
    let archives = archives().await;
    let papers = archives.papers().await;
    let above = archives.add("/repositories/2/archival_objects", &component("Above", &papers, None)).await;
    let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let sheet = workbook(
        "Any name",
        &[
            row(&["For people"]),
            row(&[MARKER, "res_uri", "title", "hierarchy", "level"]),
            row(&["Field name", "Resource URI"]),
            row(&["", &papers, "Below", "2", "File"]),
            row(&["", &papers, "Beside", "1", "Nonsense"]),
        ],
    );
    let parameters = json!({"rid": "1", "aoid": "1"});
    let (job, done) = archives.run_with_file(bulk_import("ao", "xlsx", true), parameters.clone(), &sheet).await;
    assert_eq!((&done["status"], &done["has_modified_records"]), (&json!("completed"), &json!(false)));
    let log = archives.log(&job).await;
    assert!(log.contains("Row 4: Archival Object 'Below'  would be created"), "{log}");
    assert!(log.contains("INVALID: archival_record_level: 'Nonsense'. Must be one of: "), "{log}");
    assert!(log.contains("Completed validation of sheet"), "{log}");
    assert_eq!(archives.get("/repositories/2/archival_objects?all_ids=true").await, json!([1]));
    let (job, _) = archives.run_with_file(bulk_import("ao", "xlsx", false), parameters, &sheet).await;
    let records = archives.records(&job).await;
    assert_eq!(records.len(), 1);
    assert_eq!(archives.get(&records[0]).await["parent"]["ref"], json!(above));
    assert!(archives.made(&job).await.contains("Row 5,No Archival Object created\n"));
    for (format, file, text) in [
        ("pdf", &b"x"[..], "The file is neither an Excel Spreadsheet nor a CSV file"),
        ("xlsx", &b"x"[..], "Error(s) parsing spreadsheet"),
        ("csv", &b"a,b\n"[..], "No header (field codes) row found; are you using the correct template?"),
        ("csv", &b"\xff\xfe"[..], "This spreadsheet has some invalid or corrupt text that cannot be processed."),
    ] {
        let (job, done) = archives.run_with_file(bulk_import("ao", format, false), json!({"rid": "1"}), file).await;
        let log = archives.log(&job).await;
        assert!(done["status"] == "completed" && log.contains(text), "{log}");
    }
}

#[tokio::test]
async fn components_get_digital_objects_from_a_table() {
    let archives = archives().await;
    let papers = archives.papers().await;
    let mut letters = component("Letters", &papers, None);
    letters["ref_id"] = "r1".into();
    let letters = archives.add("/repositories/2/archival_objects", &letters).await;
    let before = archives.get(&letters).await;
    let codes = "ead,ao_ref_id,ao_uri,digital_object_id,digital_object_title,digital_object_publish,rep_file_uri";
    let by_uri = format!("MS1,,{letters},d2,,,http://c.d");
    let sheet = csv(
        DIGITAL,
        codes,
        &["MS1,r1,,d1,Scan,t,http://a.b", &by_uri, "MS1,r9,,d3,x,t,http://e.f", "MS1,r1,,d1,y,t,http://g.h"],
    );
    let (job, done) = archives.run_with_file(bulk_import("digital", "csv", false), json!({"rid": 1}), &sheet).await;
    assert_eq!(done["status"], "completed", "{done}");
    let after = archives.get(&letters).await;
    let instances = after["instances"].as_array().expect("instances");
    assert_eq!((instances.len(), after["lock_version"].as_i64()), (2, Some(1)));
    let scan = archives.get(instances[0]["digital_object"]["ref"].as_str().expect("an address")).await;
    assert_eq!((&scan["title"], &scan["publish"]), (&json!("Scan"), &json!(true)));
    let log = archives.log(&job).await;
    assert!(log.contains("Row 3:\tDigital object added to archival object"), "{log}");
    assert!(log.contains("Row 5:\tERROR Cannot find archival object  with Ref ID  r9"), "{log}");
    assert!(log.contains("Row 6:\tERROR Cannot create the digital object digital_object_id: Must be unique"), "{log}");
    assert_eq!(archives.records(&job).await.len(), 3, "the component and two digital objects");
    // Who read the component before the job cannot overwrite what the job did.
    archives.admin.post(&letters, &before).await.expect(409);
}

#[tokio::test]
async fn components_are_linked_to_containers_by_a_table() {
    let archives = archives().await;
    let papers = archives.papers().await;
    let mut uris = Vec::new();
    for id in ["r1", "r2"] {
        let mut record = component(id, &papers, None);
        record["ref_id"] = id.into();
        uris.push(archives.add("/repositories/2/archival_objects", &record).await);
    }
    let old = archives.add("/repositories/2/top_containers", &json!({"indicator": "77", "type": "box"})).await;
    archives.add("/locations", &json!({"building": "Main", "classification": "1"})).await;
    let codes = "ref_id,ead_id,top_container_id,top_container_type,top_container_indicator,top_container_barcode,location_id,\
                 instance_type,child_type,child_indicator,child_barcode";
    let work = json!({"jsonmodel_type": "top_container_linker_job", "resource_id": papers, "filename": "sheet",
        "content_type": "text/csv"});
    let wrong = csv(MARKER, codes, &["r1,MS1,,box,1,b1,1,books,,,", "r9,MS1,1,,,,,books,,,"]);
    let (job, done) = archives.run_with_file(work.clone(), json!({"rid": "1"}), &wrong).await;
    let log = archives.log(&job).await;
    assert!(
        done["status"] == "completed" && log.contains("Can not find Archival Object r9 in the database in row 4."),
        "{log}"
    );
    assert!(log.contains("Skipping creation and linking of top containers due to errors."), "{log}");
    assert!(archives.get(&uris[0]).await["instances"].as_array().is_some_and(Vec::is_empty));
    let right = csv(
        MARKER,
        codes,
        &["r1,MS1,,box,1,b1,1,books,folder,2,c1", "r2,MS1,,box,1,b1,1,books,,,", "r2,MS1,1,,,,,books,,,"],
    );
    let (job, done) = archives.run_with_file(work.clone(), json!({"rid": "1"}), &right).await;
    let log = archives.log(&job).await;
    assert_eq!(done["status"], "completed", "{log}");
    assert!(log.contains("Adding Top Container Instance Books 77 to Archival Object r2"), "{log}");
    assert_eq!(archives.records(&job).await, uris);
    let (first, second) = (archives.get(&uris[0]).await, archives.get(&uris[1]).await);
    let held =
        |record: &Value, place: usize| record["instances"][place]["sub_container"]["top_container"]["ref"].clone();
    assert_eq!((held(&first, 0), held(&second, 1)), (held(&second, 0), json!(old)));
    assert_eq!(first["instances"][0]["sub_container"]["barcode_2"], "c1");
    let new = archives.get(held(&first, 0).as_str().expect("an address")).await;
    assert_eq!((&new["barcode"], &new["container_locations"][0]["ref"]), (&json!("b1"), &json!("/locations/1")));
    // What the first run made is there now.
    let (job, _) = archives.run_with_file(work, json!({"rid": "1"}), &right).await;
    let log = archives.log(&job).await;
    assert!(log.contains("The Child Barcode, c1 already exists in the database"), "{log}");
    assert!(log.contains("The Top Container Indicator and Container Type combo box 1 already exists"), "{log}");
}

#[tokio::test]
async fn components_are_changed_in_a_workbook() {
    let archives = archives().await;
    let papers = archives.papers().await;
    let all = "/repositories/2/archival_objects";
    let (one, two) = (
        archives.add(all, &component("One", &papers, None)).await,
        archives.add(all, &component("Two", &papers, None)).await,
    );
    let route = "/bulk_archival_object_updater/repositories/2";
    let asked = format!(
        "{route}/generate_spreadsheet?resource_uri={papers}&selected_columns[]=level&uri={}",
        json!([one, two]).to_string().replace('"', "%22")
    );
    let sheet = archives.admin.send(Method::POST, &asked, None).await.expect(200);
    assert_eq!(sheet.headers["content-type"], "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    assert!(
        sheet.text.starts_with("PK")
            && sheet.headers["content-disposition"].to_str().is_ok_and(|name| name.contains("bulk_update.resource_1."))
    );
    archives
        .admin
        .send(Method::POST, &format!("{route}/generate_spreadsheet?resource_uri={papers}&uri=x"), None)
        .await
        .expect(400);
    let tree = archives.get(&format!("{route}/resources/1/small_tree")).await;
    assert_eq!((&tree["children"][1]["title"], &tree["children"][1]["uri"]), (&json!("Two"), &json!(two)));
    let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let sheet = |version: &str, level: &str| {
        workbook(
            "Updates",
            &[
                row(&["Id", "Version", "Title", "Level"]),
                row(&[
                    "id",
                    "lock_version",
                    "title",
                    "level",
                    "dates/0/begin",
                    "instances/0/instance_type",
                    "instances/0/top_container_type",
                    "instances/0/top_container_indicator",
                    "digital_object/0/digital_object_id",
                    "digital_object/0/digital_object_title",
                ]),
                row(&["1", version, "First", level, "1900", "Books [books]", "Box [box]", "9", "d1", "Scan"]),
                row(&["2", "0", "Two", "File [file]"]),
            ],
        )
    };
    let work = |missing: bool| json!({"jsonmodel_type": "bulk_archival_object_updater_job", "create_missing_top_containers": missing});
    for (version, level, missing, text) in [
        ("5", "Item [item]", true, "Versions are out of sync: 5 record is now: 0"),
        ("0", "Item", true, "Could not parse enumeration value from: Item"),
        ("0", "Item [nonsense]", true, "JSONModel Property: level"),
        ("0", "Item [item]", false, "Top container not found attached within resource"),
    ] {
        let (job, done) = archives.run_with_file(work(missing), json!({}), &sheet(version, level)).await;
        let log = archives.log(&job).await;
        assert!(done["status"] == "failed" && log.contains(text), "{log}");
        assert!(log.contains("All changes have been reverted.") && log.contains("Row number: 3"), "{log}");
    }
    assert_eq!(archives.get(&one).await["title"], "One");
    assert_eq!(archives.get("/repositories/2/digital_objects?all_ids=true").await, json!([]));
    let (job, done) = archives.run_with_file(work(true), json!({}), &sheet("0", "Item [item]")).await;
    let log = archives.log(&job).await;
    assert_eq!(done["status"], "completed", "{log}");
    assert!(log.contains("Created digital object d1 - Scan") && log.contains("2 record(s) were updated."), "{log}");
    let changed = archives.get(&one).await;
    assert_eq!(
        (&changed["title"], &changed["level"], &changed["lock_version"]),
        (&json!("First"), &json!("item"), &json!(1))
    );
    assert_eq!(
        (&changed["dates"][0]["date_type"], &changed["instances"][1]["instance_type"]),
        (&json!("single"), &json!("digital_object"))
    );
    assert_eq!(archives.get(&two).await["lock_version"], 0, "nothing of it changed");
    let records = archives.records(&job).await;
    // Jobs that failed have used numbers.
    assert!(records[0].starts_with("/repositories/2/digital_objects/") && records[1..] == [one], "{records:?}");
}
