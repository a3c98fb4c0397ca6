//! Reasons to refuse records of patrons, in FOLIO's words.

refusals::table! {
    /// Users and their custom fields.
    pub USERS: Storage, "docs/folio/users.md#refusals-of-users";
    BORN_TOO_EARLY: "The date of birth is before year 1." => 400 "dateOfBirth must be at least 0001-01-01";
    ADDRESS_TYPE_TWICE: "A user has two addresses of one type."
        => 400 "Users are limited to one address per addresstype";
    ADDRESS_TYPE_UNKNOWN: "A new user has an address of a type that does not exist."
        => 400 "You cannot add addresses with non-existent address types";
    ADDRESS_TYPE_UNKNOWN_IN_CHANGE: "A changed user has an address of a type that does not exist."
        => 400 "All addresses types defined for users must be existing";
    GROUP_UNKNOWN: "The patron group does not exist." => 400 "Cannot add {group}. Patron group not found";
    DEPARTMENT_UNKNOWN: "A department of a new user does not exist."
        => 422 "Cannot set users.departments = {users.departments} because it does not exist in departments.id."
           ["users.departments"];
    DEPARTMENT_UNKNOWN_IN_CHANGE: "A department of a changed user does not exist."
        => 400 "Key (departments)=({users.departments}) is not present in table \"departments\".";
    FIELD_UNKNOWN: "A value is in a custom field that does not exist."
        => 422 "Custom field with refId {customFields} is not found" [customFields];
    VALUE_TYPE_WRONG: "The value of a custom field has the wrong type."
        => 422 "Field with type {type} must be {expected}" ["{member}"];
    DATE_WRONG: "The value of a date field is not a date." => 422 "Invalid date format: {text}" ["{member}"];
    OPTION_WRONG: "The value is not one of the field's options."
        => 422 "Field {field} can only have following values: [{options}]" ["{member}"];
    TEXT_BLANK: "The value of a text field is blank." => 422 "Invalid Text format" ["{member}"];
    EMAIL_WRONG: "The value of an e-mail field is not an address." => 422 "Invalid Email format: {text}" ["{member}"];
    NUMBER_WRONG: "The value of a number field is not a number." => 422 "Invalid Number format: {text}" ["{member}"];
    URL_WRONG: "The value of a URL field is not a URL." => 422 "Invalid URL: {text}" ["{member}"];
    TEXT_TOO_LONG: "The value of a text field is too long." => 422 "Maximum length of the value is {most}" ["{member}"];
    USERNAME_TAKEN: "Another user has the name." => 422 "User with this username already exists" [username];
    BARCODE_TAKEN: "Another user has the barcode." => 422 "This barcode has already been taken" [barcode];
    DEPARTMENT_NAME_TAKEN: "Another department has the name." => 422 "Department with this name already exists" [name];
    DEPARTMENT_CODE_TAKEN: "Another department has the code." => 422 "Department with this code already exists" [code];
    PROXY_EXISTS: "The user is a proxy of the sponsor already." => 422 "Proxy relationship already exists" [proxyFor];
}

refusals::table! {
    /// Conditions and limits of automated blocks.
    pub BLOCKS: Storage, "docs/folio/patron-blocks.md#conditions-and-limits";
    CONDITION_WITHOUT_MESSAGE: "A condition blocks something without a message."
        => 422 "Message to be displayed is a required field if one or more blocked actions selected"
           ["patron block condition id"];
    MESSAGE_WITHOUT_BLOCK: "A condition has a message but blocks nothing."
        => 422 "One or more blocked actions must be selected for message to be displayed to be used"
           ["patron block condition id"];
    BALANCE_LIMIT_WRONG: "The limit of the balance is negative or too great."
        => 422 "Must be blank or a number from 0.00 to 999999.99" [value];
    LIMIT_WRONG: "Another limit is negative, too great or has a fraction."
        => 422 "Must be blank or an integer from 0 to 999999" [value];
}

refusals::table! {
    /// Fees/fines and manual blocks.
    pub FEES: Text, "docs/folio/fees-fines.md";
    NOT_MADE: "The database refuses a new record, for whatever reason." => 400 "Unable to process request";
}
