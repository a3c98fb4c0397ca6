//! The attributes of assessments, and how the processing of records is managed (contract 3.5, 4.8).

use ::archives::assessments;
use http::Method;
use serde_json::{Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::Reply;

const VIEW: &[&str] = &["view_repository"];
const ATTRIBUTE_LISTS: &str = "definitions*[{id*:int, label*, type*:(rating|format|conservation_issue), global*:bool,
    readonly:bool, position:int}], ...";
const ATTRIBUTES: &str = "/repositories/{repo_id}/assessment_attribute_definitions";

pub(super) fn routes(endpoints: &mut Endpoints) {
    endpoints
        .add(Method::GET, ATTRIBUTES, VIEW, attributes)
        .summary("List the attributes that assessments may have")
        .gives(ATTRIBUTE_LISTS);
    endpoints
        .add(Method::POST, ATTRIBUTES, &["manage_assessment_attributes"], set_attributes)
        .summary("Replace the attributes that assessments may have")
        .takes(":AssessmentAttributeDefinitions")
        .gives(":Done")
        .refuses_with(409, "error*:text|Labels");
    let managed = "/repositories/{repo_id}/collection_management/{id}";
    endpoints.add(Method::GET, managed, VIEW, management).asks("resolve:texts");
}

async fn attributes(call: Call) -> Answer {
    Ok(Reply::json(&assessments::attributes(&call.session, call.repository.unwrap_or_default()).await?))
}

async fn set_attributes(call: Call) -> Answer {
    let checked = call.record("assessment_attribute_definitions")?;
    let wanted = checked.record.get("definitions").unwrap_or(&Value::Null);
    assessments::set_attributes(&call.session, call.repository.unwrap_or_default(), wanted).await?;
    Ok(Reply::json(&json!({"status": "Updated"})))
}

async fn management(call: Call) -> Answer {
    let repository = call.repository.unwrap_or_default();
    let found = assessments::management(&call.session, repository, call.id(), call.seen()).await?;
    call.resolved(found).await
}
