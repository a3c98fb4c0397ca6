//! Fields of the documents of some types that are more than members of their records (contract 8.2).

use std::collections::BTreeSet;

use serde_json::Value;

use super::document::{Builder, CONTAINER, LONGEST_SPAN, YEAR, members, push, text};

/// The day that stands for none (contract 4), and what is shown of it.
const UNKNOWN_DAY: &str = "9999-12-31";
const UNKNOWN: &str = "unknown";

impl Builder<'_> {
    /// Adds the fields of its type that are more than members of the record.
    pub(super) fn of_type(&mut self, kind: &str, is_agent: bool) {
        let record = self.record;
        if is_agent {
            self.agent();
        }
        match kind {
            "accession" => {
                let year = text(record, "/accession_date").get(..YEAR).and_then(|year| year.parse::<i64>().ok());
                self.put("accession_date_year", year.into());
                if record["accession_date"] == UNKNOWN_DAY {
                    self.put("accession_date", UNKNOWN.into());
                    self.hide("fullrecord", UNKNOWN.to_owned());
                }
            }
            "repository" => self.put("repository", record["uri"].clone()),
            CONTAINER => self.container(),
            "location" => {
                let code = self.name(&record["owner_repo"], &["code"]);
                self.put("owner_repo_display_string_u_ssort", code.into());
            }
            "event" => {
                let links = record["linked_records"].as_array().into_iter().flatten();
                let title = |link| self.name(link, &["name", "title", "display_string"]);
                let titles: Vec<Value> = links.map(|link| title(link).unwrap_or_else(|| "not_found".into())).collect();
                self.put("linked_record_titles", titles.into());
            }
            "classification" | "classification_term" => {
                self.put("classification_path", record["path_from_root"].to_string().into());
                let repository = self.name(&record["repository"], &["display_string"]);
                self.put("repo_sort", repository.into());
            }
            "assessment" => self.assessment(),
            "job" => self.job(),
            _ => {}
        }
        if matches!(kind, CONTAINER | "container_profile" | "location_profile" | "assessment") {
            self.put("display_string", record["display_string"].clone());
        }
        let profile = self.name(&record["location_profile"], &["display_string"]);
        self.put("location_profile_display_string_u_ssort", profile.into());
    }

    /// A job is called what it does, or the report that it makes.
    fn job(&mut self) {
        let record = self.record;
        let (kind, report) = (&record["job_type"], &record["job"]["report_type"]);
        let named = if report.is_string() { report } else { kind };
        for kind in [kind, report] {
            push(&mut self.shown, "types", kind.clone());
        }
        let words = named.as_str().unwrap_or_default().trim_end_matches("_job").replace('_', " ");
        let title = words.get(..1).unwrap_or_default().to_uppercase() + words.get(1..).unwrap_or_default();
        self.hide("title_sort", title.clone());
        self.put("title", title.into());
        self.put("report_type", report.clone());
        self.put("job_report_type", named.clone());
        // The files that a client sent come first, and have names.
        let work = &record["job"];
        let names =
            work["filenames"].as_array().map_or_else(|| vec![&work["filename"]], |names| names.iter().collect());
        let mut names = names.into_iter().filter_map(Value::as_str);
        let id = text(record, "/uri").rsplit('/').next().unwrap_or_default();
        let files = self.own_name().and_then(|named| named["files"].as_array()).cloned().unwrap_or_default();
        self.put("files", Value::Array(Vec::new()));
        for file in files {
            let link = format!("/jobs/{id}/file/{file}");
            let told = match names.next() {
                Some(name) => format!("input_file --- {name}"),
                None => format!("output_file --- {link}"),
            };
            push(&mut self.shown, "files", link.into());
            push(&mut self.shown, "job_data", told.into());
        }
        let parameters = work.as_object().into_iter().flatten();
        let is_told = |name: &str| !matches!(name, "jsonmodel_type" | "filenames" | "report_type");
        for (name, value) in parameters.filter(|(name, _)| is_told(name)) {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            push(&mut self.shown, "job_data", format!("{name} --- {shown}").into());
        }
    }

    fn agent(&mut self) {
        let record = self.record;
        let names = record["names"].as_array().into_iter().flatten();
        let authorized = names.clone().find(|name| name["authorized"] == true).unwrap_or(&Value::Null);
        let ids = record["agent_record_identifiers"].as_array().into_iter().flatten();
        let primary = ids.clone().find(|id| id["primary_identifier"] == true);
        let (authority, source) = match primary {
            Some(id) => (&id["record_identifier"], &id["source"]),
            None => (&authorized["authority_id"], &authorized["source"]),
        };
        self.put("authority_id", authority.clone());
        self.put("source", source.clone());
        let rule = &record["agent_conventions_declarations"][0]["name_rule"];
        self.put("rules", if rule.is_string() { rule.clone() } else { authorized["rules"].clone() });
        self.put("linked_agent_roles", record["linked_agent_roles"].clone());
        let is_user = !matches!(record["is_user"], Value::Null | Value::Bool(false));
        self.put("is_user", is_user.into());
        if is_user {
            push(&mut self.shown, "types", "agent_with_user".into());
        }
    }

    fn container(&mut self) {
        let record = self.record;
        let profile = self.name(&record["container_profile"], &["display_string"]);
        self.shown_if("container_profile_display_string_u_sstr", profile);
        let locations = record["container_locations"].as_array().map(Vec::as_slice).unwrap_or_default();
        self.put("has_location_u_sbool", (!locations.is_empty()).into());
        for location in locations.iter().filter(|location| location["status"] == "current") {
            push(&mut self.shown, "location_uri_u_sstr", location["ref"].clone());
            push(&mut self.shown, "location_uris", location["ref"].clone());
            let title = self.name(location, &["title"]);
            self.shown_if("location_display_string_u_sstr", title);
            let profile = self.name(location, &["location_profile"]);
            self.shown_if("location_profile_display_string_u_sstr", profile);
        }
        for series in record["series"].as_array().into_iter().flatten().filter(|series| series["publish"] == true) {
            push(&mut self.shown, "published_series_uri_u_sstr", series["ref"].clone());
            push(&mut self.shown, "published_series_title_u_sstr", series["display_string"].clone());
        }
        let shown: String = text(record, "/display_string").chars().filter(char::is_ascii_alphanumeric).collect();
        self.put("top_container_u_typeahead_utext", shown.to_lowercase().into());
        self.put("exported_u_sbool", record["exported_to_ils"].is_string().into());
        self.put("empty_u_sbool", record["collection"].as_array().is_none_or(Vec::is_empty).into());
        // Identifiers are found with and without their signs, and with their letters and digits apart.
        let mut ids = Vec::new();
        for (way, field) in [
            ("/series/*/identifier", "series_identifier_u_stext"),
            ("/collection/*/identifier", "collection_identifier_u_stext"),
        ] {
            members(record, way, &mut ids);
            for id in ids.drain(..).filter_map(Value::as_str) {
                for form in [plain(id), apart(id)] {
                    push(&mut self.shown, field, form.into());
                }
            }
        }
    }

    fn assessment(&mut self) {
        let record = self.record;
        let id = record["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).and_then(|id| id.parse::<i64>().ok());
        self.put("assessment_id", id.into());
        self.hidden.retain(|(field, _)| *field != "title_sort");
        self.hide("title_sort", id.unwrap_or_default().to_string());
        for (member, field) in [("survey_begin", "assessment_survey_begin"), ("survey_end", "assessment_survey_end")] {
            if let Some(day) = record[member].as_str() {
                self.put(field, format!("{day}T00:00:00Z").into());
            }
        }
        self.put("assessment_completed", record["survey_end"].is_string().into());
        for (member, field) in [
            ("review_required", "assessment_review_required"),
            ("sensitive_material", "assessment_sensitive_material"),
            ("inactive", "assessment_inactive"),
        ] {
            self.put(field, (record[member] == true).into());
        }
        let year = |member: &str| text(record, member).get(..YEAR)?.parse::<i64>().ok();
        if let Some(begin) = year("/survey_begin") {
            let end = year("/survey_end").unwrap_or(begin).min(begin + LONGEST_SPAN);
            self.put("assessment_survey_year", (begin..=end.max(begin)).collect());
        }
        let records = record["records"].as_array().into_iter().flatten();
        let types: BTreeSet<String> =
            records.filter_map(|link| self.name(link, &["jsonmodel_type"])?.as_str().map(str::to_owned)).collect();
        self.put("assessment_record_types", types.into_iter().collect());
        for (member, field) in [
            ("records", "assessment_records"),
            ("surveyed_by", "assessment_surveyors"),
            ("reviewer", "assessment_reviewers"),
            ("collections", "assessment_collections"),
        ] {
            let links = record[member].as_array().into_iter().flatten();
            let names: Vec<Value> =
                links.filter_map(|link| self.name(link, &["display_string", "title", "name"])).collect();
            self.put(field, names.into());
        }
        for (member, field) in [
            ("formats", "assessment_formats"),
            ("ratings", "assessment_ratings"),
            ("conservation_issues", "assessment_conservation_issues"),
        ] {
            let is_told =
                |entry: &&Value| !entry["value"].is_null() || member == "ratings" && entry["note"].is_string();
            let entries = record[member].as_array().into_iter().flatten().filter(is_told);
            self.put(field, entries.map(|entry| entry["label"].clone()).collect());
        }
    }
}

/// An identifier without its signs.
fn plain(id: &str) -> String {
    id.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// An identifier with blanks between digits and what is none: `MS0002` is `MS 0002`.
fn apart(id: &str) -> String {
    let mut apart = String::with_capacity(id.len() + 4);
    let mut was_digit = None;
    for c in id.chars() {
        let is_digit = c.is_ascii_digit();
        if was_digit.is_some_and(|was| was != is_digit) {
            apart.push(' ');
        }
        was_digit = Some(is_digit);
        apart.push(c);
    }
    apart
}
