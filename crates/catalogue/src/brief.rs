//! What lists show of results (contract 1.4), as it is kept in the index: a page is filled without the database.

use std::fmt;

use serde::Serialize;
use serde_json_borrow::Value;

use crate::title::{Title, listed};

/// An instance in a list; it prints as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Brief<'t> {
    id: &'t str,
    tenant_id: &'t str,
    title: &'t Value<'t>,
    contributors: Vec<Contributor<'t>>,
    #[serde(skip_serializing_if = "Dates::is_empty")]
    dates: Dates<'t>,
    publication: Vec<Publication<'t>>,
    staff_suppress: bool,
    discovery_suppress: bool,
    is_bound_with: bool,
    shared: bool,
    items: Vec<Item<'t>>,
    /// Lists show none of them.
    holdings: [(); 0],
}

/// Declares an object of which some members are shown: those that it has.
macro_rules! shown {
    ($name:ident { $($member:ident: $of:literal),+ }) => {
        #[derive(Debug, Serialize)]
        struct $name<'t> {
            $(#[serde(rename = $of, skip_serializing_if = "Value::is_null")]
            $member: &'t Value<'t>,)+
        }

        impl<'t> $name<'t> {
            fn of(value: &'t Value<'t>) -> Self {
                Self { $($member: value.get($of),)+ }
            }

            /// Whether it has none of the members that are shown.
            fn is_empty(&self) -> bool {
                $(self.$member.is_null())&&+
            }
        }
    };
}

shown!(Contributor {
    name: "name",
    primary: "primary",
    name_type: "contributorNameTypeId",
    of_type: "contributorTypeId",
    authority: "authorityId"
});
shown!(Dates { of_type: "dateTypeId", first: "date1", second: "date2" });
shown!(Publication { publisher: "publisher", date: "dateOfPublication" });
shown!(CallNumber { number: "callNumber", prefix: "prefix", suffix: "suffix", of_type: "typeId" });

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'t> {
    effective_call_number_components: CallNumber<'t>,
}

impl<'t> Brief<'t> {
    /// What lists show of a title.
    pub(crate) fn of(title: &'t Title<'t>, tenant: &'t str) -> Self {
        let instance = &title.instance;
        let is = |member: &'static str| instance.get(member).as_bool() == Some(true);
        let contributors = listed(instance.get("contributors")).iter().map(Contributor::of);
        let publication = listed(instance.get("publication")).iter().map(Publication::of);
        let numbers = title.items.iter().map(|item| CallNumber::of(item.get("effectiveCallNumberComponents")));
        let numbers = numbers.filter(|number| !number.is_empty());
        Self {
            id: title.id,
            tenant_id: tenant,
            title: instance.get("title"),
            contributors: contributors.filter(|one| !one.is_empty()).collect(),
            dates: Dates::of(instance.get("dates")),
            publication: publication.filter(|one| !one.is_empty()).collect(),
            staff_suppress: is("staffSuppress"),
            discovery_suppress: is("discoverySuppress"),
            is_bound_with: title.is_bound_with,
            shared: false,
            items: numbers.map(|number| Item { effective_call_number_components: number }).collect(),
            holdings: [],
        }
    }
}

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::answer::Expanded;

    #[test]
    fn lists_show_some_members_of_what_is_there() {
        let full = Expanded {
            instance: json!({"id": "1", "title": "A", "contributors": [{"name": "B", "contributorTypeText": "c"}, {"primary": null}],
                "dates": null, "publication": [{"place": "P"}], "staffSuppress": null, "discoverySuppress": true}),
            items: vec![
                json!({"effectiveCallNumberComponents": {"callNumber": "C \"1\"", "prefix": null}}),
                json!({"effectiveCallNumberComponents": {}}),
                json!({"effectiveCallNumberComponents": null}),
            ],
            is_bound_with: true,
            ..Expanded::default()
        };
        let bare = Expanded {
            instance: json!({"id": "2", "title": null, "contributors": null, "dates": {"date1": "1999", "date2": null},
                "staffSuppress": true, "discoverySuppress": false}),
            ..Expanded::default()
        };
        let shown = [full, bare].map(|of| Brief::of(&of.title(), "diku").to_string());
        let shown = shown.map(|text| serde_json::from_str::<serde_json::Value>(&text).expect("JSON"));
        let expected = [
            json!({"id": "1", "tenantId": "diku", "title": "A", "contributors": [{"name": "B"}], "publication": [],
             "staffSuppress": false, "discoverySuppress": true, "isBoundWith": true, "shared": false,
             "items": [{"effectiveCallNumberComponents": {"callNumber": "C \"1\""}}], "holdings": []}),
            json!({"id": "2", "tenantId": "diku", "title": null, "contributors": [], "dates": {"date1": "1999"},
             "publication": [], "staffSuppress": true, "discoverySuppress": false, "isBoundWith": false, "shared": false,
             "items": [], "holdings": []}),
        ];
        assert_eq!(shown, expected);
    }
}
