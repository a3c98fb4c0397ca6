//! `/authn/credentials`, `/authn/update`, `/authn/password/repeatable`, `/authn/loginAttempts`.

use http::StatusCode;
use identity::{
    credentials::{self, Proof},
    sign_in::{self, Name, SignInError},
};
use serde::Deserialize;
use serde_json::json;
use store::record;
use uuid::Uuid;

use super::refusals::{
    CREDENTIALS_EXIST, CREDENTIALS_INVALID, NAME_MISSING, NEW_PASSWORD_EMPTY, NO_ATTEMPTS, NO_CREDENTIALS,
    NO_USER_OF_NAME, PASSWORD_MISSING, USER_ID_MISSING,
};
use super::{at_the_door, log_in::Credentials, origin, user_id};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/authn/credentials", create)
        .summary("Give a user a first password")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .takes("username, userId, password*");
    routes.delete("/authn/credentials", remove).summary("Take a user's credentials away").asks("userId*");
    routes
        .get("/authn/credentials-existence", existence)
        .summary("Whether a user has credentials")
        .asks("userId*")
        .gives("credentialsExist:bool");
    routes
        .post("/authn/update", update)
        .summary("Change one's own password")
        .refuses(&[401])
        .takes("username, userId, password*, newPassword*");
    routes
        .post("/authn/password/repeatable", repeatable)
        .summary("Whether a user may take a password: not one of the last ones")
        .takes("userId*, password*")
        .gives("result");
    routes
        .get("/authn/loginAttempts/{id}", attempts)
        .summary("The log-in failures of a user")
        .gives("id, userId, lastAttempt, attemptCount:int");
}

async fn create(call: Call) -> Answer {
    let sent: Credentials = call.parse()?;
    let password = sent.password.as_deref().unwrap_or_default();
    if password.is_empty() {
        let id = sent.user_id.as_deref().unwrap_or("null");
        return Err(PASSWORD_MISSING.with("'userId'", id).into());
    }
    let user = match &sent.user_id {
        // FOLIO does not check that the user exists.
        Some(id) => user_id(id)?,
        None => by_name(&call, sent.username.as_deref(), "Error looking up user").await?,
    };
    if !credentials::create(&call.session, user, password).await? {
        return Err(CREDENTIALS_EXIST.with("'userId'", user).into());
    }
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}

async fn by_name(call: &Call, username: Option<&str>, doing: &str) -> Result<Uuid, Problem> {
    let username = username.unwrap_or("null");
    let found = sign_in::find(&call.session, &Name::Username(username.to_owned())).await?;
    let refusal = || NO_USER_OF_NAME.with("doing", doing);
    let account = found.ok_or_else(|| refusal().with("username", username))?;
    Ok(account.user_id)
}

/// The parameter userId, and the user if it is an id. mod-login compares texts, so that others are ids of nobody.
fn of_query(call: &Call) -> Result<(&str, Option<Uuid>), Problem> {
    let text = call.query.get("userId").ok_or(USER_ID_MISSING)?;
    Ok((text, text.parse().ok()))
}

async fn remove(call: Call) -> Answer {
    let (text, user) = of_query(&call)?;
    let unknown = || NO_CREDENTIALS.with("user", text);
    let user = user.ok_or_else(unknown)?;
    if !credentials::remove(&call.session, user).await? {
        return Err(unknown().into());
    }
    call.tenant.directory.forget_user(user);
    Ok(Reply::no_content())
}

async fn existence(call: Call) -> Answer {
    let exist = match of_query(&call)?.1 {
        Some(user) => credentials::exist(&call.session, user).await?,
        None => false,
    };
    Ok(Reply::json(&json!({"credentialsExist": exist})))
}

#[derive(Deserialize)]
struct Update {
    #[serde(flatten)]
    known: Credentials,
    #[serde(rename = "newPassword")]
    new: Option<String>,
}

async fn update(call: Call) -> Answer {
    let sent: Update = call.parse()?;
    let Some(name) = sent.known.name() else {
        return Err(NAME_MISSING.into());
    };
    let new = sent.new.as_deref().unwrap_or_default();
    if new.is_empty() {
        return Err(NEW_PASSWORD_EMPTY.into());
    }
    let (user, proof) = prove(&call, &name, sent.known.password.as_deref()).await?;
    change(&call, user, new, &proof).await?;
    Ok(Reply::no_content())
}

fn refused() -> Problem {
    CREDENTIALS_INVALID.into()
}

/// Checks the old password and returns its user. A wrong password counts as a failed log-in. Every failure is the same
/// 401 text.
pub async fn prove(call: &Call, name: &Name, old: Option<&str>) -> Result<(Uuid, Proof), Problem> {
    let old = old.unwrap_or_default();
    let origin = origin(call);
    let proving = sign_in::prove(&call.session, name, old, &origin, call.now);
    let (account, hash) = at_the_door(call, name, proving).await?.map_err(|failed| match failed {
        SignInError::Store(error) => error.into(),
        SignInError::Refused { blocked } => {
            if let Some(user) = blocked {
                call.tenant.directory.forget_user(user);
            }
            refused()
        }
    })?;
    Ok((account.user_id, Proof::Password(hash)))
}

/// Sets a user's password and ends all their tokens. Answers 401 text if the password was changed or the user blocked
/// in the meantime.
pub async fn change(call: &Call, user: Uuid, new: &str, proof: &Proof) -> Result<(), Problem> {
    let (session, origin) = (&call.session, origin(call));
    let changed = credentials::replace(session, user, new, proof, &origin, call.now).await?;
    changed.ok_or_else(refused)?;
    call.tenant.directory.forget_user(user);
    Ok(())
}

#[derive(Deserialize)]
struct Repeatable {
    #[serde(rename = "userId")]
    user_id: String,
    password: String,
}

async fn repeatable(call: Call) -> Answer {
    let sent: Repeatable = call.parse()?;
    let user = user_id(&sent.user_id)?;
    let repeated = credentials::is_repeated(&call.session, user, &sent.password).await?;
    let result = if repeated { "invalid" } else { "valid" };
    Ok(Reply::json(&json!({"result": result})))
}

async fn attempts(call: Call) -> Answer {
    let id = call.param("id");
    let unknown = || NO_ATTEMPTS.with("id", id);
    let user: Uuid = id.parse().map_err(|_| unknown())?;
    let found = credentials::attempts(&call.session, user).await?;
    let (record_id, count, last) = found.ok_or_else(unknown)?;
    Ok(Reply::json(&json!({"id": record_id, "userId": user,
        "lastAttempt": record::print_instant(last), "attemptCount": count})))
}
