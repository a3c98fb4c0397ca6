//! Which reports there are, and templates of those that staff put together (contract 3.5). A report is made by a job.

use ::archives::{refusal::Refusal, reports};
use http::Method;

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
    records,
};
use crate::answer::Reply;

const KIND: &str = "custom_report_template";
const MANAGE: &[&str] = &["manage_custom_report_templates"];

pub(super) fn routes(endpoints: &mut Endpoints) {
    let all = "/repositories/{repo_id}/custom_report_templates";
    let one = format!("{all}/{{id}}");
    endpoints
        .add(Method::GET, "/reports", &[], |_| async { Ok(Reply::json(&reports::list())) })
        .summary("List the reports that there are")
        .gives(":any");
    endpoints
        .add(Method::GET, "/reports/custom_data", &[], |_| async { Ok(Reply::json(&reports::custom_data())) })
        .summary("List what reports of one's own may show")
        .gives(":any");
    // One of two rights is enough, which is asked below.
    endpoints.add(Method::GET, all, &[], list).paginated().refuses(&[403]);
    endpoints.add(Method::POST, all, MANAGE, |call| records::add(call, KIND)).takes_record();
    endpoints.add(Method::GET, &one, &["create_job"], |call| records::get(call, KIND)).asks("resolve:texts");
    endpoints.add(Method::POST, &one, MANAGE, |call| records::change(call, KIND)).takes_record();
    endpoints.add(Method::DELETE, &one, MANAGE, |call| records::remove(call, KIND));
}

async fn list(call: Call) -> Answer {
    if !["create_job", MANAGE[0]].iter().any(|code| call.rights.can(code, call.repository)) {
        return Err(Refusal::Denied.into());
    }
    records::list(call, KIND).await
}
