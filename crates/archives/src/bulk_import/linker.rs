//! Containers for components that exist (`top_container_linker_job`): all rows are checked first, and if one is wrong none is
//! carried out.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Value, json};

use super::{
    Added, Sink, Stop, Target,
    links::Links,
    report::{Object, RowReport},
    wanted::{Component, Known, Wanted, id_of},
};
use crate::{
    import::ImportError,
    sheets::{Line, Table},
};

/// In the first cell of the row with field codes.
pub(crate) const MARKER: &str = "ArchivesSpace field code";

/// What a sheet names of the library beside [`Wanted`].
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    pub ead_ids: BTreeSet<String>,
    pub containers: BTreeSet<i64>,
    pub child_barcodes: BTreeSet<String>,
    pub locations: BTreeSet<i64>,
    pub profiles: BTreeSet<i64>,
}

/// What of it exists.
#[derive(Debug, Default)]
pub(crate) struct Existing {
    /// Addresses of resources.
    pub ead_ids: HashMap<String, String>,
    /// Indicators.
    pub containers: HashMap<i64, String>,
    pub child_barcodes: HashSet<String>,
    pub locations: HashSet<i64>,
    pub profiles: HashSet<i64>,
}

/// What a sheet names.
pub(crate) fn named(table: &Table) -> (Wanted, Named) {
    let (mut wanted, mut named) = (Wanted { containers: true, ..Wanted::default() }, Named::default());
    for line in table.lines() {
        wanted.ref_ids.extend(line.text("ref_id"));
        wanted.barcodes.extend(line.text("top_container_barcode"));
        named.ead_ids.extend(line.text("ead_id"));
        named.child_barcodes.extend(line.text("child_barcode"));
        named.containers.extend(line.get("top_container_id").and_then(id_of));
        named.locations.extend(line.get("location_id").and_then(id_of));
        named.profiles.extend(line.get("container_profile_id").and_then(id_of));
    }
    (wanted, named)
}

/// Checks rows, and carries them out.
pub(crate) struct Linker<'a> {
    pub target: &'a Target,
    pub known: &'a Known,
    pub existing: &'a Existing,
    /// Whether new types of instances can be added to their list.
    pub adds_instance_types: bool,
}

impl Linker<'_> {
    /// Checks all rows; returns those that are wrong.
    pub(crate) fn check(&self, table: &Table) -> Vec<RowReport> {
        // Barcodes by what the sheet says of their containers.
        let mut barcodes = HashMap::new();
        let rows = table.lines().map(|line| {
            let errors = self.wrong(&line, &mut barcodes);
            RowReport { number: line.number, errors, ..RowReport::default() }
        });
        rows.filter(|row| !row.errors.is_empty()).collect()
    }

    fn component(&self, ref_id: &str) -> Option<&Component> {
        match self.known.ref_ids.get(ref_id)?.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    fn wrong(&self, line: &Line<'_>, barcodes: &mut HashMap<String, String>) -> Vec<String> {
        let row = line.number;
        let Some(ref_id) = line.get("ref_id") else {
            return vec![format!("Ref ID missing from spreadsheet in row {row} .")];
        };
        let mut wrong = Vec::new();
        if self.component(ref_id).is_none() {
            wrong.push(format!("Can not find Archival Object {ref_id} in the database in row {row}."));
        }
        wrong.extend(self.wrong_resource(line, ref_id));
        let kind = line.get("instance_type");
        if kind.is_none() {
            wrong.push(format!("Instance Type missing from spreadsheet for row {row} Archival Object {ref_id}. "));
        }
        if !self.adds_instance_types {
            let kind = kind.unwrap_or_default();
            wrong.push(format!(
                "Instance Type {kind} does not exist in the database (see row {row} Archival Object {ref_id}). "
            ));
        }
        let (indicator, id) = (line.get("top_container_indicator"), line.get("top_container_id"));
        match (indicator, id) {
            (None, None) => wrong.push(format!(
                "Either a Top Container Indicator or TC Record Number must be present for {ref_id} in row {row}."
            )),
            (Some(_), Some(_)) => wrong.push(format!(
                "Only a Top Container Indicator OR TC Record Number can be present for {ref_id} in row {row}."
            )),
            _ => {}
        }
        let seen = format!("(see {ref_id} in row {row})");
        if let Some(id) = id.filter(|id| id_of(id).is_none_or(|id| !self.existing.containers.contains_key(&id))) {
            wrong.push(format!("The Top Container ID cannot be found: {id} {seen}"));
        }
        self.wrong_barcodes(line, ref_id, barcodes, &mut wrong);
        for (code, existing, name) in [
            ("location_id", &self.existing.locations, "Location"),
            ("container_profile_id", &self.existing.profiles, "Container Profile"),
        ] {
            if let Some(id) = line.get(code).filter(|id| id_of(id).is_none_or(|id| !existing.contains(&id))) {
                wrong.push(format!("The given {name} ID, {id} cannot be found in the database {seen}."));
            }
        }
        wrong
    }

    fn wrong_resource(&self, line: &Line<'_>, ref_id: &str) -> Option<String> {
        let row = line.number;
        let Some(ead_id) = line.get("ead_id") else {
            return Some(format!("This row is missing an EAD ID: (see {ref_id} in row {row})"));
        };
        let Some(found) = self.existing.ead_ids.get(ead_id) else {
            return Some(format!("Can not find Resource {ead_id} in the database in row {row}"));
        };
        let own = &self.target.resource;
        (found != own).then(|| {
            format!(
                "The resource in the spreadsheet {found} (EAD ID: {ead_id}) does not match the current resource {own} in row {row}"
            )
        })
    }

    fn wrong_barcodes(
        &self,
        line: &Line<'_>,
        ref_id: &str,
        barcodes: &mut HashMap<String, String>,
        wrong: &mut Vec<String>,
    ) {
        let row = line.number;
        let seen = format!("{ref_id} in row {row}");
        let of = |code: &str| line.get(code);
        if let (Some(kind), Some(indicator)) = (of("top_container_type"), of("top_container_indicator")) {
            if self.known.containers.contains_key(&(kind.to_owned(), indicator.to_owned())) {
                let ead_id = of("ead_id").unwrap_or_default();
                wrong.push(format!(
                    "The Top Container Indicator and Container Type combo {kind} {indicator} already exists in the database \
                     for an AO in resource {ead_id} (see  {seen})."
                ));
            }
            if let Some(barcode) = of("top_container_barcode") {
                let key = format!("{kind} {indicator}");
                if self.known.barcodes.contains_key(barcode) {
                    wrong.push(format!(
                        "The Top Container Barcode, {barcode} already exists in the database (see  {seen})."
                    ));
                } else if barcodes.get(&key).is_some_and(|other| other != barcode) {
                    wrong.push(format!(
                        "The Top Container Barcode, {barcode} is different than another entry in your spreadsheet for {kind} \
                         {indicator} (see  {seen})."
                    ));
                } else {
                    barcodes.insert(key, barcode.to_owned());
                }
            }
        }
        let Some(barcode) = of("child_barcode") else { return };
        if self.existing.child_barcodes.contains(barcode) {
            wrong.push(format!("The Child Barcode, {barcode} already exists in the database (see {seen})."));
        } else if let (Some(kind), Some(indicator)) = (of("child_type"), of("child_indicator")) {
            let key = format!("{kind} {indicator} child");
            if barcodes.get(&key).is_some_and(|other| other != barcode) {
                wrong.push(format!(
                    "The Child Barcode, {barcode} is different than another entry in your spreadsheet for {kind} {indicator} \
                     (see  {seen})."
                ));
            }
            barcodes.insert(key, barcode.to_owned());
        }
    }

    /// Carries out rows that are right; returns what became of them, and what components get. `today` is when containers come
    /// to their locations.
    ///
    /// # Errors
    /// The import ends without saving anything.
    pub(crate) fn link(
        &self,
        table: &Table,
        mut links: Links<'_>,
        sink: &mut dyn Sink,
        today: &str,
    ) -> Result<(Vec<RowReport>, Vec<Added>), ImportError> {
        let (mut rows, mut added) = (Vec::new(), Vec::new());
        for line in table.lines() {
            let mut row = RowReport { number: line.number, ..RowReport::default() };
            match self.row(&line, &mut links, sink, today, &mut row) {
                Ok(one) => added.extend(one),
                Err(Stop::Row(why) | Stop::Sheet(why)) => {
                    let ref_id = line.get("ref_id").unwrap_or_default();
                    let seen = format!("(see {ref_id} in row {})", line.number);
                    row.errors.push(format!("Unable to create Top Container {seen}: [{why}]"));
                }
                Err(Stop::Import(error)) => return Err(error),
            }
            rows.push(row);
        }
        Ok((rows, added))
    }

    fn row(
        &self,
        line: &Line<'_>,
        links: &mut Links<'_>,
        sink: &mut dyn Sink,
        today: &str,
        report: &mut RowReport,
    ) -> Result<Option<Added>, Stop> {
        let of = |code: &str| line.get(code);
        let ref_id = of("ref_id").unwrap_or_default();
        let Some(component) = self.component(ref_id) else { return Ok(None) };
        let uri = format!("/repositories/{}/archival_objects/{}", self.target.repository, component.id);
        report.object = Some(Object { uri, display: component.display.clone(), ref_id: component.ref_id.clone() });
        let (container, indicator) =
            match (of("top_container_type"), of("top_container_indicator"), of("top_container_id")) {
                (Some(kind), Some(indicator), _) => {
                    (self.container(line, (kind, indicator), links, sink, today, report)?, indicator.to_owned())
                }
                (_, _, Some(id)) => {
                    let id = id_of(id).unwrap_or_default();
                    let indicator = self.existing.containers.get(&id).cloned().unwrap_or_default();
                    (format!("/repositories/{}/top_containers/{id}", self.target.repository), indicator)
                }
                _ => return Ok(None),
            };
        let values = links.values;
        let mut held = json!({"jsonmodel_type": "sub_container", "top_container": {"ref": container}});
        if let (Some(kind), Some(child)) = (of("child_type"), of("child_indicator")) {
            held["type_2"] = values.value_or_new("container_type", kind).into();
            held["indicator_2"] = child.into();
            held["barcode_2"] = json!(of("child_barcode"));
        }
        let kind = of("instance_type").unwrap_or_default();
        report.info.push(format!(
            "Adding Top Container Instance {} {indicator} to Archival Object {ref_id}",
            capitalized(kind)
        ));
        let kind = values.value_or_new("instance_instance_type", kind);
        let instance = json!({"jsonmodel_type": "instance", "instance_type": kind, "sub_container": held});
        Ok(Some(Added { component: component.id, row: line.number, instance, made: None }))
    }

    /// The container that a row names by type and indicator; a new one has the location and the profile of the row.
    fn container(
        &self,
        line: &Line<'_>,
        (kind, indicator): (&str, &str),
        links: &mut Links<'_>,
        sink: &mut dyn Sink,
        today: &str,
        report: &mut RowReport,
    ) -> Result<String, Stop> {
        let mut more = json!({});
        if let Some(id) = line.get("location_id").and_then(id_of) {
            more["container_locations"] = json!([{"jsonmodel_type": "container_location", "status": "current",
                "start_date": today, "ref": format!("/locations/{id}")}]);
        }
        if let Some(id) = line.get("container_profile_id").and_then(id_of) {
            more["container_profile"] = json!({"ref": format!("/container_profiles/{id}")});
        }
        let mut with_more = WithMore { sink, more };
        let barcode = line.get("top_container_barcode");
        links.container(Some(kind), Some(indicator), barcode, (line.number, &mut with_more), report)
    }
}

/// Adds members to a container that is made.
struct WithMore<'a> {
    sink: &'a mut dyn Sink,
    more: Value,
}

impl Sink for WithMore<'_> {
    fn add(&mut self, mut record: Value, row: usize) -> Result<(), Stop> {
        for (name, value) in self.more.as_object().into_iter().flatten() {
            record[name] = value.clone();
        }
        self.sink.add(record, row)
    }

    fn revise(&mut self, record: Value, row: usize) -> Result<(), Stop> {
        self.sink.revise(record, row)
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        bulk_import::values::Values,
        model::StartingLists,
        sheets::{Format, rows},
    };

    #[derive(Default)]
    struct Kept(Vec<Value>);

    impl Sink for Kept {
        fn add(&mut self, record: Value, _: usize) -> Result<(), Stop> {
            self.0.push(record);
            Ok(())
        }

        fn revise(&mut self, record: Value, row: usize) -> Result<(), Stop> {
            self.add(record, row)
        }
    }

    const CODES: &str = "ref_id,ead_id,top_container_id,top_container_type,top_container_indicator,top_container_barcode,\
                         location_id,container_profile_id,instance_type,child_type,child_indicator,child_barcode";

    fn sheet(data: &[&str]) -> Table {
        let lines: Vec<String> = data.iter().map(|line| format!(",{line}\n")).collect();
        let csv = format!("{MARKER},{CODES}\nField name\n{}", lines.concat());
        Table::with_codes(rows(csv.into_bytes(), Format::Csv, None).expect("rows"), MARKER).expect("a table")
    }

    fn library() -> (Target, Known, Existing) {
        let target = Target { repository: 2, resource: "/repositories/2/resources/1".to_owned(), ..Target::default() };
        let component = |id, ref_id: &str| {
            (ref_id.to_owned(), vec![Component { id, root: 1, display: "x".to_owned(), ref_id: ref_id.to_owned() }])
        };
        let known = Known {
            ref_ids: HashMap::from([component(7, "r1"), component(8, "r2")]),
            containers: HashMap::from([(("box".to_owned(), "5".to_owned()), Vec::new())]),
            barcodes: HashMap::from([("taken".to_owned(), "/repositories/2/top_containers/1".to_owned())]),
            ..Known::default()
        };
        let existing = Existing {
            ead_ids: HashMap::from([
                ("MS1".to_owned(), target.resource.clone()),
                ("MS2".to_owned(), "/repositories/2/resources/2".to_owned()),
            ]),
            containers: HashMap::from([(9, "77".to_owned())]),
            child_barcodes: HashSet::from(["child".to_owned()]),
            locations: HashSet::from([3]),
            profiles: HashSet::from([4]),
        };
        (target, known, existing)
    }

    #[test]
    fn wrong_rows_say_what_is_wrong() {
        let (target, known, existing) = library();
        let linker = Linker { target: &target, known: &known, existing: &existing, adds_instance_types: true };
        let right = ["r1,MS1,,box,1,b1,3,4,books,folder,2,c2", "r2,MS1,9,,,,,,books,,,"];
        assert_eq!(linker.check(&sheet(&right)), []);
        for (row, text) in [
            (",MS1,9,,,,,,books,,,", "Ref ID missing from spreadsheet in row 3 ."),
            ("r9,MS1,9,,,,,,books,,,", "Can not find Archival Object r9 in the database in row 3."),
            ("r1,,9,,,,,,books,,,", "This row is missing an EAD ID: (see r1 in row 3)"),
            ("r1,MS9,9,,,,,,books,,,", "Can not find Resource MS9 in the database in row 3"),
            (
                "r1,MS2,9,,,,,,books,,,",
                "The resource in the spreadsheet /repositories/2/resources/2 (EAD ID: MS2) does not",
            ),
            ("r1,MS1,9,,,,,,,,,", "Instance Type missing from spreadsheet for row 3 Archival Object r1. "),
            ("r1,MS1,,box,,,,,books,,,", "Either a Top Container Indicator or TC Record Number must be present for r1"),
            ("r1,MS1,9,box,1,,,,books,,,", "Only a Top Container Indicator OR TC Record Number can be present for r1"),
            ("r1,MS1,10,,,,,,books,,,", "The Top Container ID cannot be found: 10 (see r1 in row 3)"),
            ("r1,MS1,,box,5,,,,books,,,", "The Top Container Indicator and Container Type combo box 5 already exists"),
            ("r1,MS1,,box,1,taken,,,books,,,", "The Top Container Barcode, taken already exists in the database"),
            ("r1,MS1,9,,,,,,books,folder,1,child", "The Child Barcode, child already exists in the database"),
            ("r1,MS1,9,,,,8,,books,,,", "The given Location ID, 8 cannot be found in the database (see r1 in row 3)."),
            ("r1,MS1,9,,,,,8,books,,,", "The given Container Profile ID, 8 cannot be found in the database"),
        ] {
            let wrong = linker.check(&sheet(&[row]));
            assert!(wrong.len() == 1 && wrong[0].errors.len() == 1, "{row}: {wrong:?}");
            assert!(wrong[0].errors[0].starts_with(text), "{row}: {wrong:?}");
        }
        let twice = ["r1,MS1,,box,1,b1,,,books,folder,1,c1", "r2,MS1,,box,1,b2,,,books,folder,1,c2"];
        let wrong = linker.check(&sheet(&twice));
        assert_eq!((wrong.len(), wrong[0].number, wrong[0].errors.len()), (1, 4, 2), "{wrong:?}");
    }

    #[test]
    fn rows_of_the_same_container_share_it() {
        let (target, known, existing) = library();
        let linker = Linker { target: &target, known: &known, existing: &existing, adds_instance_types: true };
        let values = Values::new(Arc::new(StartingLists));
        let links = Links {
            repository: 2,
            values: &values,
            known: &known,
            only_validates: false,
            ids: Box::new(|| "0a".to_owned()),
            made: HashMap::new(),
        };
        let data =
            ["r1,MS1,,Box,1,b1,3,4,BOOKS,Folder,2,c2", "r2,MS1,,Box,1,b1,3,4,books,,,", "r2,MS1,9,,,,,,books,,,"];
        let mut kept = Kept::default();
        let (rows, added) = linker.link(&sheet(&data), links, &mut kept, "2026-01-02").expect("links");
        assert_eq!(kept.0.len(), 1);
        let made = &kept.0[0];
        let location = json!({"jsonmodel_type": "container_location", "status": "current", "start_date": "2026-01-02",
            "ref": "/locations/3"});
        assert_eq!(
            (&made["container_locations"], &made["container_profile"]["ref"]),
            (&json!([location]), &json!("/container_profiles/4"))
        );
        assert_eq!((&made["type"], &made["barcode"]), (&json!("box"), &json!("b1")));
        let held: Vec<_> =
            added.iter().map(|one| one.instance["sub_container"]["top_container"]["ref"].clone()).collect();
        assert_eq!(held, [made["uri"].clone(), made["uri"].clone(), json!("/repositories/2/top_containers/9")]);
        assert_eq!(added[0].instance["sub_container"]["barcode_2"], "c2");
        assert_eq!(added.iter().map(|one| one.component).collect::<Vec<_>>(), [7, 8, 8]);
        assert_eq!(rows[0].info[1], "Adding Top Container Instance Books 1 to Archival Object r1");
        assert_eq!(rows[2].info, ["Adding Top Container Instance Books 77 to Archival Object r2"]);
    }
}
