//! `/circulation/loans`.

use serde_json::json;

use super::{LendingLibrary, id};

#[tokio::test]
async fn loans_are_listed_with_what_stands_beside_them() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.item("i-2", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let first = library
        .check_out("i-1", "p-1", json!({}))
        .await
        .expect(201)
        .json();
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    library.check_in("i-2", json!({})).await.expect(200);

    let open = format!("(userId=={patron} and status.name<>Closed)");
    let answer = library
        .desk
        .query("/circulation/loans", &open)
        .await
        .expect(200);
    assert_eq!(answer.round_trips(), 1);
    let list = answer.json();
    assert_eq!(list["totalRecords"], 1);
    let loan = &list["loans"][0];
    assert_eq!(loan["id"], first["id"]);
    assert_eq!(loan["item"]["barcode"], "i-1");
    assert_eq!(loan["item"]["status"]["name"], "Checked out");
    assert_eq!(loan["borrower"], first["borrower"]);
    assert_eq!(loan["checkoutServicePoint"]["name"], "Desk");
    assert_eq!(loan["loanPolicy"], json!({"name": "Three weeks"}));
    assert_eq!(loan["feesAndFines"], json!({"amountRemainingToPay": 0.0}));
    assert_eq!(loan.get("itemStatus"), None);
    let keys: Vec<_> = list.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["loans", "totalRecords"]);

    let none = library
        .desk
        .query("/circulation/loans", "itemId==NOT_FOUND")
        .await
        .expect(200);
    assert_eq!(none.json(), json!({"loans": [], "totalRecords": 0}));
    library
        .desk
        .query("/circulation/loans", "userId==")
        .await
        .expect(400);
}

#[tokio::test]
async fn one_loan_is_read_by_id() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library
        .check_out("i-1", "p-1", json!({}))
        .await
        .expect(201)
        .json();
    let answer = library
        .desk
        .get(&format!("/circulation/loans/{}", id(&loan)))
        .await
        .expect(200);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(answer.json()["item"], loan["item"]);
    for unknown in ["00000000-0000-4000-8000-000000000000", "x"] {
        let answer = library
            .desk
            .get(&format!("/circulation/loans/{unknown}"))
            .await
            .expect(404);
        assert_eq!(
            answer.text,
            format!("loan record with ID \"{unknown}\" cannot be found")
        );
    }
}
