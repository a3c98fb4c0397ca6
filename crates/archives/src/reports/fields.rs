//! What reports that staff put together can show, choose by and sort by (contract 3.5, `/reports/custom_data`).

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::parts::{Part, parts_of};

/// What a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Data {
    Text,
    Flag,
    Day,
    User,
    /// A value of a list.
    Listed,
    /// A type of agents.
    AgentType,
    Number,
}

impl Data {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "String",
            Self::Flag => "Boolean",
            Self::Day => "Date",
            Self::User => "User",
            Self::Listed => "Enum",
            Self::AgentType => "AgentType",
            Self::Number => "Decimal",
        }
    }
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub name: &'static str,
    pub data: Data,
    pub sortable: bool,
    /// The list that its values are of, if it is not named like the type and the field.
    list: Option<&'static str>,
}

/// A type of records with its fields.
#[derive(Debug)]
pub(crate) struct Group {
    pub name: &'static str,
    pub fields: Vec<Field>,
    /// Sub-reports that can be shown.
    pub parts: &'static [Part],
}

/// Types with their fields: `?` yes or no, `@` a day, `#` a value of a list, `&` a user, `%` a number, `$` a type of agents; `*` can be
/// sorted by; after `=` the list.
const FIELDS: &[(&str, &str)] = &[
    ("global", "&created_by* &last_modified_by* @create_time* @user_mtime*"),
    (
        "accession",
        "?access_restrictions access_restrictions_note @accession_date* #acquisition_type* condition_description \
         content_description disposition identifier* general_note inventory provenance ?publish #resource_type* \
         ?restrictions_apply retention_rule title* ?use_restrictions use_restrictions_note",
    ),
    ("agent", "$type* ?publish name*"),
    (
        "archival_object",
        "component_id* #level*=archival_record_level ?publish ref_id* repository_processing_note ?restrictions_apply title*",
    ),
    (
        "assessment",
        "?accession_report ?appraisal ?container_list ?catalog_record ?control_file ?finding_aid_ead ?finding_aid_paper \
         ?finding_aid_word ?finding_aid_spreadsheet surveyed_duration* surveyed_extent* ?review_required purpose* scope* \
         ?sensitive_material general_assessment_note special_format_note exhibition_value_note ?deed_of_gift \
         ?finding_aid_online ?related_eac_records existing_description_notes @survey_begin* @survey_end* review_note \
         ?inactive %monetary_value* monetary_value_note conservation_note",
    ),
    ("classification", "description identifier* title*"),
    ("digital_object_component", "component_id* label ?publish title*"),
    ("digital_object", "digital_object_id* #digital_object_type* #level* ?publish ?restrictions title*"),
    ("event", "#event_type* #outcome* outcome_note"),
    (
        "location",
        "area* barcode* building* classification* coordinate_1_indicator* coordinate_1_label* coordinate_2_indicator* \
         coordinate_2_label* coordinate_3_indicator* coordinate_3_label* floor* room* #temporary*",
    ),
    (
        "resource",
        "identifier* #level*=archival_record_level ?publish repository_processing_note #resource_type ?restrictions title* \
         ead_id* ead_location* finding_aid_title* finding_aid_subtitle* finding_aid_date* finding_aid_author* \
         #finding_aid_description_rules* #finding_aid_language*=language_iso639_2 #finding_aid_script*=script_iso15924 \
         finding_aid_sponsor* finding_aid_edition_statement finding_aid_series_statement #finding_aid_status* \
         finding_aid_note*",
    ),
    ("subject", "title* authority_id* scope_note #source*"),
];

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let group = |(name, fields): &(&'static str, &'static str)| Group {
        name,
        fields: fields.split_whitespace().map(Field::read).collect(),
        parts: parts_of(name),
    };
    FIELDS.iter().map(group).collect()
});

/// The type with this name.
pub(crate) fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name)
}

/// The fields that every type has.
pub(crate) fn of_all() -> &'static [Field] {
    group("global").map(|group| group.fields.as_slice()).unwrap_or_default()
}

impl Field {
    fn read(text: &'static str) -> Self {
        let (text, list) = text.split_once('=').map_or((text, None), |(text, list)| (text, Some(list)));
        let (text, sortable) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
        let data = match text.as_bytes().first() {
            Some(b'?') => Data::Flag,
            Some(b'@') => Data::Day,
            Some(b'#') => Data::Listed,
            Some(b'&') => Data::User,
            Some(b'%') => Data::Number,
            Some(b'$') => Data::AgentType,
            _ => Data::Text,
        };
        let name = text.trim_start_matches(['?', '@', '#', '&', '%', '$']);
        Self { name, data, sortable, list }
    }

    /// The list that the values of the field are of.
    pub(crate) fn list(&self, group: &str) -> String {
        self.list.map_or_else(|| format!("{group}_{}", self.name), str::to_owned)
    }
}

/// What clients can put into a template.
pub fn custom_data() -> Value {
    let told = GROUPS.iter().map(|group| {
        let fields = group.fields.iter().map(|field| {
            let mut told = Map::new();
            if field.sortable {
                told.insert("sortable".to_owned(), true.into());
            }
            if let Some(list) = field.list {
                told.insert("enum_name".to_owned(), list.into());
            }
            told.insert("name".to_owned(), field.name.into());
            told.insert("data_type".to_owned(), field.data.name().into());
            Value::Object(told)
        });
        let parts = group.parts.iter().map(|part| json!({"name": part.name, "code": part.code}));
        let told = json!({"fields": fields.collect::<Value>(), "subreports": parts.collect::<Value>()});
        (group.name.to_owned(), told)
    });
    Value::Object(told.collect())
}
