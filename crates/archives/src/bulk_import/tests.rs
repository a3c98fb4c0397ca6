//! Sheets of components and of digital objects, without a database.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Value, json};

use super::{
    Sink, Stop, Target, components, digital_objects,
    links::Links,
    parts::told,
    report::Report,
    values::Values,
    wanted::{Component, Held, Known, Titled},
};
use crate::{
    model::{Purpose, StartingLists, check, record_type},
    sheets::{Format, Table, rows},
};

/// Keeps records that are valid.
#[derive(Default)]
struct Kept(Vec<Value>);

impl Sink for Kept {
    fn add(&mut self, record: Value, _: usize) -> Result<(), Stop> {
        let of = record_type(record["jsonmodel_type"].as_str().expect("a type")).expect("a declared type");
        check(of, record.clone(), &StartingLists, Purpose::Import)
            .map_err(|invalid| Stop::Row(told(&invalid.errors)))?;
        self.0.push(record);
        Ok(())
    }

    fn revise(&mut self, record: Value, row: usize) -> Result<(), Stop> {
        let place = self.0.iter().position(|kept| kept["uri"] == record["uri"]).expect("the record");
        self.add(record, row)?;
        self.0.swap_remove(place);
        Ok(())
    }
}

impl Kept {
    fn of(&self, kind: &str) -> Vec<&Value> {
        self.0.iter().filter(|record| record["jsonmodel_type"] == kind).collect()
    }

    fn titled(&self, title: &str) -> &Value {
        self.0.iter().find(|record| record["title"] == title).unwrap_or_else(|| panic!("no {title}"))
    }
}

fn target() -> Target {
    Target {
        repository: 2,
        resource: "/repositories/2/resources/1".to_owned(),
        ead_id: Some("MS1".to_owned()),
        ..Target::default()
    }
}

fn table(marker: &str, codes: &str, data: &[&str]) -> Table {
    let lines: Vec<String> = data.iter().map(|line| format!(",{line}\n")).collect();
    let csv = format!("{marker},{codes}\nField name,x\n{}", lines.concat());
    Table::with_codes(rows(csv.into_bytes(), Format::Csv, None).expect("rows"), marker).expect("a table")
}

fn components(target: &Target, known: &Known, codes: &str, data: &[&str]) -> (Report, Kept) {
    let table = table(components::MARKER, codes, data);
    let values = Values::new(Arc::new(StartingLists));
    let mut number = 0;
    let ids = Box::new(|| {
        number += 1;
        format!("{number:032x}")
    });
    let links = Links {
        repository: 2,
        values: &values,
        known,
        only_validates: target.only_validates,
        ids,
        made: HashMap::new(),
    };
    let mut kept = Kept::default();
    let report = components::read(&table, target, links, &mut kept).expect("a report");
    (report, kept)
}

fn errors(report: &Report) -> Vec<String> {
    report.rows.iter().flat_map(|row| row.errors.clone()).collect()
}

const PLACE: &str = "ead,title,hierarchy,level";

#[test]
fn rows_are_below_each_other_by_their_hierarchy() {
    let data = ["MS1,One,1,series", "MS1,Two,2,Sub-Series", "MS1,Three,3,file", "MS1,Four,2,file", "MS1,Five,1,item"];
    let (report, kept) = components(&target(), &Known::default(), PLACE, &data);
    assert_eq!((errors(&report), report.terminal.clone()), (Vec::new(), None));
    let parent = |title: &str| kept.titled(title)["parent"]["ref"].clone();
    let uri = |title: &str| kept.titled(title)["uri"].clone();
    assert_eq!((parent("One"), parent("Five")), (Value::Null, Value::Null));
    assert_eq!((parent("Two"), parent("Four"), parent("Three")), (uri("One"), uri("One"), uri("Two")));
    assert_eq!(kept.titled("Two")["level"], "subseries");
    let object = report.rows[2].object.clone().expect("a component");
    assert_eq!((object.display.as_str(), report.rows[2].number), ("Three", 5));
}

#[test]
fn rows_begin_beside_a_chosen_component_or_below_it() {
    let (one, above) = ("/repositories/2/archival_objects/7", "/repositories/2/archival_objects/3");
    let target = Target { start: Some((one.to_owned(), Some(above.to_owned()))), ..target() };
    let data = ["MS1,Below,2,file", "MS1,Beside,1,file"];
    let (report, kept) = components(&target, &Known::default(), PLACE, &data);
    assert_eq!(errors(&report), [""; 0]);
    assert_eq!(
        (&kept.titled("Below")["parent"]["ref"], &kept.titled("Beside")["parent"]["ref"]),
        (&json!(one), &json!(above))
    );
}

#[test]
fn what_is_below_a_refused_row_is_refused() {
    let data =
        ["MS1,One,1,series", "MS1,,2,file", "MS1,Below,3,file", "MS1,Four,2,file", "MS2,x,1,file", "MS1,y,1,nonsense"];
    let (report, kept) = components(&target(), &Known::default(), PLACE, &data);
    let titles: Vec<_> = kept.0.iter().map(|record| record["title"].as_str().expect("a title")).collect();
    assert_eq!(titles, ["One", "Four"]);
    let errors = errors(&report);
    let begin = "will not be processed due to errors: ";
    assert_eq!(errors[0], format!("Row 4 {begin}Missing Title AND Valid Date definition"));
    assert_eq!(errors[1], format!("Row 5 {begin}The parent archival object was not created"));
    assert_eq!(errors[2], format!("Row 7 {begin}Form's EAD ID [MS1] does not match row's EAD ID [MS2]"));
    assert!(errors[3].contains("INVALID: archival_record_level: 'nonsense'. Must be one of: "), "{errors:?}");
    assert!(errors[3].ends_with("; Missing valid Description Level"), "{errors:?}");
}

#[test]
fn a_sheet_that_begins_too_deep_stops() {
    let (report, kept) = components(&target(), &Known::default(), PLACE, &["MS1,One,2,series", "MS1,Two,1,series"]);
    assert!(kept.0.is_empty() && report.rows.len() == 1);
    let why = "Hierarchy cannot not be more than one level deeper than the previous row;\
               Did you mean to start processing with an archival object selected?";
    assert_eq!(errors(&report), [format!("Processing stopped at row 3 [{why}]")]);
    let terminal = format!("Processing stopped at row 3 [Error(s) parsing spreadsheet: {why}]");
    assert_eq!(report.terminal, Some(terminal));
    let (report, _) = components(&target(), &Known::default(), PLACE, &["MS2,One,1,series"]);
    assert!(report.terminal.expect("a reason").contains("No processible data rows found!"));
}

#[test]
fn a_validation_goes_on_after_what_is_wrong() {
    let target = Target { only_validates: true, ..target() };
    let (report, _) = components(&target, &Known::default(), PLACE, &["MS2,One,2,series", "MS1,Two,2,file"]);
    assert_eq!(report.rows.len(), 2);
    assert!(report.rows[1].errors.iter().any(|error| error.contains("WARNING: nothing below this row")), "{report:?}");
    assert_eq!(report.rows[1].object.as_ref().map(|object| object.display.as_str()), Some("Two"));
}

#[test]
fn agents_and_subjects_are_found_or_made_once() {
    let titled =
        |id, kind: Option<&str>| Titled { id, source: Some("local".to_owned()), term_type: kind.map(str::to_owned) };
    let known = Known {
        authorities: HashMap::from([(("agent_family".to_owned(), 5), "Miller".to_owned())]),
        titles: HashMap::from([
            (("agent_person".to_owned(), "Known, A".to_owned()), vec![titled(8, None)]),
            (("agent_person".to_owned(), "Twice, B".to_owned()), vec![titled(9, None), titled(10, None)]),
            (("subject".to_owned(), "Letters".to_owned()), vec![titled(3, Some("topical"))]),
        ]),
        ..Known::default()
    };
    let codes = "ead,title,hierarchy,level,people_agent_header_1,people_agent_role_1,people_agent_header_2,\
                 families_agent_record_id_1,subject_1_term,subject_1_type,subject_2_term,subject_2_source";
    let data = [
        "MS1,One,1,file,\"Known, A\",Subject,\"Twice, B\",5,Letters,,New,local",
        "MS1,Two,1,file,\"New, C\",nonsense,,6,Letters,Genre / Form,New,local",
        "MS1,Three,1,file,\"New, C\",,,,New,,,",
    ];
    let (report, kept) = components(&target(), &known, codes, &data);
    let one = kept.titled("One");
    assert_eq!(one["linked_agents"][0], json!({"ref": "/agents/people/8", "role": "subject"}));
    assert_eq!(one["linked_agents"][2]["ref"], "/agents/families/5");
    assert_eq!(one["subjects"][0]["ref"], "/subjects/3");
    let people = kept.of("agent_person");
    assert_eq!(people.len(), 2);
    assert_eq!(
        (&people[0]["names"][0]["primary_name"], &people[0]["publish"]),
        (&json!("Twice, B DISAMBIGUATE ME!"), &json!(false))
    );
    assert_eq!(people[1]["names"][0]["primary_name"], "New, C");
    let placeholder = &kept.of("agent_family")[0]["names"][0]["family_name"];
    assert_eq!(placeholder, "Agent ID 6 NOT FOUND. This is a PLACEHOLDER");
    // As a genre "Letters" is another subject; "New" of a source is not the one without.
    assert_eq!(kept.of("subject").len(), 3);
    assert_eq!(kept.titled("Three")["linked_agents"][0]["ref"], people[1]["uri"]);
    let errors = errors(&report);
    assert_eq!(errors.len(), 2);
    assert!(errors[1].contains("Unable to create agent link: 'nonsense' is not a valid Role"), "{errors:?}");
    assert!(kept.titled("Two")["linked_agents"].as_array().is_some_and(|links| links.len() == 1), "the family alone");
    assert!(report.rows[0].info.iter().any(|info| info.starts_with("Subject [New] created: /subjects/import_")));
}

#[test]
fn containers_are_found_by_barcode_or_by_type_and_indicator() {
    let held = |id, has_barcode| Held { uri: format!("/repositories/2/top_containers/{id}"), has_barcode };
    let known = Known {
        containers: HashMap::from([
            (("box".to_owned(), "1".to_owned()), vec![held(4, false)]),
            (("box".to_owned(), "2".to_owned()), vec![held(5, false), held(6, false)]),
        ]),
        barcodes: HashMap::from([("b9".to_owned(), held(9, true).uri)]),
        ..Known::default()
    };
    let codes = "ead,title,hierarchy,level,cont_instance_type,type_1,indicator_1,barcode,type_2,indicator_2,\
                 cont_instance_type_2,type_1_2,indicator_1_2";
    let data = [
        "MS1,One,1,file,Mixed Materials,Box,1,,Folder,3,audio,Reel of wire,7",
        "MS1,Two,1,file,Mixed Materials,Box,8,b9,,,audio,Reel of wire,7",
        "MS1,Three,1,file,Mixed Materials,Box,2,,,,,Box,1",
    ];
    let (report, kept) = components(&target(), &known, codes, &data);
    let instances = &kept.titled("One")["instances"];
    let held = json!({"jsonmodel_type": "sub_container", "top_container": {"ref": "/repositories/2/top_containers/4"},
        "type_2": "folder", "indicator_2": "3"});
    assert_eq!((&instances[0]["instance_type"], &instances[0]["sub_container"]), (&json!("mixed_materials"), &held));
    let new = kept.of("top_container");
    assert_eq!((new.len(), &new[0]["type"]), (1, &json!("Reel of wire")));
    let second = &kept.titled("Two")["instances"];
    assert_eq!(second[0]["sub_container"]["top_container"]["ref"], "/repositories/2/top_containers/9");
    assert_eq!(second[1]["sub_container"]["top_container"]["ref"], new[0]["uri"]);
    let wrong = "Unable to create Container Instance";
    assert_eq!(
        errors(&report),
        [
            format!("{wrong} 1: [More than one match found in the database]"),
            format!("{wrong} 2: [Missing container instance type]")
        ]
    );
}

#[test]
fn a_row_may_have_a_digital_object() {
    let known = Known { digital_object_ids: ["d1".to_owned()].into(), ..Known::default() };
    let codes = "ead,title,hierarchy,level,digital_object_id,digital_object_title,digital_object_publish,rep_file_uri";
    let data = ["MS1,One,1,file,d1,,,http://a.b", "MS1,Two,1,file,d2,,TRUE,http://a.b"];
    let (report, kept) = components(&target(), &known, codes, &data);
    assert_eq!(errors(&report), ["Digital Object ID 'd1' already exists.", "Digital Object would not be created"]);
    let made = kept.of("digital_object");
    assert_eq!((&made[0]["title"], &made[0]["publish"], made.len()), (&json!("Two"), &json!(true), 1));
    let instance = json!({"jsonmodel_type": "instance", "instance_type": "digital_object", "digital_object": {"ref": made[0]["uri"]}});
    let two = kept.of("archival_object").into_iter().find(|record| record["title"] == "Two").expect("a component");
    assert_eq!(two["instances"], json!([instance]));
}

#[test]
fn digital_objects_are_added_to_components() {
    let component =
        |id, ref_id: &str| Component { id, root: 1, display: "Letters".to_owned(), ref_id: ref_id.to_owned() };
    let known = Known {
        ref_ids: HashMap::from([
            ("r1".to_owned(), vec![component(4, "r1")]),
            ("r2".to_owned(), vec![component(5, "r2"), component(6, "r2")]),
        ]),
        components: HashMap::from([(7, component(7, "r3"))]),
        ..Known::default()
    };
    let codes = "ead,ao_ref_id,ao_uri,digital_object_id,digital_object_title,digital_object_publish,rep_file_uri,number,\
                 extent_type,note_type,note_content,digital_object_type";
    let data = [
        "MS1,r1,,d1,Scan,t,http://a.b,3,Reels,summary,Short,Text",
        "MS1,,/repositories/2/archival_objects/7,,,,http://c.d,,,,,",
        "MS1,r2,,,,,http://e.f,,,,,",
        "MS1,,,,,,http://e.f,,,,,",
    ];
    let table = table(digital_objects::MARKER, codes, &data);
    let values = Values::new(Arc::new(StartingLists));
    let ids = Box::new(|| "0a".to_owned());
    let links =
        Links { repository: 2, values: &values, known: &known, only_validates: false, ids, made: HashMap::new() };
    let mut kept = Kept::default();
    let (report, added) = digital_objects::read(&table, &target(), links, &mut kept).expect("a report");
    assert_eq!(added.iter().map(|one| (one.component, one.row)).collect::<Vec<_>>(), [(4, 3), (7, 4)]);
    let scan = kept.titled("Scan");
    assert_eq!((&scan["digital_object_type"], &scan["notes"][0]["type"]), (&json!("text"), &json!("summary")));
    assert_eq!(scan["extents"][0]["extent_type"], "reels");
    assert_eq!(kept.0[1]["title"], "Letters");
    assert_eq!(
        errors(&report),
        [
            "Cannot find archival object  with Ref ID  r2".to_owned(),
            "Row 6 will not be processed due to errors: Neither an archival object URI nor a Ref ID was provided"
                .to_owned()
        ]
    );
    assert!(
        report.rows[0].info[0].starts_with("Digital Object created: 'Scan' /repositories/2/digital_objects/import_")
    );
}
