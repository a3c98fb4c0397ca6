//! The routes of users (contract 3.5).

use ::archives::{
    permissions::{ADMINISTRATOR, Rights},
    records::Place,
    refusal::Refusal,
    users::{self, Which},
};
use http::Method;
use identity::{
    composite,
    credentials::{self, Proof},
    passwords,
    sign_in::Name,
};
use serde_json::{Map, Value, json};
use store::archives::Sort;

use super::{
    call::{Call, saved},
    endpoint::{Answer, Endpoints},
};
use crate::answer::{Problem, Reply};

const USERS: Place = Place { kind: "user", repository: None };
const MANAGE: &[&str] = &["manage_users"];

pub(super) fn routes(endpoints: &mut Endpoints) {
    let one = "/users/{id}";
    // Who may is asked below.
    endpoints.add(Method::GET, "/users", &[], list).paginated().refuses(&[403]);
    endpoints
        .add(Method::POST, "/users", MANAGE, add)
        .takes_record()
        .asks("password!:text groups:texts")
        .refuses(&[404]);
    endpoints
        .add(Method::GET, "/users/complete", &[], complete)
        .asks("query!:text")
        .summary("List user names by their beginning")
        .gives("[]")
        .refuses(&[403]);
    endpoints.add(Method::GET, one, MANAGE, get);
    // Everybody may change themselves.
    endpoints.add(Method::POST, one, &[], change).takes_record().asks("password:text").refuses(&[403]);
    endpoints.add(Method::DELETE, one, MANAGE, remove).refuses(&[409]);
    let groups = "groups:texts remove_groups!:bool repo_id!:int";
    endpoints
        .add(Method::POST, &format!("{one}/groups"), &[], set_groups)
        .asks(groups)
        .summary("Set the groups of a user in a repository")
        .gives(":Done")
        .refuses(&[403]);
    endpoints
        .add(Method::POST, &format!("{one}/password"), &[], set_password)
        .asks("password!:text")
        .summary("Change one's own password")
        .gives("success*")
        .refuses(&[403, 409]);
    endpoints
        .add(Method::GET, &format!("{one}/activate"), MANAGE, |call| activate(call, true))
        .summary("Let a user sign in again")
        .gives(":User");
    endpoints
        .add(Method::GET, &format!("{one}/deactivate"), MANAGE, |call| activate(call, false))
        .summary("Let a user not sign in any more")
        .gives(":User");
    let needs: &[&str] = &["become_user"];
    endpoints
        .add(Method::POST, "/users/{username}/become-user", needs, become_user)
        .summary("Act as another user in this session")
        .gives(":SignedIn")
        .refuses(&[400, 403, 404]);
    let manage: &[&str] = &["manage_repository"];
    endpoints
        .add(Method::GET, "/repositories/{repo_id}/users/{id}", manage, of_repository)
        .summary("Read a user with the groups in a repository")
        .gives(":User");
}

/// The name as it is compared: in lower case and without spaces around it. Inside it may have single ones.
pub(super) fn cleaned(name: &str) -> Result<String, Problem> {
    let name = name.trim().to_lowercase();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | ' ');
    if name.is_empty() || !name.chars().all(fits) || name.contains("  ") {
        return Err(Refusal::BadRequest("Invalid username".to_owned()).into());
    }
    Ok(name)
}

/// Managers of repositories look for members of groups; in ArchivesSpace everybody sees the users.
async fn list(call: Call) -> Answer {
    if !["manage_users", "manage_repository"].iter().any(|code| call.rights.can_anywhere(code)) {
        return Err(Refusal::Denied.into());
    }
    let (listing, since) = call.listing_by(Sort::of_users)?;
    let found = users::list(&call.session, &listing, since).await?;
    call.resolved(found).await
}

/// Names are shown to whoever is signed in, because managers of repositories look for members of groups.
async fn complete(call: Call) -> Answer {
    if call.user.is_none() {
        return Err(Refusal::Denied.into());
    }
    let beginning = call.parameters.text("query").unwrap_or_default();
    Ok(Reply::json(&json!(users::names(&call.session, beginning).await?)))
}

async fn get(call: Call) -> Answer {
    let user = users::get(&call.session, Which::Number(call.id())).await?;
    Ok(Reply::json(&with_rights(&call, user).await?))
}

/// A user's record with what the user may do.
pub(super) async fn with_rights(call: &Call, user: users::User) -> Result<Value, Problem> {
    let access = call.tenant.directory.access(&call.session, user.id, call.now).await?;
    let rights = Rights::new(access.is_some_and(|access| access.has(ADMINISTRATOR)), user.grants.iter().cloned());
    Ok(user.with_rights(&rights))
}

async fn of_repository(call: Call) -> Answer {
    let user = users::get(&call.session, Which::Number(call.id())).await?;
    let groups = users::groups(&call.session, user.number, call.repository).await?;
    Ok(Reply::json(&user.with_groups(groups)))
}

async fn add(call: Call) -> Answer {
    let mut checked = call.record(USERS.kind)?;
    clean_name(&mut checked.record)?;
    if checked.record.get("is_admin") == Some(&Value::Bool(true)) && !call.rights.can("administer_system", None) {
        return Err(Refusal::Denied.into());
    }
    let groups = managed_groups(&call, None)?;
    let hash = passwords::hash(call.parameters.text("password").unwrap_or_default()).await;
    let id = users::add(&call.session, &checked.record, &hash, &groups, &call.author()).await?;
    Ok(saved("Created", USERS, id, 0, &checked.warnings))
}

/// Users change themselves, except whether they administer the archives; who manages users changes others.
async fn change(call: Call) -> Answer {
    let Some(signed_in) = &call.user else { return Err(Refusal::Denied.into()) };
    let mut checked = call.record(USERS.kind)?;
    let version = Refusal::read_version(checked.lock_version)?;
    let user = users::get(&call.session, Which::Number(call.id())).await?;
    let is_self = user.id == signed_in.id;
    let wants_admin = checked.record.get("is_admin") == Some(&Value::Bool(true));
    if is_self {
        checked.record.insert("username".to_owned(), user.name().into());
        checked.record.insert("is_active_user".to_owned(), true.into());
    } else {
        let manages = call.rights.can("manage_users", None);
        let administers = call.rights.can("administer_system", None);
        if !manages || wants_admin && !administers {
            return Err(Refusal::Denied.into());
        }
        clean_name(&mut checked.record)?;
    }
    let is_admin = Some(wants_admin).filter(|_| !is_self && call.rights.can("administer_system", None));
    let changed = users::change(&call.session, user.number, version, &checked.record, is_admin, &call.author()).await?;
    if let Some(password) = call.parameters.text("password") {
        give_password(&call, &user, password).await?;
    }
    forget(&call, &user);
    Ok(saved("Updated", USERS, user.number, changed, &checked.warnings))
}

async fn set_groups(call: Call) -> Answer {
    let repository = call.parameters.integer("repo_id");
    let groups = managed_groups(&call, repository)?;
    if !call.rights.can("manage_repository", repository) {
        return Err(Refusal::Denied.into());
    }
    // The routes of ArchivesSpace take the user out of the repository's groups whatever `remove_groups` says.
    users::set_groups(&call.session, call.id(), repository, &groups, call.now).await?;
    call.tenant.archives.sessions.forget();
    Ok(Reply::json(&json!({"status": "OK"})))
}

/// A user's own password. It ends the session.
async fn set_password(call: Call) -> Answer {
    let user = users::get(&call.session, Which::Number(call.id())).await?;
    let signed_in = call.user.as_ref().filter(|signed_in| signed_in.id == user.id).ok_or(Refusal::Denied)?;
    give_password(&call, &user, call.parameters.text("password").unwrap_or_default()).await?;
    if let Some(secret) = &signed_in.secret {
        call.tenant.archives.sessions.end(&call.session, secret).await?;
    }
    Ok(Reply::json(&json!({"success": "password updated"})))
}

/// Gives a user a password in place of the one they have, if any.
async fn give_password(call: &Call, user: &users::User, password: &str) -> Result<(), Problem> {
    if password.is_empty() {
        return Err(Refusal::parameter("password", "Parameter required but no value provided").into());
    }
    let known = credentials::known(&call.session, user.id).await?;
    let given = match known.present {
        None => credentials::create(&call.session, user.id, password).await?,
        Some(hash) => {
            let proof = Proof::Password(hash);
            credentials::replace(&call.session, user.id, password, &proof, &call.origin(), call.now).await?.is_some()
        }
    };
    if given { Ok(()) } else { Err(Refusal::stale().into()) }
}

async fn activate(call: Call, active: bool) -> Answer {
    let user = users::get(&call.session, Which::Number(call.id())).await?;
    if user.is_of_system() {
        return Err(users::missing().into());
    }
    users::activate(&call.session, user.id, active, call.now).await?;
    forget(&call, &user);
    get(call).await
}

/// Takes a user out of the archives. The user of the library goes, too, if the archives made it and nothing there is
/// still open.
async fn remove(call: Call) -> Answer {
    let found = users::get(&call.session, Which::Number(call.id())).await;
    let user = found.map_err(|refusal| refusal.or_if_missing(Refusal::no("user")))?;
    if user.is_of_system() {
        return Err(Refusal::Denied.into());
    }
    if user.made_here {
        let open = composite::open_transactions(&call.session, &Name::Id(user.id)).await?;
        if open.is_some_and(|open| open.any()) {
            let text = "The user has loans, requests, fees, proxies or blocks in the library".to_owned();
            return Err(Refusal::Conflict(text).into());
        }
        composite::delete(&call.session, user.id).await?;
    } else {
        users::remove(&call.session, user.id).await?;
    }
    forget(&call, &user);
    Ok(Reply::json(&json!({"status": "Deleted", "id": user.number})))
}

async fn become_user(call: Call) -> Answer {
    let name = cleaned(call.in_path("username"))?;
    // Who is signed in to the library stays who they are.
    let secret = call.user.as_ref().and_then(|user| user.secret.clone()).ok_or(Refusal::Denied)?;
    let found = users::get(&call.session, Which::Name(&name)).await;
    let user = found.map_err(|refusal| refusal.or_if_missing(Refusal::nothing()))?;
    call.tenant.archives.sessions.become_user(&call.session, &secret, user.id).await?;
    Ok(Reply::json(&json!({"session": secret, "user": with_rights(&call, user).await?})))
}

/// Forgets what is remembered of a user: it has changed.
fn forget(call: &Call, user: &users::User) {
    call.tenant.directory.forget_user(user.id);
    call.tenant.archives.sessions.forget();
}

/// The groups of the parameter `groups[]`, all of repositories that the caller manages; with a repository only those there.
fn managed_groups(call: &Call, only: Option<i64>) -> Result<Vec<i64>, Refusal> {
    let mut groups = Vec::new();
    for uri in call.parameters.texts("groups") {
        let (repository, group) = users::group(uri)?;
        if only.is_some_and(|only| only != repository) {
            continue;
        }
        if !call.rights.can("manage_repository", Some(repository)) {
            return Err(Refusal::Denied);
        }
        groups.push(group);
    }
    Ok(groups)
}

fn clean_name(record: &mut Map<String, Value>) -> Result<(), Problem> {
    let name = cleaned(record.get("username").and_then(Value::as_str).unwrap_or_default())?;
    record.insert("username".to_owned(), name.into());
    Ok(())
}
