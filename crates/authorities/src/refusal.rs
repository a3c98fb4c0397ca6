//! Why records of authorities are refused, in mod-entities-links' words (contract 10).

refusals::table! {
    /// Authorities, their source files, types of notes.
    pub TABLE: Counted, "docs/folio/authorities.md#refusals";
    AUTHORITY_UNKNOWN: "There is no such authority."
        => 404 ["not-found"] as AuthorityNotFoundException "Authority with ID [{id}] was not found";
    SOURCE_FILE_UNKNOWN: "There is no such source file; a changed authority may name it."
        => 404 ["not-found"] as AuthoritySourceFileNotFoundException "Authority Source File with ID [{id}] was not found";
    NOTE_TYPE_UNKNOWN: "There is no such type of notes."
        => 404 ["not-found"] as AuthorityNoteTypeNotFoundException "Authority Note Type with ID [{id}] was not found";
    RULE_UNKNOWN: "There is no such linking rule."
        => 404 ["not-found"] as LinkingRuleNotFoundException "Linking rule with ID [{id}] was not found";
    SUBFIELD_INVALID: "A linking rule is to have a subfield that is none, or cannot be linked."
        => 422 validation as RequestBodyValidationException "Invalid subfield value." [authoritySubfields];
    SUBFIELDS_FIXED: "The subfields of a linking rule for other fields than 6XX are changed."
        => 422 validation as RequestBodyValidationException "Subfields could be updated only for 6XX fields." [bibField];
    SUBFIELD_A_MISSING: "A linking rule is to have no subfield a."
        => 422 validation as RequestBodyValidationException "Subfield 'a' is required." [authoritySubfields];
    OTHER_INSTANCE: "A link is of another instance."
        => 422 validation as RequestBodyValidationException "Link should have instanceId = {path}" [instanceId];
    LINKED_TO_NOTHING: "A link is to an authority that does not exist."
        => 400 validation "Authority with ID [{id}] was not found";
    CONSTRAINT_UNKNOWN: "A link has a rule that does not exist, or a new type of notes the id of another."
        => 422 ["-1"] as validation "Unknown constraint.";
    DATES_TURNED: "Changes are asked for that are before a date and after a later one."
        => 422 validation as RequestBodyValidationException
           "'to' date should be not less than 'from' date." [fromDate, toDate];
    JOB_UNKNOWN: "There is no such job."
        => 404 ["not-found"] as ReindexJobNotFoundException "Reindex job with ID [{id}] was not found";
    JOB_FINISHED: "The job that is cancelled has finished." => 400 validation "The job has been finished";
    NO_FILES: "Carrel has no folder of files." => 400 validation "There is no folder of files";
    FILE_NAME_INVALID: "The name of a file leads out of the folder of files."
        => 400 validation "{name} is no name of a file in the folder of files";
    FILE_UNKNOWN: "There is no such file in the folder of files." => 400 validation "There is no file {name} in the folder of files";
    FILE_UNUSABLE: "A file cannot be read, or what failed cannot be written beside it."
        => 400 validation "The file {name} cannot be used: {error}";
    LINE_TOO_LONG: "A line of a file has more than a megabyte." => 400 validation "The file {name} has a line of more than a megabyte";
    STALE: "The record has changed since the client read it."
        => 409 ["optimistic locking"] as OptimisticLockingException
           "Cannot update record {id} because it has been changed (optimistic locking): Stored \
            _version is {stored}, _version of request is {sent}";
    ID_DIFFERS: "The id in the body differs from that of the path."
        => 422 validation as RequestBodyValidationException "Request should have id = {path}" [id];
    MEMBER_INVALID: "A member is missing or has a wrong value."
        => 422 validation as MethodArgumentNotValidException "{message}" ["{member}"];
    BODY_UNREADABLE: "The body is no JSON of the right form."
        => 400 validation as HttpMessageNotReadableException "{message}";
    ATTRIBUTE_UNKNOWN: "A query names a field that does not exist."
        => 400 validation as InvalidDataAccessApiUsageException "Could not resolve attribute '{attribute}' of '{entity}'";
    PARAMETER_INVALID: "A parameter or id has the wrong form." => 400 validation "{message}";
    SOURCE_FILE_NAME_TAKEN: "Another source file has the name."
        => 422 ["104"] as validation "Authority source file with the given 'name' already exists.";
    SOURCE_FILE_URL_TAKEN: "Another source file has the address."
        => 422 ["105"] as validation "Authority source file with the given 'baseUrl' already exists.";
    SOURCE_FILE_CODE_TAKEN: "Another source file has the code."
        => 422 ["106"] as validation "Authority source file with the given 'code' already exists.";
    NOTE_TYPE_NAME_TAKEN: "Another type of notes has the name."
        => 422 ["107"] as validation "Authority note type with the given 'name' already exists.";
    SOURCE_FILE_IN_USE: "An authority was given the source file while it was deleted."
        => 422 ["108"] as validation
           "Cannot complete operation on the entity due to it's relation with Authority/Authority Source File.";
    AUTHORITY_EXISTS: "There is an authority with the id."
        => 422 ["109"] as validation "Authority with the given 'id' already exists.";
    SOURCE_FILE_EXISTS: "There is a source file with the id."
        => 422 ["111"] as validation "Authority Source File with the given 'id' already exists.";
    NO_SOURCE_FILE: "A new authority names a source file that does not exist."
        => 422 ["112"] as validation "Authority Source File with the given 'id' does not exists.";
    SOURCE_FILE_ARCHIVED: "Deleted authorities are of the source file that is deleted."
        => 422 ["113"] as validation
           "Cannot complete operation on the entity due to it's relation with Authority Archive/Authority.";
    NOT_PATCHABLE: "A member is changed that FOLIO's source files, and those with authorities, keep."
        => 422 validation as RequestBodyValidationException
           "Unable to patch. Authority source file source is FOLIO or it has authority references"
           ["{member}"];
    IS_FOLIOS: "A source file of FOLIO is deleted."
        => 422 validation as RequestBodyValidationException
           "Cannot delete Authority source file with source 'folio'" [source];
    HAS_AUTHORITIES: "Authorities are of the source file that is deleted."
        => 422 validation as RequestBodyValidationException
           "Unable to delete. Authority source file has referenced authorities";
    CODE_INVALID: "The code of a source file has other signs than letters."
        => 422 validation as RequestBodyValidationException
           "Authority Source File prefix should be non-empty sequence of letters" [code];
    URL_WITHOUT_PROTOCOL: "The address of a source file does not begin with a protocol."
        => 400 validation as IllegalArgumentException "URI is not absolute";
    URL_INVALID: "The address of a source file is none."
        => 422 validation as RequestBodyValidationException "unknown protocol: {protocol}";
    NO_NUMBERS: "The source file gives no numbers."
        => 422 validation as AuthoritySourceFileHridException
           "Cannot get next HRID for source file [id: {id}, cause: source file doesn't support HRID generation]";
}
