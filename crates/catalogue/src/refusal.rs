//! Why a search is refused, in mod-search's words (contract 1.2).

refusals::table! {
    /// Searches of the catalogue.
    pub TABLE: Counted, "docs/folio/search.md#refusals";
    TOO_FAR: "Offset and limit together are more than 10,000."
        => 400 validation_error "The sum of limit and offset should not exceed 10000." ["offset + limit"];
    OUT_OF_RANGE: "`limit` or `offset` is out of its range."
        => 400 validation_error "{operation}.{parameter} must be {bound}";
    NO_NUMBER: "`limit` or `offset` is no number."
        => 400 validation_error "Failed to convert value of type 'java.lang.String' to required type 'java.lang.Integer'; For input string: \"{value}\"";
    NO_TRUTH_VALUE: "A switch is neither true nor false."
        => 400 validation_error "Failed to convert value of type 'java.lang.String' to required type 'java.lang.Boolean'; Invalid boolean value [{value}]";
    PARAMETER_MISSING: "A required parameter is missing."
        => 400 validation_error "Required request parameter '{name}' for method parameter type {type} is not present";
    CQL_UNREADABLE: "The query is no CQL."
        => 400 service_error "Failed to parse cql query [cql: '{query}', resource: {resource}]";
    FIELD_UNKNOWN: "The query names an option that does not exist."
        => 400 validation_error "Invalid search field provided in the CQL query" [field];
    SORT_UNKNOWN: "Results cannot be sorted by this."
        => 400 validation_error "Sort field not found or cannot be used." [sortField];
    SORT_MODIFIER_UNKNOWN: "The order has a modifier that does not exist."
        => 400 service_error "Failed to parse CQL query. [error: '{error}']";
    RELATION_UNKNOWN: "The query has a relation that is not supported."
        => 400 service_error "Failed to parse CQL query. Comparator '{relation}' is not supported.";
    OPERATOR_UNKNOWN: "The query has an operator that is not supported."
        => 400 service_error "Failed to parse CQL query. Operator '{operator}' is not supported.";
    RANGE_UNKNOWN: "A range is asked of an option that has words, or stands for several."
        => 400 service_error "Query is not supported yet [operator(s): [{relation}], field(s): [{fields}]]";
    DATE_INVALID: "A condition on a date has no date." => 422 validation_error "Invalid date format" ["{field}"];
    FACET_UNKNOWN: "Values of this cannot be counted." => 400 validation_error "Invalid facet value" [facet];
    FACET_UNREADABLE: "A facet is neither a name nor a name and a number."
        => 400 validation_error "Invalid facet name format, must be '{facetName}' or '{facetName}:{facetLimit}'" [facet];
    FACET_EMPTY: "No value of a facet is asked for."
        => 400 validation_error "[size] must be greater than 0. Found [0] in [{facet}]";
    NO_BROWSING: "The query of a list is no range, or has other conditions than values of filters."
        => 400 validation_error "Invalid CQL query for browsing." [query];
    SORTED_BROWSING: "The query of a list of authorities has an order."
        => 400 validation_error "Invalid CQL query for browsing, 'sortBy' is not supported" [query];
    ANCHORS_DIFFER: "The two ranges of a list are around different places."
        => 400 validation_error "Invalid CQL query for browsing. Anchors must be the same in range conditions." [query];
    TOO_MANY_PRECEDING: "A list is to have as many rows before the place as in all."
        => 400 validation_error "Preceding records count must be less than request limit" [precedingRecordsCount];
    RECORD_TYPE_UNKNOWN: "Values of records of this type cannot be counted."
        => 400 validation_error "Unexpected value '{recordType}'";
    ENTITY_UNKNOWN: "A job is for records of another type."
        => 400 validation_error "Unexpected value '{entityType}'";
    JOB_UNKNOWN: "There is no such job." => 404 not_found_error "Job with id [{id}] was not found.";
    NOT_COMPLETED: "The ids of a job were fetched, or it has none."
        => 400 service_error "Completed async job with query=[{query}] was not found.";
    LANGUAGE_INVALID: "A language has no code of three letters."
        => 400 validation_error "must match \"[a-zA-Z]{3}\"" [code];
    LANGUAGE_WITHOUT_ANALYZER: "Words of a language cannot be brought to their basic forms."
        => 422 validation_error "Language has no analyzer available" [code];
    TOO_MANY_LANGUAGES: "There are five languages."
        => 422 validation_error "Tenant is allowed to have only 5 languages configured" [code];
    LANGUAGE_DIFFERS: "The language in the body differs from that of the path."
        => 422 validation_error "Request body language code must be the same as in the URL" [code];
    LANGUAGE_UNKNOWN: "There is no such language."
        => 404 not_found_error "Language config not found for code: {code}";
    FEATURE_INVALID: "A feature does not exist." => 400 validation_error "Unexpected value '{feature}'";
    FEATURE_EXISTS: "A feature is configured already."
        => 400 validation_error "Feature configuration already exists" [feature];
    FEATURE_DIFFERS: "The feature in the body differs from that of the path."
        => 400 validation_error "Request body feature must be the same as in the URL" [feature];
    FEATURE_UNKNOWN: "A feature is not configured."
        => 404 not_found_error "Feature configuration not found for id: {feature}";
    MEMBER_MISSING: "The body lacks a member." => 400 validation_error "must not be null" ["{member}"];
    BODY_UNREADABLE: "The body is no JSON of the right form." => 400 validation_error "JSON parse error: {error}";
    RESOURCE_INVALID: "Something else than records is to be indexed again."
        => 400 validation_error "Reindex request contains invalid resource name" [resourceName];
    INDEX_UNKNOWN: "An index of unknown records is to be made."
        => 400 validation_error "Index cannot be created for the resource because resource description is not found." [resourceName];
    MAPPINGS_UNKNOWN: "Fields of unknown records are to be renewed."
        => 400 validation_error "Mappings cannot be updated, resource name is invalid." [resourceName];
    SETTINGS_UNKNOWN: "An index of unknown records is to be set up."
        => 400 validation_error "Index Settings cannot be updated, resource name is invalid." [resourceName];
    REBUILD_RUNNING: "A whole index is asked for while one is being built."
        => 400 validation_error "Reindex is already in progress for: {part}" [reindexStatus];
    ALREADY_RUNNING: "A part of the index is asked for while it is being built."
        => 400 validation_error "Reindex Upload in Progress" [entityType];
    NOT_CENTRAL: "A route for consortia is asked for."
        => 400 validation_error "The request allowed only for central tenant of consortium environment" [tenantId];
    BROWSE_OPTION_UNKNOWN: "There is no such option of call numbers."
        => 400 validation_error "Unexpected value '{option}'";
    BROWSE_TYPE_UNKNOWN: "There is no such list to configure."
        => 400 validation_error "Unexpected value '{browseType}'";
    BROWSE_ALGORITHM_UNKNOWN: "Numbers cannot be ordered in this way."
        => 400 validation_error "Unexpected value '{shelvingAlgorithm}'";
    BROWSE_CONFIG_DIFFERS: "The option in the body differs from that of the path."
        => 400 validation_error "Body doesn't match path parameter: {option}" [id];
    TYPES_UNKNOWN: "Types of numbers do not exist."
        => 400 validation_error "{browseType} type IDs don't exist" [typeIds];
    NO_INDEX: "The first index is being built." => 503 service_error "The index is being built. Try again later.";
    INDEX_FAILING: "The first index cannot be built, for example because its disk is full."
        => 503 service_error "The index cannot be built at the moment; the server's log says why.";
}
