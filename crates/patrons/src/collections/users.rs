//! Users, patron groups, departments and address types (docs/folio/users.md#user-records).

use store::collection::{Collection, IndexKind};

use crate::{
    refusal::{BARCODE_TAKEN, DEPARTMENT_CODE_TAKEN, DEPARTMENT_NAME_TAKEN, USERNAME_TAKEN},
    user,
};

pub(super) fn collections() -> Vec<Collection> {
    vec![groups(), departments(), address_types(), users()]
}

fn groups() -> Collection {
    Collection::new("/groups", "usergroups", "groups", "group*, desc, expirationOffsetInDays:int, source, ...")
        .unique(&["group"])
        .configuration()
}

/// The number of its users is counted when a department is read.
const DEPARTMENT_WITH_USAGE: &str = "r.doc || jsonb_build_object('usageNumber', \
    (SELECT count(*) FROM users u WHERE (u.doc->'departments') @> to_jsonb(ARRAY[r.doc->>'id'])))";

fn departments() -> Collection {
    Collection::new("/departments", "departments", "departments", "name*, code*, usageNumber~:int, source")
        .unique_as(&["name"], IndexKind::Folded, DEPARTMENT_NAME_TAKEN)
        .unique_as(&["code"], IndexKind::Folded, DEPARTMENT_CODE_TAKEN)
        .represented(DEPARTMENT_WITH_USAGE)
        .configuration()
        .without(&["post", "put", "delete"])
}

fn address_types() -> Collection {
    Collection::new("/addresstypes", "addressTypes", "addresstype", "addressType*, desc")
        .unique(&["addressType"])
        .configuration()
        .without(&["delete"])
}

/// Table of the users, for other crates.
pub const USERS: &str = "users";

const USER: &str = "username, externalSystemId, barcode, active:bool, type, patronGroup:uuid, departments[uuid],
    meta:object, proxyFor[], personal{lastName*, firstName, middleName, preferredFirstName, pronouns<=300, email,
    phone, mobilePhone, dateOfBirth:datetime, addresses[{id, countryId, addressLine1, addressLine2, city, region,
    postalCode, addressTypeId*:uuid, primaryAddress:bool}], preferredContactTypeId, preferredContactTypeIds:any,
    profilePictureLink}, enrollmentDate:datetime, expirationDate:datetime, createdDate~:datetime,
    updatedDate~:datetime, tags{tagList[]}, customFields:object,
    preferredEmailCommunication[(Support|Programs|Services)]";

/// What the staff application searches with one word.
const KEYWORDS: &str = "carrel.joined(VARIADIC ARRAY[doc->>'username', doc#>>'{personal,firstName}', \
    doc#>>'{personal,preferredFirstName}', doc#>>'{personal,lastName}', doc#>>'{personal,middleName}', \
    doc#>>'{personal,email}', doc->>'barcode', doc->>'id', doc->>'externalSystemId', doc->>'customFields'])";

/// Users; `api::folio::users` writes them.
pub fn users() -> Collection {
    Collection::new("/users", "users", USERS, USER)
        .reference("patronGroup", "groups")
        .unique_as(&["username"], IndexKind::Folded, USERNAME_TAKEN)
        .unique_as(&["barcode"], IndexKind::Folded, BARCODE_TAKEN)
        .unique(&["externalSystemId"])
        .folded(&[
            "personal.lastName",
            "personal.firstName",
            "personal.middleName",
            "personal.email",
            "personal.phone",
            "personal.mobilePhone",
            "type",
        ])
        .index(&IndexKind::Exact, &["expirationDate"])
        .index(&IndexKind::Elements, &["departments", "personal.addresses"])
        .virtual_field("keywords", KEYWORDS)
        .words(&[
            "keywords",
            "username",
            "barcode",
            "externalSystemId",
            "personal.lastName",
            "personal.firstName",
            "personal.middleName",
            "personal.preferredFirstName",
            "personal.email",
            "customFields",
        ])
        .alias("patronGroup", &[("groups", "id", "patrongroup")])
        .with_result_info()
        .without(&["post", "put", "delete"])
        .checked(user::check)
}
