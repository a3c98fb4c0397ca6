//! Rules of links: which fields of a bibliographic record may be linked to which of an authority, and which subfields then
//! follow it (contract 10.3).

use refusals::Refused;
use serde_json::{Map, Value};
use store::{
    Session, StoreError,
    statements::authorities::{CHANGE_LINKING_RULE, LINKING_RULES},
};

use crate::{
    Failed,
    refusal::{ID_DIFFERS, RULE_UNKNOWN, SUBFIELD_A_MISSING, SUBFIELD_INVALID, SUBFIELDS_FIXED},
};

/// All rules, as clients read them. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn all(session: &Session) -> Result<Value, StoreError> {
    session.value(LINKING_RULES, &[&None::<i32>]).await
}

/// A rule. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is none.
pub async fn one(session: &Session, id: i32) -> Result<Value, Failed> {
    let mut found: Value = session.value(LINKING_RULES, &[&Some(id)]).await?;
    match found.as_array_mut().and_then(Vec::pop) {
        Some(rule) => Ok(rule),
        None => Err(RULE_UNKNOWN.with("id", i64::from(id)).into()),
    }
}

/// The subfields that are wanted, letters first; `None`: nothing is said of them.
fn wanted(sent: &Map<String, Value>) -> Result<Option<String>, Refused> {
    let sent = sent.get("authoritySubfields").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (mut subfields, mut invalid) = (Vec::new(), Vec::new());
    for text in sent.iter().filter_map(Value::as_str) {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(one), None) if !one.is_uppercase() => subfields.push(one),
            _ => invalid.push(text.to_owned()),
        }
    }
    refuse(invalid)?;
    subfields.sort_by_key(|c| (!c.is_alphabetic(), *c));
    subfields.dedup();
    Ok((!subfields.is_empty()).then(|| subfields.into_iter().collect()))
}

/// Refuses these subfields, in one error.
fn refuse(invalid: Vec<String>) -> Result<(), Refused> {
    let members = invalid.into_iter().map(|subfield| ("authoritySubfields", subfield));
    SUBFIELD_INVALID.about_all(members).map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// Whether a rule may have these subfields.
fn check(rule: &Value, subfields: &str) -> Result<(), Refused> {
    let field = rule["bibField"].as_str().unwrap_or_default();
    if !field.starts_with('6') {
        return Err(SUBFIELDS_FIXED.with("bibField", field).into());
    }
    refuse(subfields.chars().filter(|c| !matches!(c, 'a'..='z' | '1'..='8')).map(String::from).collect())?;
    if !subfields.starts_with('a') {
        let listed: Vec<String> = subfields.chars().map(String::from).collect();
        return Err(SUBFIELD_A_MISSING.with("authoritySubfields", format!("[{}]", listed.join(", "))).into());
    }
    Ok(())
}

/// Changes whether fields are linked by themselves, and subfields. Two round trips.
///
/// # Errors
/// [`Failed::Refused`] if there is no such rule, the body is of another, or the subfields are not to be linked.
pub async fn change(session: &Session, id: i32, sent: &Map<String, Value>) -> Result<(), Failed> {
    let of = sent.get("id").filter(|of| !of.is_null());
    if of.and_then(Value::as_i64) != Some(i64::from(id)) {
        let shown = of.map_or_else(|| "null".to_owned(), Value::to_string);
        return Err(ID_DIFFERS.with("path", i64::from(id)).with("id", shown).into());
    }
    let subfields = wanted(sent)?;
    let rule = one(session, id).await?;
    if let Some(subfields) = &subfields {
        check(&rule, subfields)?;
    }
    let auto = sent.get("autoLinkingEnabled").and_then(Value::as_bool);
    session.execute(CHANGE_LINKING_RULE, &[&id, &auto, &subfields]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn subfields_are_letters_and_digits_with_an_a() {
        let wanted = |subfields: Value| {
            wanted(json!({"authoritySubfields": subfields}).as_object().unwrap()).map(Option::unwrap_or_default)
        };
        assert_eq!(wanted(json!(["8", "b", "a", "b"])), Ok("ab8".to_owned()));
        assert_eq!(wanted(json!([])), Ok(String::new()));
        for wrong in [json!(["ab"]), json!([""]), json!(["B"])] {
            assert!(wanted(wrong.clone()).is_err_and(|refused| refused.has(&[SUBFIELD_INVALID])), "{wrong}");
        }
        let rule = |field: &str| json!({"bibField": field});
        assert_eq!(check(&rule("650"), "abg1"), Ok(()));
        for (field, subfields, wording) in [
            ("100", "ab", SUBFIELDS_FIXED),
            ("650", "bg", SUBFIELD_A_MISSING),
            ("650", "a9", SUBFIELD_INVALID),
            ("650", "a$", SUBFIELD_INVALID),
        ] {
            assert!(
                check(&rule(field), subfields).is_err_and(|refused| refused.has(&[wording])),
                "{field} {subfields}"
            );
        }
    }
}
