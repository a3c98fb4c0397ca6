//! What to decide for in place of what the records say.

use refusals::{Refusal, Refused};
use uuid::Uuid;

use super::refusal::NO_SUCH_VALUE;
use crate::{
    configuration::Configuration,
    records::{Item, Patron},
    refusal::not_an_id,
};

/// Values to try in place of those of the patron and the item; an absent one stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WhatIf {
    /// Another patron group.
    pub patron_group: Option<Uuid>,
    /// Another material type.
    pub material_type: Option<Uuid>,
    /// Another loan type.
    pub loan_type: Option<Uuid>,
    /// Another location.
    pub location: Option<Uuid>,
}

/// The members of a request, in the order of [`WhatIf`].
const MEMBERS: [&str; 4] = ["patronGroupId", "materialTypeId", "loanTypeId", "locationId"];

impl WhatIf {
    /// Reads the values by their names in a request.
    ///
    /// # Errors
    /// The first one that is not an id.
    pub fn read<'v>(value: impl Fn(&str) -> Option<&'v str>) -> Result<WhatIf, Refusal> {
        let id = |member: &'static str| match value(member).filter(|text| !text.is_empty()) {
            None => Ok(None),
            Some(text) => Uuid::try_parse(text).map(Some).map_err(|_| not_an_id(member)),
        };
        let [group, material, loan, location] = MEMBERS;
        Ok(WhatIf {
            patron_group: id(group)?,
            material_type: id(material)?,
            loan_type: id(loan)?,
            location: id(location)?,
        })
    }

    /// Refuses values that the library does not have.
    ///
    /// # Errors
    /// One refusal for each.
    pub fn check(&self, configuration: &Configuration) -> Result<(), Refused> {
        let [group, material, loan, location] = MEMBERS;
        let values = [
            (group, self.patron_group, self.patron_group.map(|id| configuration.patron_groups.contains_key(&id))),
            (material, self.material_type, self.material_type.map(|id| configuration.material_types.contains_key(&id))),
            (loan, self.loan_type, self.loan_type.map(|id| configuration.loan_types.contains_key(&id))),
            (location, self.location, self.location.map(|id| configuration.locations.contains_key(&id))),
        ];
        let unknown = values.into_iter().filter(|(_, _, known)| *known == Some(false));
        let refusals = unknown.map(|(member, id, _)| NO_SUCH_VALUE.about(member, id).with("id", id));
        Refused(refusals.collect()).or(())
    }

    /// Puts the values into an item.
    pub fn change_item(&self, item: &mut Item) {
        item.material_type_id = self.material_type.or(item.material_type_id);
        item.temporary_loan_type_id = self.loan_type.or(item.temporary_loan_type_id);
        item.effective_location_id = self.location.or(item.effective_location_id);
    }

    /// Puts the values into a patron.
    pub fn change_patron(&self, patron: &mut Patron) {
        patron.patron_group = self.patron_group.or(patron.patron_group);
    }
}
