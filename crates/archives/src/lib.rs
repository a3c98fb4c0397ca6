//! Archives over ArchivesSpace's API: the records of archival description and their trees.
//!
//! | Topic | Module |
//! |---|---|
//! | what a record of each type may be | [`model`] |
//! | reading and writing records | [`records`] |
//! | the places of records in trees | [`nodes`] |
//! | trees of components | [`tree`] |
//! | top containers, and many locations at once | [`containers`], [`locations`] |
//! | attributes of assessments, management of processing | [`assessments`] |
//! | dates, extents and room for containers | [`calculators`], [`space`] |
//! | containers that circulate | [`circulation`] |
//! | merging records, and moving them elsewhere | [`merges`], [`transfers`] |
//! | value lists of a library | [`value_lists`] |
//! | subjects and their terms | [`subjects`] |
//! | preferences, and settings of a repository | [`preferences`], [`settings`] |
//! | finding records by identifiers, ARKs and names in addresses | [`lookups`], [`arks`], [`slugs`] |
//! | what has changed a moment ago | [`feeds`] |
//! | imports, and jobs that import | [`import`], [`jobs`] |
//! | users and groups | [`users`], [`groups`] |
//! | finding aids as EAD, and other formats | [`finding_aid`], [`exports`] |
//! | finding aids as PDF | [`printing`] |
//! | harvesting (OAI-PMH) | [`harvest`] |
//! | `resolve[]` | [`resolve`](mod@resolve) |
//! | sessions of the API, and what their users may do | [`sessions`], [`permissions`] |
//! | what a process remembers of them | [`remembered`] |
//! | the index, and searches in it | [`search`](mod@search) |
//! | refusals | [`refusal`] |

/// The release of ArchivesSpace whose API is served.
pub const RELEASE: &str = "v4.2.1";

pub mod arks;
pub mod assessments;
mod bulk_import;
pub mod bulk_update;
pub mod calculators;
pub mod circulation;
pub mod containers;
pub mod exports;
pub mod feeds;
pub mod finding_aid;
pub mod first_users;
pub mod groups;
pub mod harvest;
pub mod import;
pub mod jobs;
pub mod locations;
pub mod lookups;
mod markup;
pub mod merges;
pub mod model;
mod naming;
pub mod nodes;
pub mod permissions;
pub mod preferences;
pub mod printing;
pub mod records;
pub mod refusal;
pub mod remembered;
pub mod reports;
pub mod repositories;
pub mod resolve;
pub mod search;
pub mod sessions;
pub mod settings;
mod sheets;
pub mod slugs;
pub mod space;
pub mod subjects;
pub mod transfers;
pub mod tree;
pub mod users;
pub mod value_lists;
