//! What is published: a part is not for the public if what it belongs to is not.

use serde_json::Value;

/// Takes `publish` from everything that is inside something unpublished, resolved records included.
pub(crate) fn hide_below_unpublished(record: &mut Value) {
    hide(record, true);
}

fn hide(value: &mut Value, shown: bool) {
    match value {
        Value::Object(members) => {
            let shown = match members.get_mut("publish") {
                Some(publish) => {
                    let shown = shown && *publish == Value::Bool(true);
                    *publish = Value::Bool(shown);
                    shown
                }
                None => shown,
            };
            members.values_mut().for_each(|member| hide(member, shown));
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| hide(entry, shown)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_inside_something_unpublished_is_unpublished() {
        let mut record = json!({"publish": true, "notes": [
            {"publish": false, "subnotes": [{"publish": true}, {"content": "x"}]}, {"publish": true}]});
        hide_below_unpublished(&mut record);
        let wanted = json!({"publish": true, "notes": [
            {"publish": false, "subnotes": [{"publish": false}, {"content": "x"}]}, {"publish": true}]});
        assert_eq!(record, wanted);
    }
}
