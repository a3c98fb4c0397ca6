//! Containers and digital objects of a record (section 6.2).

use super::did::shown_date;
use super::{Description, prefixed};
use crate::read::{Json, is, list, resolved, text};

impl Description<'_> {
    pub(super) fn containers(&mut self, record: &Json) {
        let linked = self.options.linked.clone();
        for instance in list(record, "instances") {
            let Some(sub) = instance.get("sub_container").filter(|sub| sub.is_object()) else { continue };
            let Some(top) = sub.get("top_container").and_then(|link| linked.record(link)) else { continue };
            let mut id = prefixed(&(self.hex)());
            let mut label =
                text(instance, "instance_type").map(|kind| self.label("instance_instance_type", kind).to_owned());
            let barcode = text(top, "barcode");
            if let Some(barcode) = barcode.filter(|_| !self.ead3()) {
                label.get_or_insert_default().push_str(&format!(" [{barcode}]"));
            }
            let profile = top.get("container_profile").and_then(resolved);
            let attributes = [
                ("id", Some(id.as_str())),
                (self.type_attribute(), text(top, "type")),
                ("label", label.as_deref()),
                ("containerid", barcode.filter(|_| self.ead3())),
                ("altrender", profile.and_then(|profile| text(profile, "url").or_else(|| text(profile, "name")))),
            ];
            self.mixed("container", &attributes, text(top, "indicator").unwrap_or_default());
            for (kind, indicator) in [("type_2", "indicator_2"), ("type_3", "indicator_3")] {
                let Some(kind) = text(sub, kind) else { continue };
                let own = prefixed(&(self.hex)());
                let attributes =
                    [("id", Some(own.as_str())), ("parent", Some(id.as_str())), (self.type_attribute(), Some(kind))];
                self.mixed("container", &attributes, text(sub, indicator).unwrap_or_default());
                id = own;
            }
        }
    }

    pub(super) fn digital_objects(&mut self, record: &Json) {
        let linked = self.options.linked.clone();
        for instance in list(record, "instances") {
            if let Some(object) = instance.get("digital_object").and_then(|link| linked.record(link)) {
                self.digital_object(object, is(instance, "is_representative", true));
            }
        }
    }

    fn digital_object(&mut self, object: &Json, representative: bool) {
        if !self.shows(object) || is(object, "suppressed", true) {
            return;
        }
        let all = self.options.include_unpublished;
        let files: Vec<&Json> =
            list(object, "file_versions").iter().filter(|file| all || is(file, "publish", true)).collect();
        let title = text(object, "title");
        let public = is(object, "publish", true);
        if let [_, _, ..] = files[..] {
            let attributes = [
                ("xlink:title", title),
                ("xlink:type", Some("extended")),
                ("audience", (!public).then_some("internal")),
                ("xlink:role", representative.then_some("representative")),
            ];
            self.xml.open("daogrp", &attributes);
            self.daodesc(object);
            for file in files {
                self.daoloc(file, public);
            }
            self.xml.close("daogrp");
            return;
        }
        let file = files.first().copied();
        let of_file = |key| file.and_then(|file| text(file, key));
        let public = public && file.is_none_or(|file| is(file, "publish", true));
        let role = of_file("use_statement")
            .map(|used| if representative { format!("{used} representative") } else { used.to_owned() });
        let href = if file.is_some() { of_file("file_uri") } else { text(object, "digital_object_id") };
        let attributes = [
            ("xlink:title", title),
            ("xlink:type", Some("simple")),
            ("xlink:actuate", of_file("xlink_actuate_attribute").or(Some("onRequest"))),
            ("xlink:show", of_file("xlink_show_attribute").or(Some("new"))),
            ("xlink:role", role.as_deref()),
            ("xlink:href", href),
            ("audience", (!public).then_some("internal")),
        ];
        self.xml.open("dao", &attributes);
        self.daodesc(object);
        self.xml.close("dao");
    }

    fn daoloc(&mut self, file: &Json, public: bool) {
        let public = public && is(file, "publish", true);
        self.xml.empty(
            "daoloc",
            &[
                ("xlink:type", Some("locator")),
                ("xlink:href", text(file, "file_uri")),
                ("xlink:role", text(file, "use_statement")),
                ("xlink:title", text(file, "caption")),
                ("audience", (!public).then_some("internal")),
            ],
        );
    }

    fn daodesc(&mut self, object: &Json) {
        let content = object_description(object);
        self.xml.open("daodesc", &[]);
        self.content("daodesc", &content, true);
        self.xml.close("daodesc");
    }
}

/// `title: date` of a digital object, as much of it as there is.
pub(super) fn object_description(object: &Json) -> String {
    let mut content = text(object, "title").unwrap_or_default().to_owned();
    let date = list(object, "dates").first().map(shown_date).filter(|date| !date.is_empty() && !date.starts_with('-'));
    if let Some(date) = date {
        content.push_str(": ");
        content.push_str(&date);
    }
    content
}
