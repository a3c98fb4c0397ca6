//! Languages whose words are searched in their basic forms, and features.

use ::catalogue::{refusal::MEMBER_MISSING, settings};
use serde_json::{Value, json};

use super::{refusing, text};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

const LANGUAGE: &str = "code*, languageAnalyzer";
const FEATURE: &str = "feature*, enabled*:bool";

pub(super) fn routes(routes: &mut Routes) {
    let (languages, language) = ("/search/config/languages", "/search/config/languages/{code}");
    let listing = routes
        .get(languages, |call| list(call, "languageConfigs"))
        .summary("List the languages whose words are searched in their basic forms")
        .gives(&format!("languageConfigs*[{{{LANGUAGE}}}], totalRecords*:int"));
    refusing(listing);
    let add = routes.post(languages, add_language).summary("Add a language").takes(LANGUAGE).gives(LANGUAGE);
    refusing(add).refuses_as(422, Form::Errors);
    let change = routes.put(language, change_language).summary("Change a language").takes(LANGUAGE).gives(LANGUAGE);
    refusing(change).refuses_as(422, Form::Errors).refuses_as(404, Form::Errors);
    refusing(routes.delete(language, remove_language).summary("Remove a language"));

    let (features, feature) = ("/search/config/features", "/search/config/features/{feature}");
    let listing = routes
        .get(features, |call| list(call, "features"))
        .summary("List the features that are configured")
        .gives(&format!("features*[{{{FEATURE}}}], totalRecords*:int"));
    refusing(listing);
    let add = routes.post(features, add_feature).summary("Configure a feature").takes(FEATURE).gives(FEATURE);
    refusing(add);
    let change = routes.put(feature, change_feature).summary("Turn a feature on or off").takes(FEATURE).gives(FEATURE);
    refusing(change).refuses_as(404, Form::Errors);
    let remove = routes.delete(feature, remove_feature).summary("Leave a feature to its default");
    refusing(remove).refuses_as(404, Form::Errors);
}

async fn list(call: Call, name: &'static str) -> Answer {
    let listed = settings::read(&call.session).await?[name].take();
    let total = listed.as_array().map_or(0, Vec::len);
    Ok(Reply::json(&json!({name: listed, "totalRecords": total})))
}

/// The code and analyzer in a body.
fn language(call: &Call) -> Result<(String, Option<String>), Problem> {
    let sent = call.sent()?;
    let analyzer = sent.get("languageAnalyzer").and_then(Value::as_str).map(str::to_owned);
    Ok((text(&sent, "code")?, analyzer))
}

fn shown(code: &str, analyzer: Option<&str>) -> Reply {
    Reply::json(&match analyzer {
        Some(analyzer) => json!({"code": code, "languageAnalyzer": analyzer}),
        None => json!({"code": code}),
    })
}

async fn add_language(call: Call) -> Answer {
    let (code, analyzer) = language(&call)?;
    settings::add_language(&call.session, &code, analyzer.as_deref()).await?;
    Ok(shown(&code, analyzer.as_deref()))
}

async fn change_language(call: Call) -> Answer {
    let (code, analyzer) = language(&call)?;
    settings::change_language(&call.session, call.param("code"), &code, analyzer.as_deref()).await?;
    Ok(shown(&code, analyzer.as_deref()))
}

async fn remove_language(call: Call) -> Answer {
    settings::remove_language(&call.session, call.param("code")).await?;
    Ok(Reply::no_content())
}

fn feature(call: &Call) -> Result<(String, bool), Problem> {
    let sent = call.sent()?;
    let missing = || MEMBER_MISSING.about("enabled", "null");
    let enabled = sent.get("enabled").and_then(Value::as_bool).ok_or_else(missing)?;
    Ok((text(&sent, "feature")?, enabled))
}

async fn add_feature(call: Call) -> Answer {
    let (feature, enabled) = feature(&call)?;
    settings::add_feature(&call.session, &feature, enabled).await?;
    Ok(Reply::json(&json!({"feature": feature, "enabled": enabled})))
}

async fn change_feature(call: Call) -> Answer {
    let (feature, enabled) = feature(&call)?;
    settings::change_feature(&call.session, call.param("feature"), &feature, enabled).await?;
    Ok(Reply::json(&json!({"feature": feature, "enabled": enabled})))
}

async fn remove_feature(call: Call) -> Answer {
    settings::remove_feature(&call.session, call.param("feature")).await?;
    Ok(Reply::no_content())
}
