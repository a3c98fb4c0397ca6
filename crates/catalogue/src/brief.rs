//! What lists show of results (contract 1.4): from the database's JSON to the client's without values in between.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// An instance in a list. The database sends it in this form, with members that are null and without the tenant.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Brief<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(skip_deserializing)]
    tenant_id: &'a str,
    #[serde(borrow)]
    title: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "listed")]
    contributors: Vec<Contributor<'a>>,
    #[serde(borrow, skip_serializing_if = "Dates::is_empty", deserialize_with = "or_empty")]
    dates: Dates<'a>,
    #[serde(borrow, deserialize_with = "listed")]
    publication: Vec<Publication<'a>>,
    #[serde(deserialize_with = "or_empty")]
    staff_suppress: bool,
    #[serde(deserialize_with = "or_empty")]
    discovery_suppress: bool,
    is_bound_with: bool,
    #[serde(skip_deserializing)]
    shared: bool,
    #[serde(borrow, deserialize_with = "listed")]
    items: Vec<Item<'a>>,
    /// Lists show none of them.
    #[serde(skip_deserializing)]
    holdings: [(); 0],
}

/// Declares an object of which some members are shown: those that it has.
macro_rules! shown {
    ($name:ident { $($member:ident),+ }) => {
        #[derive(Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct $name<'a> {
            $(#[serde(borrow, default, skip_serializing_if = "Option::is_none")]
            $member: Option<&'a RawValue>,)+
        }

        impl Shown for $name<'_> {
            fn is_empty(&self) -> bool {
                $(self.$member.is_none())&&+
            }
        }
    };
}

trait Shown {
    /// Whether it has none of the members that are shown.
    fn is_empty(&self) -> bool;
}

shown!(Contributor { name, primary, contributor_name_type_id, contributor_type_id, authority_id });
shown!(Dates { date_type_id, date1, date2 });
shown!(Publication { publisher, date_of_publication });
shown!(CallNumber { call_number, prefix, suffix, type_id });

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    #[serde(borrow, deserialize_with = "or_empty")]
    effective_call_number_components: CallNumber<'a>,
}

impl Shown for Item<'_> {
    fn is_empty(&self) -> bool {
        self.effective_call_number_components.is_empty()
    }
}

/// What null stands for.
fn or_empty<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(value: D) -> Result<T, D::Error> {
    Option::deserialize(value).map(Option::unwrap_or_default)
}

/// Those of a list that show something.
fn listed<'de, D: Deserializer<'de>, T: Shown + Deserialize<'de>>(value: D) -> Result<Vec<T>, D::Error> {
    let mut all: Vec<T> = or_empty(value)?;
    all.retain(|one| !one.is_empty());
    Ok(all)
}

impl<'a> Brief<'a> {
    /// Reads what `brief_titles.sql` prints.
    ///
    /// # Errors
    /// It is in another form.
    pub(crate) fn read(text: &'a str, tenant: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str::<Self>(text).map(|brief| Self { tenant_id: tenant, ..brief })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_show_some_members_of_what_is_there() {
        let instance = json!({"id": "1", "title": "A", "contributors": [{"name": "B", "contributorTypeText": "c"}],
            "dates": null, "publication": [{"place": "P"}], "staffSuppress": null, "discoverySuppress": true,
            "isBoundWith": true, "items": [
                {"effectiveCallNumberComponents": {"callNumber": "C", "prefix": null}},
                {"effectiveCallNumberComponents": {}}, {"effectiveCallNumberComponents": null}]});
        let bare = json!({"id": "2", "title": null, "contributors": null, "dates": {"date1": "1999", "date2": null},
            "publication": null, "staffSuppress": true, "discoverySuppress": false, "isBoundWith": false, "items": null});
        let shown = [instance, bare].map(|read| {
            let text = read.to_string();
            serde_json::to_value(Brief::read(&text, "diku").expect("an instance")).expect("JSON")
        });
        let expected = [
            json!({"id": "1", "tenantId": "diku", "title": "A", "contributors": [{"name": "B"}], "publication": [],
             "staffSuppress": false, "discoverySuppress": true, "isBoundWith": true, "shared": false,
             "items": [{"effectiveCallNumberComponents": {"callNumber": "C"}}], "holdings": []}),
            json!({"id": "2", "tenantId": "diku", "title": null, "contributors": [], "dates": {"date1": "1999"},
             "publication": [], "staffSuppress": true, "discoverySuppress": false, "isBoundWith": false, "shared": false,
             "items": [], "holdings": []}),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_the_database_does_not_send_is_an_error() {
        assert!(Brief::read("{}", "diku").is_err());
    }
}
