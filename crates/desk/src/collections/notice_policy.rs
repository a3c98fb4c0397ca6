//! What a changed patron notice policy may say (docs/folio/policies.md#patron-notice-policies): a loan's notice is sent
//! by time only for what has a time, repeatedly only before or after it, and one sent once has no period to be repeated
//! after.

use serde_json::{Map, Value};
use store::collection::Fault;

/// The events of a loan that have a time of their own.
const TIMED: [&str; 2] = ["Due date", "Aged to lost"];

/// Everything wrong with the loan notices of a policy, as FOLIO tells it when the policy is replaced.
#[must_use]
pub fn faults(policy: &Map<String, Value>) -> Vec<Fault> {
    let notices = policy.get("loanNotices").and_then(Value::as_array);
    notices.into_iter().flatten().flat_map(of_notice).collect()
}

fn of_notice(notice: &Value) -> Vec<Fault> {
    let options = &notice["sendOptions"];
    let timed = options["sendWhen"]
        .as_str()
        .is_some_and(|event| TIMED.contains(&event));
    let untimed = ["sendHow", "sendBy", "sendEvery"]
        .into_iter()
        .find(|option| !options[*option].is_null());
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

/// The fault of an option that is there.
fn not_valid(key: &str, value: &Value, selected: &str) -> Option<Fault> {
    let shown = match value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let message = format!("This option is not valid for selected {selected}");
    Some(Fault::of(message, key, Some(&shown)))
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
            (
                json!({"sendWhen": "Renewed", "sendHow": "Before"}),
                json!(null),
                vec![("sendHow", event)],
            ),
            (
                json!({"sendWhen": "Renewed", "sendBy": days}),
                json!(null),
                vec![("sendBy", event)],
            ),
            (
                json!({"sendWhen": "Renewed", "sendEvery": days}),
                json!("One time"),
                vec![("sendEvery", event), ("sendEvery", frequency)],
            ),
            (
                json!({"sendWhen": "Due date", "sendHow": "Upon At"}),
                json!("Recurring"),
                vec![("frequency", send)],
            ),
            (
                json!({"sendWhen": "Aged to lost", "sendHow": "Upon At"}),
                json!(null),
                vec![],
            ),
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
            let found = faults(policy.as_object().expect("an object"));
            let found: Vec<_> = found
                .iter()
                .map(|fault| (fault.parameters[0].0.as_str(), fault.message.as_str()))
                .collect();
            assert_eq!(found, expected, "{policy}");
        }
    }
}
