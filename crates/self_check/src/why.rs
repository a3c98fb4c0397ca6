//! Why something was refused, for the log: what the operator or the library can do about it, without patron data.

use api::answer::Problem;
use http::StatusCode;
use serde_json::Value;

const GRANT: &str =
    "grant it to the terminal's user, or the permission set `self-check.all`, which has all that terminals need";

/// The missing permission or the error codes. A refusal without codes gives only its status, since its text may contain
/// patron data.
pub fn of(problem: &Problem) -> Option<String> {
    match problem {
        Problem::Internal(_) => None,
        Problem::Text(StatusCode::FORBIDDEN, text) => Some(format!("{text}: {GRANT}")),
        Problem::Text(status, _) | Problem::Unquoted(status, _) => {
            Some(format!("the request was answered with {status}"))
        }
        Problem::Json(status, _) | Problem::Pretty(status, _) => {
            let mut codes: Vec<&str> = reasons(problem).filter_map(|reason| reason["code"].as_str()).collect();
            codes.dedup();
            Some(match codes.is_empty() {
                true => format!("the request was answered with {status}"),
                false => codes.join(", "),
            })
        }
    }
}

/// The reasons of a refusal.
pub fn reasons(problem: &Problem) -> impl Iterator<Item = &Value> {
    let body = match problem {
        Problem::Json(_, body) | Problem::Pretty(_, body) => body["errors"].as_array(),
        _ => None,
    };
    body.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_log_gets_reasons_without_patron_data() {
        let refused = |errors| Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, errors);
        let blocked = json!({"errors": [
            {"message": "Patron 4711 is blocked", "code": "USER_IS_BLOCKED_MANUALLY"},
            {"message": "Item 0815 is not loanable", "code": "ITEM_NOT_LOANABLE"}]});
        let without = json!({"errors": [{"message": "Patron 4711 is inactive"}]});
        let forbidden = "Access for user 'kiosk' requires permission: accounts.collection.get";
        for (problem, expected) in [
            (refused(blocked), "USER_IS_BLOCKED_MANUALLY, ITEM_NOT_LOANABLE".to_owned()),
            (refused(without), "the request was answered with 422 Unprocessable Entity".to_owned()),
            (
                Problem::bad_request("Key (barcode)=(4711) already exists"),
                "the request was answered with 400 Bad Request".to_owned(),
            ),
            (Problem::Text(StatusCode::FORBIDDEN, forbidden.to_owned()), format!("{forbidden}: {GRANT}")),
        ] {
            assert_eq!(of(&problem), Some(expected));
        }
    }
}
