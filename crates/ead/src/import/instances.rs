//! Containers and digital objects (section 6.4).

use serde_json::{Value, json};

use super::ImportError;
use super::build::{Build, Draft, MISSING, NAME, NOTE, object};
use super::ead3;
use super::tree::Element;

/// Longest titles and file URIs of digital objects, in characters.
const LONG: usize = 16_384;

impl Build<'_> {
    pub(super) fn container(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let line = element.line();
        let mut indicator = self.limited(draft, line, "container", element.plain(), NAME)?;
        if indicator.is_empty() {
            self.repair(draft, line, "container", MISSING, "indicator became `unknown`")?;
            indicator = "unknown".to_owned();
        }
        let kind = element.attribute("type").map(|kind| self.value("container_type", kind));
        let id = element.attribute("id").map(str::to_owned);
        let place = match inner_of(draft, element).filter(|place| has_room(draft, *place)) {
            Some(place) => {
                let kind = match kind {
                    Some(kind) => kind,
                    None => {
                        let problem = "container 2 requires both a type and indicator";
                        self.repair(draft, line, "container", problem, "type became `unspecified`")?;
                        "unspecified".to_owned()
                    }
                };
                put_inside(draft, place, kind, indicator);
                place
            }
            None => self.new_instance(draft, element, kind, indicator),
        };
        draft.containers.push((id, place));
        Ok(())
    }

    fn new_instance(&mut self, draft: &mut Draft, element: &Element, kind: Option<String>, indicator: String) -> usize {
        let (label, barcode) = split_barcode(element.attribute("label").unwrap_or("mixed_materials"));
        let key = match barcode {
            Some(barcode) => format!("barcode {barcode}"),
            None => format!("container {}:{indicator}", kind.as_deref().unwrap_or_default()),
        };
        let fields = [("barcode", barcode.map(str::to_owned)), ("indicator", Some(indicator)), ("type", kind)];
        let mut top = object("top_container", fields);
        let profile = element.attribute("altrender").and_then(|name| self.options.container_profiles.get(name));
        if let Some(profile) = profile {
            top["container_profile"] = json!({"ref": profile});
        }
        let uri = self.shared(key, "top_containers", top, element.line());
        let known = self.options.lists.value("instance_instance_type", label);
        let kind = known.map_or_else(|| label.to_lowercase(), str::to_owned);
        // Digital objects have no containers.
        let kind = if kind == "digital_object" || kind.is_empty() { "mixed_materials".to_owned() } else { kind };
        let instance = json!({
            "jsonmodel_type": "instance",
            "instance_type": kind,
            "sub_container": {"jsonmodel_type": "sub_container", "top_container": {"ref": uri}},
        });
        draft.push("instances", instance)
    }

    pub(super) fn dao(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let title = element.link("title").map(str::to_owned);
        let file = self.file(draft, element, None)?;
        self.digital_object(draft, element, title, file.into_iter().collect())
    }

    pub(super) fn daogrp(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let title = element.link("title").map(str::to_owned);
        let title = title.unwrap_or_else(|| format!("{} Digital Object", shown_title(draft)).trim().to_owned());
        let mut files = Vec::new();
        for location in element.elements().filter(|child| child.name() == "daoloc") {
            let label = location.link("label");
            let arc = element.elements().find(|arc| arc.name() == "arc" && label.is_some() && arc.link("to") == label);
            files.extend(self.file(draft, location, arc)?);
        }
        self.digital_object(draft, element, Some(title), files)
    }

    /// A file version; how it is shown may be said by the arc that leads to it.
    fn file(&mut self, draft: &Draft, element: &Element, arc: Option<&Element>) -> Result<Option<Value>, ImportError> {
        let Some(href) = element.link("href") else {
            self.repair(
                draft,
                element.line(),
                element.name(),
                "file_uri: Property is required but was missing",
                "no file",
            )?;
            return Ok(None);
        };
        let href = self.limited(draft, element.line(), element.name(), href.to_owned(), LONG)?;
        let grouped = element.name() == "daoloc";
        let shown = if grouped { arc } else { Some(element) };
        let actuate = self.listed(
            draft,
            element,
            "file_version_xlink_actuate_attribute",
            shown.and_then(|shown| shown.link("actuate")),
        )?;
        let show = self.listed(
            draft,
            element,
            "file_version_xlink_show_attribute",
            shown.and_then(|shown| shown.link("show")),
        )?;
        let mut file = object(
            "file_version",
            [
                ("file_uri", Some(href)),
                ("use_statement", element.link("role").map(str::to_owned)),
                ("xlink_actuate_attribute", actuate),
                ("xlink_show_attribute", show),
                ("caption", element.link("title").filter(|_| grouped).map(str::to_owned)),
            ],
        );
        file["publish"] = element.published().into();
        Ok(Some(file))
    }

    fn digital_object(
        &mut self,
        draft: &mut Draft,
        element: &Element,
        title: Option<String>,
        files: Vec<Value>,
    ) -> Result<(), ImportError> {
        let line = element.line();
        let title = match title {
            Some(title) => self.limited(draft, line, element.name(), title, LONG)?,
            None => {
                let problem = format!("title: {MISSING}");
                self.repair(draft, line, element.name(), problem, "title taken from the record")?;
                shown_title(draft)
            }
        };
        let title = if title.is_empty() { "Untitled".to_owned() } else { title };
        let id = (self.options.ids)();
        let mut object = object("digital_object", [("digital_object_id", Some(id)), ("title", Some(title))]);
        object["publish"] = element.published().into();
        object["file_versions"] = files.into();
        let mut notes = Vec::new();
        for description in element.elements().filter(|child| child.name() == "daodesc" && !child.is_blank()) {
            let content = self.limited(draft, description.line(), "daodesc", description.inner(), NOTE)?;
            notes.push(json!({
                "jsonmodel_type": "note_digital_object",
                "type": "note",
                "publish": description.published(),
                "content": [content],
            }));
        }
        object["notes"] = notes.into();
        if let Some(kind) = element.attribute(ead3::OBJECT_TYPE) {
            object["digital_object_type"] = self.value("digital_object_digital_object_type", kind).into();
        }
        let uri = self.own("digital_objects", object, line);
        let mut instance = json!({
            "jsonmodel_type": "instance",
            "instance_type": "digital_object",
            "digital_object": {"ref": uri},
        });
        if element.attribute(ead3::REPRESENTATIVE).is_some() {
            instance["is_representative"] = true.into();
        }
        draft.push("instances", instance);
        Ok(())
    }
}

/// The instance that a container is inside of: the one its `parent` names, or the last one when it has neither `parent`
/// nor `id`.
fn inner_of(draft: &Draft, element: &Element) -> Option<usize> {
    let last = draft.containers.last().map(|(_, place)| *place);
    match (element.attribute("parent"), element.attribute("id")) {
        (Some(parent), _) => {
            let named = draft.containers.iter().find(|(id, _)| id.as_deref() == Some(parent));
            named.map(|(_, place)| *place).or(last)
        }
        (None, Some(_)) => None,
        (None, None) => last,
    }
}

fn sub_container(draft: &mut Draft, place: usize) -> Option<&mut Value> {
    draft.record.get_mut("instances")?.get_mut(place)?.get_mut("sub_container")
}

/// Whether the instance has a level of containers left. AS drops a container for which there is none; here it starts an
/// instance of its own.
fn has_room(draft: &mut Draft, place: usize) -> bool {
    sub_container(draft, place).is_some_and(|sub| sub.get("type_3").is_none())
}

fn put_inside(draft: &mut Draft, place: usize, kind: String, indicator: String) {
    let Some(sub) = sub_container(draft, place) else { return };
    let level = if sub.get("type_2").is_none() { 2 } else { 3 };
    sub[format!("type_{level}")] = kind.into();
    sub[format!("indicator_{level}")] = indicator.into();
}

/// `Mixed Materials [32101040884016]` as label and barcode.
fn split_barcode(label: &str) -> (&str, Option<&str>) {
    let whole = (label.trim(), None);
    let Some(inside) = label.strip_suffix([']', ')']) else { return whole };
    let open = inside
        .char_indices()
        .rev()
        .find(|(at, c)| matches!(c, '[' | '(') && inside[..*at].ends_with(char::is_whitespace));
    let Some((at, _)) = open else { return whole };
    let barcode = inside[at + 1..].trim();
    (inside[..at].trim(), Some(barcode).filter(|barcode| !barcode.is_empty()))
}

/// The record's title, else its first date, without markup.
fn shown_title(draft: &Draft) -> String {
    let date = || draft.record.get("dates")?.as_array()?.first()?.get("expression")?.as_str();
    let title = draft.text("title").or_else(date).unwrap_or_default();
    let mut plain = String::new();
    for (at, piece) in title.split('<').enumerate() {
        plain.push_str(if at == 0 { piece } else { piece.split_once('>').map_or("", |(_, text)| text) });
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::split_barcode;

    #[test]
    fn labels_may_hold_barcodes() {
        for (label, wanted) in [
            ("Mixed Materials", ("Mixed Materials", None)),
            ("Mixed Materials [123]", ("Mixed Materials", Some("123"))),
            ("Text ( 456 )", ("Text", Some("456"))),
            ("Text (old) [789]", ("Text (old)", Some("789"))),
            ("Text[789]", ("Text[789]", None)),
            ("Text []", ("Text", None)),
        ] {
            assert_eq!(split_barcode(label), wanted, "{label}");
        }
    }
}
