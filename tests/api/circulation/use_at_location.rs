//! `/circulation/{hold,pickup}-by-barcode-for-use-at-location`.

use serde_json::json;
use testkit::library;

#[tokio::test]
async fn items_are_not_kept_for_reading_here() {
    let library = library().await;
    let (hold, pick_up) = (
        "/circulation/hold-by-barcode-for-use-at-location",
        "/circulation/pickup-by-barcode-for-use-at-location",
    );
    let both = json!({"itemBarcode": "i", "userBarcode": "u"});
    for path in [hold, pick_up] {
        let refused = library.open.post(path, &both).await.expect(400);
        assert_eq!(
            refused.text,
            "For-use-at-location is not enabled for this tenant."
        );
    }
    for (path, body, message, key) in [
        (
            hold,
            json!({"itemBarcode": " "}),
            "Request to put item on hold shelf must have an item barcode",
            "itemBarcode",
        ),
        (
            pick_up,
            json!([]),
            "Request to pick up from hold shelf must have an item barcode",
            "itemBarcode",
        ),
        (
            pick_up,
            json!({"itemBarcode": "i"}),
            "Request to pick up from hold shelf must have a user barcode",
            "userBarcode",
        ),
    ] {
        let errors = library.open.post(path, &body).await.expect(422).json();
        let parameter = json!({"key": key, "value": null});
        let expected = json!({"errors": [{"message": message, "parameters": [parameter]}]});
        assert_eq!(errors, expected);
    }
}
