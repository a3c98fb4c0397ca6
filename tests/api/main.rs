//! The API, tested through a booted server on a real PostgreSQL. The modules mirror the routes.

mod circulation_storage;
mod collections;
mod custom_fields;
mod gateway;
mod inventory;
<<<<<<< HEAD
mod users;
=======
mod okapi;
>>>>>>> 6176ec8 (api: prepare the supertenant at start, load module data, test Okapi's administration)
