//! Queries about the circulation rules.

use serde_json::json;

use super::LendingLibrary;

fn question(library: &LendingLibrary, material: &str) -> String {
    format!(
        "item_type_id={material}&loan_type_id={}&patron_type_id={}&location_id={}",
        library.loan_type, library.group, library.location
    )
}

#[tokio::test]
async fn the_winning_rule_names_its_policy() {
    let library = LendingLibrary::new().await;
    let asked = question(&library, &library.map);
    for (path, key, policy, tests_material) in [
        ("loan-policy", "loanPolicyId", &library.no_loans, true),
        ("request-policy", "requestPolicyId", &library.request_policy, false),
        ("notice-policy", "noticePolicyId", &library.notice_policy, false),
        ("overdue-fine-policy", "overdueFinePolicyId", &library.overdue_policy, false),
        ("lost-item-policy", "lostItemPolicyId", &library.lost_policy, false),
    ] {
        let answer = library.desk.get(&format!("/circulation/rules/{path}?{asked}")).await.expect(200);
        let conditions = json!({"materialTypeMatch": tests_material, "loanTypeMatch": false,
            "patronGroupMatch": false});
        assert_eq!(answer.json(), json!({key: policy, "appliedRuleConditions": conditions}));
    }
    let again = library.desk.get(&format!("/circulation/rules/loan-policy?{asked}")).await;
    assert_eq!(again.round_trips(), 1);
}

#[tokio::test]
async fn all_rules_that_match_are_listed_best_first() {
    let library = LendingLibrary::new().await;
    for (path, key, map, all) in [
        ("loan-policy-all", "loanPolicyId", &library.no_loans, &library.loan_policy),
        ("overdue-fine-policy-all", "overduePolicyId", &library.overdue_policy, &library.overdue_policy),
    ] {
        let path = format!("/circulation/rules/{path}?{}", question(&library, &library.map));
        let answer = library.desk.get(&path).await.expect(200);
        let matches = json!([{key: map, "circulationRuleLine": 3}, {key: all, "circulationRuleLine": 2}]);
        assert_eq!(answer.json(), json!({"circulationRuleMatches": matches}));
    }
}

#[tokio::test]
async fn questions_name_four_ids() {
    let library = LendingLibrary::new().await;
    let path = "/circulation/rules/loan-policy";
    let answer = library.desk.get(path).await.expect(400);
    assert_eq!(answer.text, "required query parameter missing: item_type_id");
    let asked = question(&library, "book");
    let answer = library.desk.get(&format!("{path}?{asked}")).await.expect(400);
    assert!(answer.text.starts_with("invalid uuid format of item_type_id, expecting ^[a-fA-F0-9]{8}"));
    assert!(answer.text.ends_with("but it is book"));
}

#[tokio::test]
async fn blank_rules_cannot_be_applied() {
    let library = LendingLibrary::new().await;
    library.desk.put("/circulation-rules-storage", &json!({"rulesAsText": ""})).await.expect(204);
    let asked = question(&library, &library.book);
    let answer = library.desk.get(&format!("/circulation/rules/loan-policy?{asked}")).await.expect(500);
    assert_eq!(answer.text, "Cannot apply blank circulation rules");
}

#[tokio::test]
async fn invalid_json_is_refused_in_the_shape_of_rules() {
    let library = LendingLibrary::new().await;
    let body = Some(b"foo".to_vec());
    let answer = library.desk.send(http::Method::PUT, "/circulation/rules", body).await.expect(422);
    let refused = answer.json();
    assert!(refused["message"].is_string(), "{refused}");
    assert_eq!(refused.get("errors"), None);
    // Comments are skipped, which a published load script relies on.
    let rules = library.desk.get("/circulation/rules").await.expect(200).text;
    let body = Some(format!("//not modifying the rules\n{rules}").into_bytes());
    library.desk.malformed().send(http::Method::PUT, "/circulation/rules", body).await.expect(204);
}
