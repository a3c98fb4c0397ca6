//! Records beside users: proxies, custom fields, staged users, settings of the users module (docs/folio/users.md).

use store::collection::{Collection, IndexKind};

use crate::refusal::PROXY_EXISTS;

pub(super) fn collections() -> Vec<Collection> {
    vec![
        proxies(),
        custom_fields(),
        staging_users(),
        user_settings(),
        user_tenants(),
        table("/users/configurations/entry", "profile_picture_configuration", PICTURE_CONFIGURATION),
        table("/users/profile-picture", "profile_picture", "content*"),
        table("/patron-pin", "patronpin", "pin*"),
    ]
}

const PICTURE_CONFIGURATION: &str =
    "configName, enabled:bool, enabledObjectStorage:bool, encryptionKey, maxFileSize:number";

/// A table that its handlers read and write.
fn table(path: &'static str, table: &'static str, members: &str) -> Collection {
    Collection::new(path, table, table, members).without_metadata().without_routes()
}

fn proxies() -> Collection {
    Collection::new(
        "/proxiesfor",
        "proxiesFor",
        "proxyfor",
        "userId:uuid, proxyUserId:uuid, requestForSponsor, createdDate:datetime, notificationsTo, accrueTo, status,
         expirationDate:datetime",
    )
    .loose_reference("userId")
    .loose_reference("proxyUserId")
    .unique_as(&["userId", "proxyUserId"], IndexKind::Exact, PROXY_EXISTS)
}

const CUSTOM_FIELD: &str = "name*, refId~, type*:(RADIO_BUTTON|SINGLE_CHECKBOX|SINGLE_SELECT_DROPDOWN|\
    MULTI_SELECT_DROPDOWN|TEXTBOX_SHORT|TEXTBOX_LONG|DATE_PICKER), entityType*, visible:bool=true,
    required:bool=false, isRepeatable:bool=false, order~:int, helpText, checkboxField{default:bool=false},
    selectField{multiSelect*:bool, options*{values*[{id, value*, default:bool}], sortingOrder:(ASC|DESC|CUSTOM)=CUSTOM}},
    textField{fieldFormat*:(TEXT|EMAIL|URL|NUMBER)}, displayInAccordion";

fn custom_fields() -> Collection {
    Collection::new("/custom-fields", "customFields", "custom_fields", CUSTOM_FIELD)
        .unique_as(&["refId"], IndexKind::Exact, None)
        .folded(&["name"])
        .near_static()
        .without_routes()
}

const STAGING_USER: &str = "isEmailVerified:bool, minor:bool, status:(TIER-1|TIER-2), externalSystemId,
    generalInfo*{firstName*, preferredFirstName, middleName, lastName*},
    addressInfo{addressLine0, addressLine1, city, province, zip, country},
    contactInfo*{phone, mobilePhone, email*}, preferredEmailCommunication[(Support|Programs|Services)]";

/// What the staff application searches with one word.
const STAGING_KEYWORDS: &str = "carrel.joined(VARIADIC ARRAY[doc#>>'{generalInfo,firstName}', \
    doc#>>'{generalInfo,preferredFirstName}', doc#>>'{generalInfo,middleName}', doc#>>'{generalInfo,lastName}', \
    doc#>>'{contactInfo,phone}', doc#>>'{contactInfo,mobilePhone}', doc#>>'{contactInfo,email}', \
    doc->>'preferredEmailCommunication', doc->>'id', doc->>'isEmailVerified', doc->>'externalSystemId'])";

fn staging_users() -> Collection {
    Collection::new("/staging-users", "staging_users", "staging_users", STAGING_USER)
        .unique(&["externalSystemId"])
        .folded(&["contactInfo.email", "generalInfo.firstName", "generalInfo.lastName"])
        .virtual_field("keywords", STAGING_KEYWORDS)
        .words(&["keywords"])
        .without(&["get", "post", "put", "delete"])
}

fn user_settings() -> Collection {
    Collection::new("/user/settings", "settings", "user_settings", "scope*:(mod-users), key*, value*:any, userId:uuid")
        .versioned()
        .loose_reference("userId")
        .unique(&["key"])
}

/// The tenants of a consortium where a user is known; empty outside a consortium. Only user names ignore case.
fn user_tenants() -> Collection {
    Collection::new(
        "/user-tenants",
        "userTenants",
        "user_tenant",
        "userId*:uuid, username, tenantId*, centralTenantId, phoneNumber, mobilePhoneNumber, email, barcode,
         externalSystemId, consortiumId:uuid",
    )
    .without_metadata()
    .loose_reference("userId")
    .folded(&["username"])
    .index(&IndexKind::Exact, &["tenantId", "phoneNumber", "mobilePhoneNumber", "email", "barcode", "externalSystemId"])
    .without_routes()
}
