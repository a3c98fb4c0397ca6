//! What rows link to: agents, subjects, containers and digital objects, found or made.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{
    Sink, Stop,
    parts::file_versions,
    report::RowReport,
    values::Values,
    wanted::{AGENTS, Known, id_of},
};
use crate::sheets::Line;

/// At the end of a name that several records have already.
const DISAMBIGUATE: &str = " DISAMBIGUATE ME!";
const VOCABULARY: &str = "/vocabularies/1";
const TOO_MANY: &str = "More than one match found in the database";

/// Finds or makes what rows link to. What one row made is used by the next ones.
pub(crate) struct Links<'a> {
    pub repository: i64,
    pub values: &'a Values,
    pub known: &'a Known,
    pub only_validates: bool,
    /// New hexadecimal digits each time.
    pub ids: Box<dyn FnMut() -> String + 'a>,
    /// Addresses of what was made, by type and how rows name it.
    pub made: HashMap<(String, String), String>,
}

/// The text of a refusal of a row; other reasons end the import.
fn refused(stop: Stop) -> Result<String, Stop> {
    match stop {
        Stop::Row(why) => Ok(why),
        other => Err(other),
    }
}

impl Links<'_> {
    /// A new temporary address.
    pub(crate) fn address(&mut self, place: &str) -> String {
        format!("{place}/import_{}", (self.ids)())
    }

    pub(crate) fn address_in_repository(&mut self, place: &str) -> String {
        let place = format!("/repositories/{}/{place}", self.repository);
        self.address(&place)
    }

    fn tell_made(&self, what: &str, uri: &str, report: &mut RowReport) {
        let told =
            if self.only_validates { format!("{what} would be created") } else { format!("{what} created: {uri}") };
        report.info.push(told);
    }

    /// The agents of a row, as links. Those that cannot be linked are reported.
    ///
    /// # Errors
    /// The import ends.
    pub(crate) fn agents(
        &mut self,
        line: &Line<'_>,
        sink: &mut dyn Sink,
        report: &mut RowReport,
    ) -> Result<Vec<Value>, Stop> {
        let mut links = Vec::new();
        for (plural, kind, place) in AGENTS {
            for number in 1.. {
                let of = |code: &str| line.get(&format!("{plural}_agent_{code}_{number}"));
                let (id, header) = (of("record_id"), of("header"));
                if id.is_none() && header.is_none() {
                    break;
                }
                let link = self.agent_link(of("relator"), of("role"), report);
                match self.agent((kind, place), id, header, (line.number, sink), report) {
                    Ok(uri) => links.extend(link.map(|mut link| {
                        link["ref"] = uri.into();
                        link
                    })),
                    Err(stop) => {
                        let why = refused(stop)?;
                        report.errors.push(format!("Error processing {plural} Agent {number}: {why}"));
                    }
                }
            }
        }
        Ok(links)
    }

    /// What an agent did, if both values are known.
    fn agent_link(&self, relator: Option<&str>, role: Option<&str>, report: &mut RowReport) -> Option<Value> {
        let role = role.unwrap_or("creator");
        let mut link = json!({});
        let mut fits = true;
        for (member, list, value, name) in [
            ("role", "linked_agent_role", Some(role), "Role"),
            ("relator", "linked_agent_archival_record_relators", relator, "Relator"),
        ] {
            match value.map(|value| self.values.value(list, Some(value))) {
                Some(Ok(found)) => link[member] = found.into(),
                Some(Err(why)) => {
                    let value = value.unwrap_or_default();
                    report.errors.push(why);
                    report.errors.push(format!("Unable to create agent link: '{value}' is not a valid {name}"));
                    fits = false;
                }
                None => {}
            }
        }
        fits.then_some(link)
    }

    fn agent(
        &mut self,
        (kind, place): (&'static str, &str),
        id: Option<&str>,
        header: Option<&str>,
        (row, sink): (usize, &mut dyn Sink),
        report: &mut RowReport,
    ) -> Result<String, Stop> {
        let number = id.map(whole).transpose()?;
        if let Some(number) = number
            && self.known.authorities.contains_key(&(kind.to_owned(), number))
        {
            return Ok(format!("{place}/{number}"));
        }
        let placeholder = || format!("Agent ID {} NOT FOUND. This is a PLACEHOLDER", id.unwrap_or_default());
        let mut name = header.map_or_else(placeholder, str::to_owned);
        let mut publish = header.is_some();
        match self.known.titles.get(&(kind.to_owned(), name.clone())).map(Vec::as_slice) {
            Some([one]) => return Ok(format!("{place}/{}", one.id)),
            Some([_, _, ..]) => {
                (name, publish) = (self.disambiguated(&name, report), false);
                if let Some([one]) = self.known.titles.get(&(kind.to_owned(), name.clone())).map(Vec::as_slice) {
                    return Ok(format!("{place}/{}", one.id));
                }
            }
            _ => {}
        }
        let key = (kind.to_owned(), name.clone());
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let uri = self.address(place);
        let mut of_name = json!({"source": "ingest", "authorized": true, "is_display_name": true,
            "sort_name_auto_generate": true});
        match kind {
            "agent_family" => of_name["family_name"] = name.as_str().into(),
            _ => of_name["primary_name"] = name.as_str().into(),
        }
        if kind == "agent_person" {
            of_name["name_order"] = "direct".into();
        }
        of_name["jsonmodel_type"] = kind.replace("agent_", "name_").into();
        let agent = json!({"jsonmodel_type": kind, "uri": uri, "names": [of_name], "publish": publish});
        sink.add(agent, row).map_err(not_created)?;
        self.tell_made(&format!("Agent[{name}]"), &uri, report);
        self.made.insert(key, uri.clone());
        Ok(uri)
    }

    fn disambiguated(&self, name: &str, report: &mut RowReport) -> String {
        let other = format!("{name}{DISAMBIGUATE}");
        report.info.push(format!("Multiple match(es) found for '{name}'. Creating '{other}' for disabiguation."));
        other
    }

    /// The subjects of a row, as links.
    ///
    /// # Errors
    /// The import ends.
    pub(crate) fn subjects(
        &mut self,
        line: &Line<'_>,
        sink: &mut dyn Sink,
        report: &mut RowReport,
    ) -> Result<Vec<Value>, Stop> {
        let mut links = Vec::new();
        for number in 1..=10 {
            let of = |code: &str| line.get(&format!("subject_{number}_{code}"));
            if of("record_id").is_none() && of("term").is_none() {
                continue;
            }
            match self.subject(&of, (line.number, sink), report) {
                Ok(uri) => links.push(json!({"ref": uri})),
                Err(stop) => {
                    let why = refused(stop)?;
                    report.errors.push(format!("Error processing Subject {number}: {why}"));
                }
            }
        }
        Ok(links)
    }

    fn subject<'l>(
        &mut self,
        of: &dyn Fn(&str) -> Option<&'l str>,
        (row, sink): (usize, &mut dyn Sink),
        report: &mut RowReport,
    ) -> Result<String, Stop> {
        let id = of("record_id");
        let number = id.map(whole).transpose()?;
        if let Some(number) = number
            && self.known.authorities.contains_key(&("subject".to_owned(), number))
        {
            return Ok(format!("/subjects/{number}"));
        }
        let kind = of("type")
            .map_or_else(|| Ok("topical".to_owned()), |kind| self.values.value("subject_term_type", Some(kind)));
        let source =
            of("source").map_or_else(|| Ok("ingest".to_owned()), |of| self.values.value("subject_source", Some(of)));
        let (kind, source) = match (kind, source) {
            (Ok(kind), Ok(source)) => (kind, source),
            (kind, source) => {
                let wrong: Vec<String> = [kind.err(), source.err()].into_iter().flatten().collect();
                return Err(not_created(Stop::Row(wrong.join("; "))));
            }
        };
        let placeholder =
            || format!("subject [{kind}] [{source}] ID {} NOT FOUND. This is a PLACEHOLDER", id.unwrap_or_default());
        let mut term = of("term").map_or_else(placeholder, str::to_owned);
        let has_source = of("source").is_some();
        let found = |term: &str| -> Vec<i64> {
            let all = self.known.titles.get(&("subject".to_owned(), term.to_owned())).into_iter().flatten();
            let fits = all.filter(|one| {
                one.term_type.as_deref() == Some(kind.as_str())
                    && (!has_source || one.source.as_deref() == Some(source.as_str()))
            });
            fits.map(|one| one.id).collect()
        };
        match found(&term).as_slice() {
            [one] => return Ok(format!("/subjects/{one}")),
            [_, _, ..] => term = self.disambiguated(&term, report),
            [] => {}
        }
        let key = ("subject".to_owned(), format!("{term} {source}: {kind}"));
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let uri = self.address("/subjects");
        let terms = json!([{"jsonmodel_type": "term", "term": term, "term_type": kind, "vocabulary": VOCABULARY}]);
        let subject = json!({"jsonmodel_type": "subject", "uri": uri, "terms": terms, "source": source,
            "vocabulary": VOCABULARY});
        sink.add(subject, row).map_err(not_created)?;
        self.tell_made(&format!("Subject [{term}]"), &uri, report);
        self.made.insert(key, uri.clone());
        Ok(uri)
    }

    /// The address of a container: by barcode, or else by type and indicator among those of the resource; a new one if there
    /// is none.
    ///
    /// # Errors
    /// Several have the type and indicator; the new one is refused; the import ends.
    pub(crate) fn container(
        &mut self,
        kind: Option<&str>,
        indicator: Option<&str>,
        barcode: Option<&str>,
        (row, sink): (usize, &mut dyn Sink),
        report: &mut RowReport,
    ) -> Result<String, Stop> {
        let kind = self.values.value_or_new("container_type", kind.unwrap_or("Box"));
        let indicator = indicator.unwrap_or("Unknown").to_owned();
        let mut key = format!("{kind}: {indicator}");
        if let Some(barcode) = barcode {
            key = format!("{key} {barcode}");
        }
        let key = ("top_container".to_owned(), key);
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let found = match barcode {
            Some(barcode) => self.known.barcodes.get(barcode).cloned(),
            None => self.held(&kind, &indicator)?,
        };
        let uri = match found {
            Some(uri) => uri,
            None => {
                let uri = self.address_in_repository("top_containers");
                let container = json!({"jsonmodel_type": "top_container", "uri": uri, "type": kind,
                    "indicator": indicator, "barcode": barcode});
                sink.add(container, row)?;
                self.tell_made(&format!("Top Container [{kind} {indicator}]"), &uri, report);
                uri
            }
        };
        self.made.insert(key, uri.clone());
        Ok(uri)
    }

    fn held(&self, kind: &str, indicator: &str) -> Result<Option<String>, Stop> {
        let all = self.known.containers.get(&(kind.to_owned(), indicator.to_owned()));
        let all = all.map(Vec::as_slice).unwrap_or_default();
        let without: Vec<_> = all.iter().filter(|held| !held.has_barcode).collect();
        match (all, without.as_slice()) {
            ([], _) => Ok(None),
            ([one], _) => Ok(Some(one.uri.clone())),
            (_, [one]) => Ok(Some(one.uri.clone())),
            _ => Err(Stop::Row(TOO_MANY.to_owned())),
        }
    }

    /// A digital object of a row, with what is added to it, as an instance; none if it is refused, which is reported.
    ///
    /// # Errors
    /// The import ends.
    pub(crate) fn digital_object(
        &mut self,
        line: &Line<'_>,
        title: &str,
        more: Value,
        sink: &mut dyn Sink,
        report: &mut RowReport,
    ) -> Result<Option<(Value, String)>, Stop> {
        let id = line.text("digital_object_id").unwrap_or_else(|| (self.ids)());
        if self.known.digital_object_ids.contains(&id) {
            report.errors.push(format!("Digital Object ID '{id}' already exists."));
            return Ok(None);
        }
        let versions = match file_versions(line, self.values) {
            Ok(versions) => versions,
            Err(why) => {
                report.errors.push(why);
                return Ok(None);
            }
        };
        let uri = self.address_in_repository("digital_objects");
        let title = line.get("digital_object_title").unwrap_or(title);
        let mut record = more;
        record["jsonmodel_type"] = "digital_object".into();
        record["uri"] = uri.as_str().into();
        record["title"] = title.into();
        record["digital_object_id"] = id.as_str().into();
        record["file_versions"] = versions.into();
        record["publish"] = json!(line.flag("digital_object_publish"));
        if let Err(stop) = sink.add(record, line.number) {
            let why = refused(stop)?;
            report.errors.push(format!("Cannot create the digital object {why}"));
            return Ok(None);
        }
        let told = if self.only_validates {
            "Digital Object would be created".to_owned()
        } else {
            format!("Digital Object created: '{title}' {uri} [{id}]")
        };
        report.info.push(told);
        let instance =
            json!({"jsonmodel_type": "instance", "instance_type": "digital_object", "digital_object": {"ref": uri}});
        Ok(Some((instance, uri)))
    }
}

fn whole(id: &str) -> Result<i64, Stop> {
    id_of(id).ok_or_else(|| not_created(Stop::Row(format!("'{id}' is not a number"))))
}

fn not_created(stop: Stop) -> Stop {
    match stop {
        Stop::Row(why) => Stop::Row(format!("Unable to create: [{why}]")),
        other => other,
    }
}
