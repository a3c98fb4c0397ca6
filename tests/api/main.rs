//! The API, tested through a booted server on a real PostgreSQL. The modules mirror the routes.

mod account_actions;
mod authn;
mod bad_input;
mod bootstrap;
mod budgets;
mod calendars;
mod circulation;
mod circulation_storage;
mod collections;
mod custom_fields;
mod fees_fines;
mod gateway;
mod inventory;
mod messages;
mod notes;
mod okapi;
mod open_api;
mod patron_plans;
mod perms;
mod settings;
mod staging;
mod support;
mod user_import;
mod user_tenants;
mod users;
mod users_bl;
