//! Every statement by its name, which is that of its file below `queries/`: the only door to SQL. What a statement takes and
//! gives is said at its beginning.

macro_rules! statements {
    ($($name:ident = $file:literal,)*) => {
        $(
            #[doc = concat!("`queries/", $file, ".sql`")]
            pub const $name: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/queries/", $file, ".sql"));
        )*
    };
}

/// `queries/catalogue`.
pub mod catalogue {
    statements! {
        INSTANCE = "catalogue/instance",
        INSTANCE_VIEW = "catalogue/instance_view",
        ITEM = "catalogue/item",
        ITEM_DEREFERENCED = "catalogue/item_dereferenced",
        ITEMS_AND_HOLDINGS = "catalogue/items_and_holdings",
        UPDATED_INSTANCES = "catalogue/updated_instances",
    }
}

/// `queries/circulation`.
pub mod circulation {
    statements! {
        AGE_TO_LOST = "circulation/age_to_lost",
        ANONYMIZE_DUE_LOANS = "circulation/anonymize_due_loans",
        ANONYMIZE_DUE_REQUESTS = "circulation/anonymize_due_requests",
        BEGIN_SYNCHRONIZATION = "circulation/begin_synchronization",
        BEGIN_TITLE_LEVEL_TOGGLE = "circulation/begin_title_level_toggle",
        CHANGE_LOAN = "circulation/change_loan",
        CLAIM_NOTICE_EVENTS = "circulation/claim_notice_events",
        CLAIM_SCHEDULED_NOTICES = "circulation/claim_scheduled_notices",
        CLOSED_LOANS_OF_USER = "circulation/closed_loans_of_user",
        CONFIGURATION_VERSION = "circulation/configuration_version",
        COUNT_SAME_KIND = "circulation/count_same_kind",
        EXPIRE_ACTUAL_COSTS = "circulation/expire_actual_costs",
        EXPIRED_SESSIONS = "circulation/expired_sessions",
        HOLD_SHELF_CLEARANCE = "circulation/hold_shelf_clearance",
        ITEMS_IN_TRANSIT = "circulation/items_in_transit",
        NOTICE_POLICY_NAMED = "circulation/notice_policy_named",
        NOTICE_TEMPLATES = "circulation/notice_templates",
        PATRON_STANDING = "circulation/patron_standing",
        POLICY_IDS = "circulation/policy_ids",
        PRINT_CHECK = "circulation/print_check",
        PRINT_STATUS = "circulation/print_status",
        READ_ACTUAL_COST = "circulation/read_actual_cost",
        READ_ANONYMIZATION = "circulation/read_anonymization",
        READ_CHECK_IN = "circulation/read_check_in",
        READ_CHECK_OUT = "circulation/read_check_out",
        READ_CONFIGURATION = "circulation/read_configuration",
        READ_LOAN = "circulation/read_loan",
        READ_LOANS_TO_BILL = "circulation/read_loans_to_bill",
        READ_QUEUE = "circulation/read_queue",
        READ_RENEWAL = "circulation/read_renewal",
        READ_REQUEST = "circulation/read_request",
        READ_USE_AT_LOCATION = "circulation/read_use_at_location",
        REORDER_QUEUE = "circulation/reorder_queue",
        REQUEST_SLIPS = "circulation/request_slips",
        SAVE_PRINT_EVENT = "circulation/save_print_event",
        SAVE_REQUESTS = "circulation/save_requests",
        SAVE_RULES = "circulation/save_rules",
        SAVE_SETTING = "circulation/save_setting",
        SETTLE_NOTICES = "circulation/settle_notices",
        TAKE_LOCK = "circulation/take_lock",
        USER_SUMMARY = "circulation/user_summary",
        WRITE_BILLED = "circulation/write_billed",
        WRITE_CHECK_IN = "circulation/write_check_in",
        WRITE_CHECK_OUT = "circulation/write_check_out",
        WRITE_FEES = "circulation/write_fees",
        WRITE_LOAN = "circulation/write_loan",
        WRITE_LOST = "circulation/write_lost",
        WRITE_REQUEST = "circulation/write_request",
    }
}

/// `queries/doctor`.
pub mod doctor {
    statements! {
        CONSTRAINTS = "doctor/constraints",
        EVENT_SUBSCRIBERS = "doctor/event_subscribers",
        INDEXES = "doctor/indexes",
        PATRON_COUNTERS = "doctor/patron_counters",
        SCHEMAS = "doctor/schemas",
        SERVER = "doctor/server",
        SETTINGS = "doctor/settings",
        STATEMENTS = "doctor/statements",
        TABLES = "doctor/tables",
    }
}

/// `queries/events`.
pub mod events {
    statements! {
        ADD_EVENT_TYPE = "events/add_event_type",
        DELETE_EVENT_TYPE = "events/delete_event_type",
        FORGET_DEAD = "events/forget_dead",
        MODULES = "events/modules",
        PUBLISH = "events/publish",
        SUBSCRIBERS = "events/subscribers",
        UNDELIVERED = "events/undelivered",
        WITHDRAW = "events/withdraw",
    }
}

/// `queries/fees`.
pub mod fees {
    statements! {
        READ_ACCOUNTS = "fees/read_accounts",
        READ_MOVEMENTS = "fees/read_movements",
    }
}

/// `queries/identity`.
pub mod identity {
    statements! {
        ADMINISTRATOR = "identity/administrator",
        DELETE_LOGIN_EVENTS = "identity/delete_login_events",
        LOGIN_EVENTS_WANTED = "identity/login_events_wanted",
        USER_BY_NAME = "identity/user_by_name",
    }

    /// `queries/identity/composite`.
    pub mod composite {
        statements! {
            DELETE_USER = "identity/composite/delete_user",
            LOCATE = "identity/composite/locate",
            OF_USER = "identity/composite/of_user",
            OPEN_TRANSACTIONS = "identity/composite/open_transactions",
            RESET_SETTINGS = "identity/composite/reset_settings",
            RULES = "identity/composite/rules",
        }
    }

    /// `queries/identity/credentials`.
    pub mod credentials {
        statements! {
            ACTION_OF_RESET = "identity/credentials/action_of_reset",
            ATTEMPTS = "identity/credentials/attempts",
            CREATE = "identity/credentials/create",
            HAS_PASSWORD = "identity/credentials/has_password",
            KEEP_RESET_ACTION = "identity/credentials/keep_reset_action",
            KNOWN = "identity/credentials/known",
            REMOVE = "identity/credentials/remove",
            REPLACE = "identity/credentials/replace",
        }
    }

    /// `queries/identity/permissions`.
    pub mod permissions {
        statements! {
            ACCESS = "identity/permissions/access",
            DEFINITIONS = "identity/permissions/definitions",
            DELETE = "identity/permissions/delete",
            DEPRECATE = "identity/permissions/deprecate",
            GRANT = "identity/permissions/grant",
            HOLDER = "identity/permissions/holder",
            INSTALL = "identity/permissions/install",
            OF_USER = "identity/permissions/of_user",
            PURGE_DEPRECATED = "identity/permissions/purge_deprecated",
            REMOVE_HOLDER = "identity/permissions/remove_holder",
            REPLACE_HOLDER = "identity/permissions/replace_holder",
            WITHDRAW = "identity/permissions/withdraw",
        }
    }

    /// `queries/identity/sign_in`.
    pub mod sign_in {
        statements! {
            ACCOUNT = "identity/sign_in/account",
            FAILED = "identity/sign_in/failed",
            PIN = "identity/sign_in/pin",
            PIN_ATTEMPT = "identity/sign_in/pin_attempt",
            RENEW = "identity/sign_in/renew",
            REVOKE_OF_USER = "identity/sign_in/revoke_of_user",
            REVOKE_ONE = "identity/sign_in/revoke_one",
            SUCCEEDED = "identity/sign_in/succeeded",
            USE_REFRESH_TOKEN = "identity/sign_in/use_refresh_token",
        }
    }
}

/// `queries/jobs`.
pub mod jobs {
    statements! {
        CLAIM = "jobs/claim",
        FORGET = "jobs/forget",
        GIVE_BACK = "jobs/give_back",
        KINDS = "jobs/kinds",
        RETRY = "jobs/retry",
        SCHEDULE = "jobs/schedule",
        SETTLE = "jobs/settle",
    }
}

/// `queries/mail`.
pub mod mail {
    statements! {
        ADD_EMAIL = "mail/add_email",
        CLAIM_EMAILS = "mail/claim_emails",
        DELETE_TEMPLATE = "mail/delete_template",
        FORGET_EMAILS = "mail/forget_emails",
        NEXT_ATTEMPT = "mail/next_attempt",
        RECIPIENT = "mail/recipient",
        SETTLE_EMAILS = "mail/settle_emails",
        SMTP_PASSWORD = "mail/smtp_password",
        TEMPLATE = "mail/template",
    }
}

/// `queries/patrons`.
pub mod patrons {
    statements! {
        ADD_PICTURE = "patrons/add_picture",
        ADDRESS_TYPE_USED = "patrons/address_type_used",
        CALENDARS_FOUND = "patrons/calendars_found",
        CALENDARS_OF_SERVICE_POINT = "patrons/calendars_of_service_point",
        CALENDARS_REMOVED = "patrons/calendars_removed",
        CUSTOM_FIELD_OPTION_USES = "patrons/custom_field_option_uses",
        CUSTOM_FIELD_REMOVED = "patrons/custom_field_removed",
        CUSTOM_FIELD_USES = "patrons/custom_field_uses",
        CUSTOM_FIELDS_ALL = "patrons/custom_fields_all",
        CUSTOM_FIELDS_SAVED = "patrons/custom_fields_saved",
        DELETE_PICTURE = "patrons/delete_picture",
        DELETE_PIN = "patrons/delete_pin",
        DEPARTMENT_USED = "patrons/department_used",
        EXPIRE_USERS = "patrons/expire_users",
        IMPORT_DEACTIVATE = "patrons/import_deactivate",
        IMPORT_DEPARTMENTS = "patrons/import_departments",
        IMPORT_SYSTEM = "patrons/import_system",
        IMPORT_USERS = "patrons/import_users",
        NOTE_LINKS = "patrons/note_links",
        NOTE_TYPE_ADDED = "patrons/note_type_added",
        PICTURE = "patrons/picture",
        PICTURE_CONFIGURATION = "patrons/picture_configuration",
        REPLACE_PICTURE = "patrons/replace_picture",
        SAVE_PIN = "patrons/save_pin",
        SET_PICTURE_CONFIGURATION = "patrons/set_picture_configuration",
        SETTINGS_UPLOADED = "patrons/settings_uploaded",
        STAGED_USER = "patrons/staged_user",
        STAGED_USER_BY_EXTERNAL_ID = "patrons/staged_user_by_external_id",
        STAGED_USER_MERGED = "patrons/staged_user_merged",
        USER_SURROUNDINGS = "patrons/user_surroundings",
        USER_TENANT_DELETED = "patrons/user_tenant_deleted",
    }
}

/// `queries/self_check`.
pub mod self_check {
    statements! {
        READ_HOLD = "self_check/read_hold",
        READ_ITEM = "self_check/read_item",
        READ_PATRON = "self_check/read_patron",
    }
}

/// `queries/settings`.
pub mod settings {
    statements! {
        AUDIT_GROUP = "settings/audit_group",
        BASE_URL = "settings/base_url",
        CHANGE_AUDIT = "settings/change_audit",
        LOCALE = "settings/locale",
        SAVE_BASE_URL = "settings/save_base_url",
        SAVE_LOCALE = "settings/save_locale",
    }
}

/// `queries/system`.
pub mod system {
    statements! {
        SECRET = "system/secret",
        SERVER = "system/server",
    }
}
