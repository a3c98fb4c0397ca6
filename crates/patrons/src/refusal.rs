//! Reasons to refuse records of patrons, in FOLIO's words.

refusals::table! {
    /// Users and their custom fields.
    pub USERS: Storage, "docs/folio/users.md#refusals-of-users";
    /// The date of birth is before year 1.
    BORN_TOO_EARLY = 400, "dateOfBirth must be at least 0001-01-01";
    /// A user has two addresses of one type.
    ADDRESS_TYPE_TWICE = 400, "Users are limited to one address per addresstype";
    /// A new user has an address of a type that does not exist.
    ADDRESS_TYPE_UNKNOWN = 400, "You cannot add addresses with non-existent address types";
    /// A changed user has an address of a type that does not exist.
    ADDRESS_TYPE_UNKNOWN_IN_CHANGE = 400, "All addresses types defined for users must be existing";
    /// The patron group does not exist.
    GROUP_UNKNOWN = 400, "Cannot add {group}. Patron group not found";
    /// A department of a new user does not exist.
    DEPARTMENT_UNKNOWN = 422,
        "Cannot set users.departments = {users.departments} because it does not exist in departments.id.",
        ["users.departments"];
    /// A department of a changed user does not exist.
    DEPARTMENT_UNKNOWN_IN_CHANGE = 400, "Key (departments)=({users.departments}) is not present in table \"departments\".";
    /// A value is in a custom field that does not exist.
    FIELD_UNKNOWN = 422, "Custom field with refId {customFields} is not found", ["customFields"];
    /// The value of a custom field has the wrong type.
    VALUE_TYPE_WRONG = 422, "Field with type {type} must be {expected}", ["{member}"];
    /// The value of a date field is not a date.
    DATE_WRONG = 422, "Invalid date format: {text}", ["{member}"];
    /// The value is not one of the field's options.
    OPTION_WRONG = 422, "Field {field} can only have following values: [{options}]", ["{member}"];
    /// The value of a text field is blank.
    TEXT_BLANK = 422, "Invalid Text format", ["{member}"];
    /// The value of an e-mail field is not an address.
    EMAIL_WRONG = 422, "Invalid Email format: {text}", ["{member}"];
    /// The value of a number field is not a number.
    NUMBER_WRONG = 422, "Invalid Number format: {text}", ["{member}"];
    /// The value of a URL field is not a URL.
    URL_WRONG = 422, "Invalid URL: {text}", ["{member}"];
    /// The value of a text field is too long.
    TEXT_TOO_LONG = 422, "Maximum length of the value is {most}", ["{member}"];
}

refusals::table! {
    /// Conditions and limits of automated blocks.
    pub BLOCKS: Storage, "docs/folio/patron-blocks.md#conditions-and-limits";
    /// A condition blocks something without a message.
    CONDITION_WITHOUT_MESSAGE = 422,
        "Message to be displayed is a required field if one or more blocked actions selected", ["patron block condition id"];
    /// A condition has a message but blocks nothing.
    MESSAGE_WITHOUT_BLOCK = 422,
        "One or more blocked actions must be selected for message to be displayed to be used", ["patron block condition id"];
    /// The limit of the balance is negative or too great.
    BALANCE_LIMIT_WRONG = 422, "Must be blank or a number from 0.00 to 999999.99", ["value"];
    /// Another limit is negative, too great or has a fraction.
    LIMIT_WRONG = 422, "Must be blank or an integer from 0 to 999999", ["value"];
}
