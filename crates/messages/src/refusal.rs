//! What a template must be, and why a message is not made, in FOLIO's words.

refusals::table! {
    /// A message template.
    pub TEMPLATES: Storage, "docs/folio/messages.md";
    CONTENT_NOT_VALID: "A subject or text is blank, or a subject has several lines."
        => 422 "must match \"{pattern}\"" ["{member}"];
    CONTENT_MISSING: "A language has no subject or no text." => 422 "must not be null" ["{member}"];
    RESOLVER_UNKNOWN: "The resolver is not Mustache." => 400 "Template resolver '{resolver}' is not supported";
    NOT_FOUND: "The template does not exist." => 404 "Template with id '{id}' not found";
    IN_USE: "A notice policy sends the template that is deleted."
        => 400 "Cannot delete template which is currently in use";
}

refusals::table! {
    /// Messages.
    pub MESSAGES: Inventory, "docs/folio/messages.md#sending-one-message";
    TEMPLATE_UNKNOWN: "The template that is filled does not exist." => 400 "Template with id {id} does not exist";
    FORMAT_UNKNOWN: "The template does not have this format."
        => 400 "Requested template does not support '{format}' output format";
    LANGUAGE_UNKNOWN: "The template does not have this language."
        => 400 "Requested template does not have localized template for language '{language}'";
    NOT_RENDERED: "The text of the template has a mistake." => 400 "Template could not be rendered: {fault}";
    CHANNEL_UNKNOWN: "The channel is neither e-mail nor mail." => 400 "Delivery channel '{channel}' is not supported";
    RECIPIENT_UNKNOWN: "The recipient does not exist." => 400 "Not found";
    NOTICE_NOT_MADE: "A notice to a patron is not made, for one of the reasons above." => 422 "{reason}";
    NOT_UNDERSTOOD: "A query for e-mails, or the date before which they are deleted, cannot be read."
        => 500 "Internal Server Error";
}

refusals::table! {
    /// The configuration of the mail server.
    pub MAIL_SERVER: Storage, "docs/folio/messages.md#mail-server";
    SECOND_CONFIGURATION: "The tenant has a configuration already."
        => 422 "(1) value already exists in table smtp_configuration: 1" ["(1)"];
}
