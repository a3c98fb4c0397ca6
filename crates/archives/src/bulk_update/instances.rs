//! What a row changes of the containers and digital objects of its component.

use serde_json::{Value, json};

use super::{
    Problem,
    row::{Cells, Container, Library, Row, has, is_empty, list, set},
};

/// Members of the part of an instance that is in a container, with their columns.
const HELD: [(&str, &str); 5] = [
    ("type_2", "sub_container_type_2"),
    ("indicator_2", "sub_container_indicator_2"),
    ("barcode_2", "sub_container_barcode_2"),
    ("type_3", "sub_container_type_3"),
    ("indicator_3", "sub_container_indicator_3"),
];

fn cell<'a>(cells: &'a Cells, name: &str) -> Option<&'a str> {
    cells.get(name)?.as_deref()
}

/// The container that cells name.
pub(super) fn container(cells: &Cells) -> Container {
    let of = |name: &str| cell(cells, name).map(str::to_owned);
    Container {
        kind: of("top_container_type"),
        indicator: of("top_container_indicator"),
        barcode: of("top_container_barcode"),
    }
}

pub(super) fn apply(row: &Row, record: &mut Value, library: &Library, problems: &mut Vec<Problem>) -> bool {
    if row.instances.is_empty() && row.digital.is_empty() {
        return false;
    }
    let instances = list(record, "instances");
    let is_digital = |instance: &Value| instance["instance_type"] == "digital_object";
    let (digital, held): (Vec<usize>, Vec<usize>) =
        (0..instances.len()).partition(|place| is_digital(&instances[*place]));
    let mut changed = false;
    for (index, cells) in &row.instances {
        changed |= in_container(instances, held.get(*index).copied(), (row.number, *index), cells, library, problems);
    }
    for (index, cells) in &row.digital {
        changed |= of_digital(instances, digital.get(*index).copied(), (row.number, *index), cells, library, problems);
    }
    changed
}

/// Without cells an instance stays: a sheet cannot delete it. Nothing changes.
fn stays(place: Option<usize>, (row, index): (usize, usize), what: &str, problems: &mut Vec<Problem>) -> bool {
    if place.is_some() {
        let column = format!("instances/{index}");
        problems.push(Problem::at(row, &column, format!("Deleting {what} is disabled.")));
    }
    false
}

fn in_container(
    instances: &mut Vec<Value>,
    place: Option<usize>,
    (row, index): (usize, usize),
    cells: &Cells,
    library: &Library,
    problems: &mut Vec<Problem>,
) -> bool {
    if is_empty(cells) {
        return stays(place, (row, index), "an instance", problems);
    }
    let new = || json!({"jsonmodel_type": "instance", "sub_container": {"jsonmodel_type": "sub_container"}});
    let mut instance = place.map_or_else(new, |place| instances[place].clone());
    let before = instance.clone();
    let replace = |record: &mut Value, member: &str, value: Option<&str>| {
        if !has(record, member, value) {
            set(record, member, value);
        }
    };
    replace(&mut instance, "instance_type", cell(cells, "instance_type"));
    let part = &mut instance["sub_container"];
    HELD.iter().for_each(|(member, column)| replace(part, member, cell(cells, column)));
    let wanted = container(cells);
    match library.containers.get(&wanted) {
        Some(uri) if part["top_container"]["ref"] == uri.as_str() => {}
        Some(uri) => part["top_container"] = json!({"ref": uri}),
        None if wanted == Container::default() => set(part, "top_container", None),
        None => {
            let column = format!("instances/{index}/top_container_indicator");
            problems.push(Problem::at(row, &column, missing(&wanted, library, problems)));
        }
    }
    if instance == before {
        return false;
    }
    match place {
        Some(place) => instances[place] = instance,
        None => instances.push(instance),
    }
    true
}

/// The message about a container that the resource does not have; only the first one lists those that it has.
fn missing(wanted: &Container, library: &Library, problems: &[Problem]) -> String {
    const FIRST: &str = "Top container not found attached within resource: ";
    let shown = |container: &Container| {
        let text = |part: &Option<String>| part.as_ref().map_or_else(|| "nil".to_owned(), |text| format!("{text:?}"));
        let Container { kind, indicator, barcode } = container;
        format!(
            "{{:top_container_type=>{}, :top_container_indicator=>{}, :top_container_barcode=>{}}}",
            text(kind),
            text(indicator),
            text(barcode)
        )
    };
    let mut message = format!(
        "{FIRST}{}\nSet 'create_missing_top_containers' to true to create Top Containers that do not exist.\n",
        shown(wanted)
    );
    let was_told = problems.iter().flat_map(|problem| &problem.errors).any(|error| error.starts_with(FIRST));
    if !was_told {
        message.push_str("The following top containers are attached within this resource:\n");
        for (container, uri) in &library.containers {
            message.push_str(&format!("[{}, {uri:?}]\n", shown(container)));
        }
    }
    message
}

fn of_digital(
    instances: &mut Vec<Value>,
    place: Option<usize>,
    (row, index): (usize, usize),
    cells: &Cells,
    library: &Library,
    problems: &mut Vec<Problem>,
) -> bool {
    if is_empty(cells) {
        return stays(place, (row, index), "an digital object instance", problems);
    }
    let column = format!("digital_object/{index}/digital_object_id");
    let Some(id) = cell(cells, "digital_object_id") else {
        problems.push(Problem::at(row, &column, "Digital Object ID is required"));
        return false;
    };
    let Some(uri) = library.digital_objects.get(id) else {
        problems.push(Problem::at(row, &column, format!("Digital Object not found for {id}")));
        return false;
    };
    match place {
        Some(place) if instances[place]["digital_object"]["ref"] == uri.as_str() => false,
        Some(place) => {
            instances[place]["digital_object"] = json!({"ref": uri});
            true
        }
        None => {
            let instance = json!({"jsonmodel_type": "instance", "instance_type": "digital_object",
                "digital_object": {"ref": uri}});
            instances.push(instance);
            true
        }
    }
}
