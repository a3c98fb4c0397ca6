//! Validation of changed patron notice policies (docs/folio/policies.md#patron-notice-policies): only events with a
//! date allow timed loan notices, only notices before or after the event may recur, and a one-time notice has no repeat
//! period.

use refusals::{Refusal, Refused};
use serde_json::{Map, Value};

use super::refusal::OPTION_NOT_VALID;

/// Loan events that have a date.
const TIMED: [&str; 2] = ["Due date", "Aged to lost"];

/// All errors in the loan notices of a policy, as FOLIO reports them on PUT.
pub fn faults(policy: &Map<String, Value>) -> Refused {
    let notices = policy.get("loanNotices").and_then(Value::as_array);
    Refused(notices.into_iter().flatten().flat_map(of_notice).collect())
}

fn of_notice(notice: &Value) -> Vec<Refusal> {
    let options = &notice["sendOptions"];
    let timed = options["sendWhen"].as_str().is_some_and(|event| TIMED.contains(&event));
    let untimed = ["sendHow", "sendBy", "sendEvery"].into_iter().find(|option| !options[*option].is_null());
    let by_event = match (timed, untimed) {
        (true, _) if options["sendHow"] != "Before" && options["sendHow"] != "After" => {
            not_valid("frequency", &notice["frequency"], "Send")
        }
        (false, Some(option)) => not_valid(option, &options[option], "Triggering event"),
        _ => None,
    };
    let once = match notice["frequency"] == "One time" {
        true => not_valid("sendEvery", &options["sendEvery"], "Frequency"),
        false => None,
    };
    by_event.into_iter().chain(once).collect()
}

/// The error for an option that must be absent.
fn not_valid(key: &'static str, value: &Value, selected: &str) -> Option<Refusal> {
    let shown = match value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Some(OPTION_NOT_VALID.with("selected", selected).about(key, shown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn options_fit_the_event_and_the_frequency() {
        let event = "This option is not valid for selected Triggering event";
        let send = "This option is not valid for selected Send";
        let frequency = "This option is not valid for selected Frequency";
        let days = json!({"duration": 2, "intervalId": "Days"});
        let cases = [
            (json!({"sendWhen": "Renewed"}), json!("One time"), vec![]),
            (json!({"sendWhen": "Renewed", "sendHow": "Before"}), json!(null), vec![("sendHow", event)]),
            (json!({"sendWhen": "Renewed", "sendBy": days}), json!(null), vec![("sendBy", event)]),
            (
                json!({"sendWhen": "Renewed", "sendEvery": days}),
                json!("One time"),
                vec![("sendEvery", event), ("sendEvery", frequency)],
            ),
            (json!({"sendWhen": "Due date", "sendHow": "Upon At"}), json!("Recurring"), vec![("frequency", send)]),
            (json!({"sendWhen": "Aged to lost", "sendHow": "Upon At"}), json!(null), vec![]),
            (
                json!({"sendWhen": "Due date", "sendHow": "Before", "sendEvery": days}),
                json!("One time"),
                vec![("sendEvery", frequency)],
            ),
            (
                json!({"sendWhen": "Aged to lost", "sendHow": "After", "sendBy": days, "sendEvery": days}),
                json!("Recurring"),
                vec![],
            ),
        ];
        for (options, sent, expected) in cases {
            let policy = json!({"loanNotices": [{"sendOptions": options, "frequency": sent}]});
            let found = faults(policy.as_object().expect("an object")).entries();
            let found: Vec<_> =
                found.iter().map(|entry| (entry.parameters[0].0.as_str(), entry.message.as_str())).collect();
            assert_eq!(found, expected, "{policy}");
        }
    }
}
