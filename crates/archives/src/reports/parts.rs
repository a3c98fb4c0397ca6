//! Sub-reports of reports that staff put together (contract 3.5, `/reports/custom_data`): what a row shows of the lists in its record,
//! and of the records around it. The latter are found by `archival_report_part` in SQL, for many rows at once.

use serde_json::{Map, Value};

use super::readable::{Labels, number, readable};

/// A list in a record: the member, and the columns of its items. `?` is yes or no, `%` a number with two decimals; after `<`
/// is the path to the value, if it is not named like the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Own {
    member: &'static str,
    columns: &'static str,
    /// Lists in the items.
    within: &'static [(&'static str, Own)],
}

/// A sub-report.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// What it is called in templates and rows.
    pub name: &'static str,
    pub code: &'static str,
    /// None if it is about other records.
    own: Option<Own>,
    labels: Labels,
}

const fn own(
    name: &'static str,
    code: &'static str,
    member: &'static str,
    columns: &'static str,
    labels: Labels,
) -> Part {
    Part { name, code, own: Some(Own { member, columns, within: &[] }), labels }
}

const fn around(name: &'static str, code: &'static str, labels: Labels) -> Part {
    Part { name, code, own: None, labels }
}

const DATES: Labels = &[
    ("date_type", "date_type"),
    ("label", "date_label"),
    ("certainty", "date_certainty"),
    ("era", "date_era"),
    ("calendar", "date_calendar"),
];
const RIGHTS: Labels = &[
    ("rights_type", "rights_statement_rights_type"),
    ("jurisdiction", "country_iso_3166"),
    ("status", "rights_statement_ip_status"),
    ("other_rights_basis", "rights_statement_other_rights_basis"),
    ("level", "archival_record_level"),
];
const LINKED: Labels = &[
    ("role", "linked_agent_role"),
    ("relator", "linked_agent_archival_record_relators"),
    ("level", "archival_record_level"),
];
const OF_EVENT: Labels = &[("role", "linked_event_archival_record_roles"), ("level", "archival_record_level")];
const HELD: Labels = &[("type", "container_type")];
const INSTANCES: Labels = &[
    ("type", "container_type"),
    ("type_2", "container_type"),
    ("type_3", "container_type"),
    ("instance_type", "instance_instance_type"),
];

const DATE: Part =
    own("date", "date_subreport", "dates", "date_type label certainty expression begin end era calendar", DATES);
const DATE_OF_EVENT: Part =
    own("date", "date_subreport", "date", "date_type label certainty expression begin end era calendar", DATES);
const EXTENT: Part = own(
    "extent",
    "extent_subreport",
    "extents",
    "portion container_summary physical_details dimensions extent_number<number extent_type",
    &[("portion", "extent_portion"), ("extent_type", "extent_extent_type")],
);
const DEACCESSION: Part = own(
    "deaccession",
    "deaccession_subreport",
    "deaccessions",
    "scope description reason disposition ?notification",
    &[("scope", "deaccession_scope")],
);
const DOCUMENT: Part = own(
    "external_document",
    "external_document_subreport",
    "external_documents",
    "record_title<title location ?publish identifier_type",
    &[("identifier_type", "rights_statement_external_document_identifier_type")],
);
const LANGUAGE: Part = own(
    "language",
    "language_subreport",
    "lang_materials",
    "language<language_and_script/language script<language_and_script/script",
    &[("language", "language_iso639_2"), ("script", "script_iso15924")],
);
const RIGHTS_STATEMENT: Part = own(
    "rights_statement",
    "rights_statement_subreport",
    "rights_statements",
    "rights_type statute_citation jurisdiction status start_date end_date determination_date license_terms other_rights_basis",
    RIGHTS,
);
const MANAGEMENT: Part = own(
    "collection_management",
    "collection_management_subreport",
    "collection_management",
    "%processing_hours_per_foot_estimate %processing_hours_total processing_plan processing_priority processing_status \
     processing_funding_source processors ?rights_determined extent_number<processing_total_extent \
     extent_type<processing_total_extent_type",
    &[
        ("extent_type", "extent_extent_type"),
        ("processing_priority", "collection_management_processing_priority"),
        ("processing_status", "collection_management_processing_status"),
    ],
);
const USER_DEFINED: Part = own(
    "user_defined",
    "user_defined_subreport",
    "user_defined",
    "?boolean_1 ?boolean_2 ?boolean_3 integer_1 integer_2 integer_3 %real_1 %real_2 %real_3 string_1 string_2 string_3 \
     string_4 text_1 text_2 text_3 text_4 text_5 date_1 date_2 date_3 enum_1 enum_2 enum_3 enum_4",
    &[
        ("enum_1", "user_defined_enum_1"),
        ("enum_2", "user_defined_enum_2"),
        ("enum_3", "user_defined_enum_3"),
        ("enum_4", "user_defined_enum_4"),
    ],
);
const CONTACT: Part = Part {
    name: "agent_contact",
    code: "agent_contact_subreport",
    own: Some(Own {
        member: "agent_contacts",
        columns: "name salutation address_1 address_2 address_3 city region country post_code email email_signature",
        within: &[("telephone", Own { member: "telephones", columns: "number ext number_type", within: &[] })],
    }),
    labels: &[("salutation", "agent_contact_salutation"), ("number_type", "telephone_number_type")],
};
const NAME: Part = Part {
    name: "agent_name",
    code: "names_subreport",
    own: Some(Own {
        member: "names",
        columns: "sort_name source rules authority_id",
        within: &[(
            "use_dates",
            Own {
                member: "use_dates",
                columns: "date_type<date_type_structured certainty<date_certainty \
                    expression<structured_date_single/date_expression standardized<structured_date_single/date_standardized \
                    standardized_type<structured_date_single/date_standardized_type \
                    begin_expression<structured_date_range/begin_date_expression \
                    begin_standardized<structured_date_range/begin_date_standardized \
                    begin_standardized_type<structured_date_range/begin_date_standardized_type \
                    end_expression<structured_date_range/end_date_expression \
                    end_standardized<structured_date_range/end_date_standardized \
                    end_standardized_type<structured_date_range/end_date_standardized_type era<date_era \
                    calendar<date_calendar",
                within: &[],
            },
        )],
    }),
    labels: &[
        ("source", "name_source"),
        ("rules", "name_rule"),
        ("certainty", "date_certainty"),
        ("standardized_type", "date_standardized_type"),
        ("begin_standardized_type", "begin_date_standardized_type"),
        ("end_standardized_type", "end_date_standardized_type"),
        ("era", "date_era"),
        ("calendar", "date_calendar"),
    ],
};
const AGENT: Part = around("linked_agent", "agent_subreport", LINKED);
const SUBJECT: Part =
    around("subject", "subject_subreport", &[("type", "subject_term_type"), ("source", "subject_source")]);
const CLASSIFICATION: Part = around("classification", "classification_subreport", &[]);
const ASSESSMENT: Part = around("assessment", "assessment_subreport", &[]);
const EVENT: Part = around(
    "event",
    "event_subreport",
    &[
        ("event_type", "event_event_type"),
        ("outcome", "event_outcome"),
        ("date_type", "date_type"),
        ("label", "date_label"),
        ("certainty", "date_certainty"),
        ("era", "date_era"),
        ("calendar", "date_calendar"),
    ],
);

/// Lists of linked records, with the labels of the roles that these have.
const fn linked(name: &'static str, labels: Labels) -> Part {
    let code = match name.as_bytes() {
        b"accession" => "linked_accession_subreport",
        b"archival_object" => "linked_archival_object_subreport",
        b"digital_object" => "linked_digital_object_subreport",
        b"digital_object_component" => "linked_digital_object_component_subreport",
        _ => "linked_resource_subreport",
    };
    around(name, code, labels)
}

const OF_ACCESSION: &[Part] = &[
    around("instance", "accession_instances_subreport", INSTANCES),
    around("interrelated_accession", "accession_linked_accessions_subreport", &[]),
    AGENT,
    ASSESSMENT,
    CLASSIFICATION,
    MANAGEMENT,
    DATE,
    DEACCESSION,
    EVENT,
    EXTENT,
    DOCUMENT,
    linked("resource", &[]),
    RIGHTS_STATEMENT,
    SUBJECT,
    USER_DEFINED,
];
const OF_AGENT: &[Part] = &[
    CONTACT,
    around("related_agent", "agent_related_agent_subreport", &[]),
    around("rights_statement", "agent_rights_statement_subreport", RIGHTS),
    NAME,
    EVENT,
    DOCUMENT,
    linked("accession", LINKED),
    linked("archival_object", LINKED),
    linked("digital_object", LINKED),
    linked("digital_object_component", LINKED),
    linked("resource", LINKED),
];
const OF_ARCHIVAL_OBJECT: &[Part] = &[
    around("instance", "archival_object_instances_subreport", INSTANCES),
    AGENT,
    ASSESSMENT,
    DATE,
    EVENT,
    EXTENT,
    DOCUMENT,
    LANGUAGE,
    linked("resource", &[]),
    RIGHTS_STATEMENT,
    SUBJECT,
];
const OF_ASSESSMENT: &[Part] = &[
    around("conservation_issues", "assessment_conservation_issues_subreport", &[]),
    around("formats", "assessment_material_types_formats_subreport", &[]),
    around("ratings", "assessment_rating_subreport", &[]),
    around("reviewer", "assessment_reviewer_subreport", &[]),
    around("surveyed_by", "assessment_surveyed_by_subreport", &[]),
    linked("accession", &[]),
    linked("archival_object", LINKED),
    linked("digital_object", &[]),
    linked("resource", &[]),
];
const OF_CLASSIFICATION: &[Part] = &[
    around("creator", "classification_creator_subreport", &[]),
    around("classification_term", "classification_term_subreport", &[]),
    linked("accession", &[]),
    linked("resource", &[]),
];
const OF_DIGITAL_OBJECT: &[Part] = &[
    around("file_version", "digital_object_file_versions_list_subreport", &[]),
    AGENT,
    ASSESSMENT,
    MANAGEMENT,
    DATE,
    EVENT,
    EXTENT,
    DOCUMENT,
    LANGUAGE,
    RIGHTS_STATEMENT,
    SUBJECT,
    USER_DEFINED,
];
const OF_COMPONENT: &[Part] = &[
    own(
        "file_version",
        "digital_object_component_file_versions_subreport",
        "file_versions",
        "uri<file_uri use_statement",
        &[("use_statement", "file_version_use_statement")],
    ),
    AGENT,
    DATE,
    EVENT,
    EXTENT,
    DOCUMENT,
    LANGUAGE,
    RIGHTS_STATEMENT,
    SUBJECT,
];
const OF_EVENTS: &[Part] = &[
    AGENT,
    DATE_OF_EVENT,
    DOCUMENT,
    linked("accession", OF_EVENT),
    linked("archival_object", OF_EVENT),
    linked("digital_object", OF_EVENT),
    linked("digital_object_component", OF_EVENT),
    linked("resource", OF_EVENT),
];
const OF_LOCATION: &[Part] = &[
    around("accession", "location_accessions_subreport", HELD),
    own(
        "location_function",
        "location_functions_subreport",
        "functions",
        "_function_type<location_function_type",
        &[("_function_type", "location_function_type")],
    ),
    around("owner_repo", "location_owner_repo_subreport", &[]),
    around("location_profile", "location_profiles_subreport", &[("dimension_units", "dimension_units")]),
    around("resource", "location_resources_subreport", HELD),
];
const OF_RESOURCE: &[Part] = &[
    around("instance", "resource_instances_subreport", INSTANCES),
    AGENT,
    ASSESSMENT,
    CLASSIFICATION,
    MANAGEMENT,
    DATE,
    DEACCESSION,
    EVENT,
    EXTENT,
    DOCUMENT,
    LANGUAGE,
    linked("accession", &[]),
    linked("archival_object", LINKED),
    RIGHTS_STATEMENT,
    SUBJECT,
    USER_DEFINED,
];
const OF_SUBJECT: &[Part] = &[
    own("term", "subject_term_subreport", "terms", "term term_type", &[("term_type", "subject_term_type")]),
    DOCUMENT,
    linked("accession", &[]),
    linked("archival_object", LINKED),
    linked("digital_object", &[]),
    linked("digital_object_component", &[]),
    linked("resource", &[]),
];

/// The sub-reports of a type of records.
pub(crate) fn parts_of(record_type: &str) -> &'static [Part] {
    match record_type {
        "accession" => OF_ACCESSION,
        "agent" => OF_AGENT,
        "archival_object" => OF_ARCHIVAL_OBJECT,
        "assessment" => OF_ASSESSMENT,
        "classification" => OF_CLASSIFICATION,
        "digital_object" => OF_DIGITAL_OBJECT,
        "digital_object_component" => OF_COMPONENT,
        "event" => OF_EVENTS,
        "location" => OF_LOCATION,
        "resource" => OF_RESOURCE,
        "subject" => OF_SUBJECT,
        _ => &[],
    }
}

impl Part {
    /// Whether it is about other records, which the database finds.
    pub(crate) fn is_around(&self) -> bool {
        self.own.is_none()
    }

    /// The list of a record, as people read it; null if nothing is in it.
    pub(crate) fn of(&self, record: &Value) -> Value {
        self.own.map_or(Value::Null, |own| self.shown(own.list(record)))
    }

    /// A list that the database has found, as people read it.
    pub(crate) fn shown(&self, list: Value) -> Value {
        let Value::Array(rows) = list else { return Value::Null };
        let rows = rows.into_iter().map(|row| match row {
            Value::Object(row) => Value::Object(readable(row, self.labels)),
            other => other,
        });
        rows.collect()
    }
}

impl Own {
    /// The rows of a list in a record or a part of one; null if there are none.
    fn list(self, of: &Value) -> Value {
        let rows: Vec<Value> = match &of[self.member] {
            Value::Array(items) => items.iter().filter_map(|item| self.row(item)).collect(),
            item @ Value::Object(_) => self.row(item).into_iter().collect(),
            _ => Vec::new(),
        };
        if rows.is_empty() { Value::Null } else { Value::Array(rows) }
    }

    /// The row of an item; none if the item says nothing of what is shown.
    fn row(self, item: &Value) -> Option<Value> {
        let mut row = Map::new();
        let mut says_something = false;
        for column in self.columns.split_whitespace() {
            let (column, path) = column.split_once('<').unwrap_or((column, column.trim_start_matches(['?', '%'])));
            let value = path.split('/').fold(item, |value, step| &value[step]);
            says_something |= !value.is_null();
            let name = column.trim_start_matches(['?', '%']);
            let value = match column.as_bytes().first() {
                Some(b'?') => if *value == true { "Yes" } else { "No" }.into(),
                Some(b'%') => match value.as_str().and_then(number) {
                    Some(number) => format!("{number:.2}").into(),
                    None => value.clone(),
                },
                _ => value.clone(),
            };
            row.insert(name.to_owned(), value);
        }
        for (name, list) in self.within {
            let list = list.list(item);
            says_something |= !list.is_null();
            row.insert((*name).to_owned(), list);
        }
        says_something.then_some(Value::Object(row))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_of_a_record_have_their_columns() {
        let part = |of: &str, name: &str| parts_of(of).iter().find(|part| part.name == name).expect("a part");
        let record = json!({"extents": [{"portion": "whole", "number": "2.5", "extent_type": "reels"}],
            "deaccessions": [{"scope": "part", "notification": true}], "lang_materials": [{"notes": []}],
            "collection_management": {"processing_hours_total": "3", "rights_determined": false}});
        assert_eq!(
            part("accession", "extent").of(&record),
            json!([{"portion": "Whole", "container_summary": null, "physical_details": null, "dimensions": null, "extent": "2.50 Reels"}])
        );
        let deaccession = &part("resource", "deaccession").of(&record)[0];
        assert_eq!((&deaccession["scope"], &deaccession["notification"]), (&json!("Part"), &json!("Yes")));
        assert_eq!(part("resource", "language").of(&record), Value::Null);
        let managed = &part("accession", "collection_management").of(&record)[0];
        assert_eq!((&managed["processing_hours_total"], &managed["rights_determined"]), (&json!("3.00"), &json!("No")));
        assert_eq!(part("accession", "date").of(&record), Value::Null);
    }

    #[test]
    fn lists_may_have_lists() {
        let agent = json!({"agent_contacts": [{"name": "Desk", "telephones": [{"number": "7", "number_type": "home"}]}],
            "names": [{"sort_name": "Gibb", "source": "local", "use_dates": [{"date_type_structured": "single",
                "structured_date_single": {"date_expression": "1900"}}]}]});
        let contact = CONTACT.of(&agent);
        assert_eq!(contact[0]["telephone"], json!([{"number": "7", "ext": null, "number_type": "home"}]));
        let name = NAME.of(&agent);
        assert_eq!(
            (&name[0]["source"], &name[0]["use_dates"][0]["expression"]),
            (&json!("Local sources"), &json!("1900"))
        );
    }

    #[test]
    fn names_of_sub_reports_are_unique_in_their_type() {
        for of in [
            "accession",
            "agent",
            "archival_object",
            "assessment",
            "classification",
            "digital_object",
            "digital_object_component",
            "event",
            "location",
            "resource",
            "subject",
        ] {
            let mut names: Vec<&str> = parts_of(of).iter().map(|part| part.name).collect();
            let many = names.len();
            names.sort_unstable();
            names.dedup();
            assert!(many > 0 && names.len() == many, "{of}");
        }
    }
}
