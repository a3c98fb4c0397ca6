//! The API, tested over HTTP against a running server with a real PostgreSQL. The modules mirror the routes.

// Helpers may panic like tests, and a test may be one long table of cases.
#![allow(clippy::unwrap_used, clippy::too_many_lines)]

mod account_actions;
mod archives;
mod audit_config;
mod authn;
mod authorities;
mod bad_input;
mod bootstrap;
mod budgets;
mod calendars;
mod circulation;
mod circulation_records;
mod circulation_storage;
mod collections;
mod course_reserves;
mod custom_fields;
mod desk_tables;
mod endpoints;
mod fees_fines;
mod gateway;
mod inventory;
mod jobs;
mod lab_runs;
mod messages;
mod notes;
mod okapi;
mod open_api;
mod open_routes;
mod patron_plans;
mod perms;
mod pubsub;
mod search;
mod settings;
mod snapshot;
mod staff_pages;
mod staff_session;
mod staging;
mod storage_refusals;
mod support;
mod user_import;
mod user_tenants;
mod users;
mod users_bl;
