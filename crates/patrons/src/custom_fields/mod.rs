//! Custom fields: members a library adds to its users (docs/folio/custom-fields.md). Their definitions are checked,
//! named and numbered here, and the values users have in them are held to the definitions.

pub mod definition;
pub mod name;
pub mod options;
pub mod records;
pub mod value;

use serde::Deserialize;
use serde_json::{Map, Value};

/// What a field asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs)]
pub enum FieldType {
    RadioButton,
    SingleCheckbox,
    SingleSelectDropdown,
    MultiSelectDropdown,
    TextboxShort,
    TextboxLong,
    DatePicker,
}

impl FieldType {
    /// One of some options, or several.
    #[must_use]
    pub fn is_choice(self) -> bool {
        matches!(
            self,
            Self::RadioButton | Self::SingleSelectDropdown | Self::MultiSelectDropdown
        )
    }

    /// Free text.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::TextboxShort | Self::TextboxLong)
    }

    /// FOLIO's word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::RadioButton => "RADIO_BUTTON",
            Self::SingleCheckbox => "SINGLE_CHECKBOX",
            Self::SingleSelectDropdown => "SINGLE_SELECT_DROPDOWN",
            Self::MultiSelectDropdown => "MULTI_SELECT_DROPDOWN",
            Self::TextboxShort => "TEXTBOX_SHORT",
            Self::TextboxLong => "TEXTBOX_LONG",
            Self::DatePicker => "DATE_PICKER",
        }
    }
}

/// The form a text must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs)]
pub enum TextFormat {
    #[default]
    Text,
    Email,
    Url,
    Number,
}

/// A definition, as far as it is decided by.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomField {
    /// Name that staff see.
    pub name: String,
    /// Name of the member of `customFields`; empty in a definition that is new.
    #[serde(default)]
    pub ref_id: String,
    /// What it asks for.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether a user may have several values.
    #[serde(default)]
    pub is_repeatable: bool,
    /// Explanation for staff.
    pub help_text: Option<String>,
    /// Present for a check box.
    pub checkbox_field: Option<Value>,
    /// Present for a choice.
    pub select_field: Option<SelectField>,
    /// Present for a text.
    pub text_field: Option<TextField>,
}

/// The choice a field offers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectField {
    /// Several options at once.
    pub multi_select: bool,
    /// The options.
    pub options: Options,
}

/// The options of a choice.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Options {
    /// In the order they are shown.
    pub values: Vec<Choice>,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Choice {
    /// `opt_0`; the value users have. Absent in a new option.
    pub id: Option<String>,
    /// What staff see.
    pub value: String,
    /// Chosen when nobody chose.
    #[serde(default)]
    pub default: bool,
}

/// The text a field takes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextField {
    /// The form it must have.
    #[serde(default)]
    pub field_format: TextFormat,
}

impl CustomField {
    /// Reads a record that its declaration has accepted.
    ///
    /// # Errors
    /// What serde says, for a record stored by another program.
    pub fn read(record: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(Value::Object(record.clone()))
    }

    /// The options of a choice; empty for other fields.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        match &self.select_field {
            Some(select) if self.field_type.is_choice() => &select.options.values,
            _ => &[],
        }
    }
}
