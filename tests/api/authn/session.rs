//! `/authn/refresh` and `/authn/logout`.

use super::*;

#[tokio::test]
async fn a_refresh_token_works_once() {
    let library = library().await;
    user(&library, "reader").await;
    let first = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let first = format!("folioRefreshToken={}", value_of(&first, "folioRefreshToken"));
    let renewed = with_cookie(&library, &first).post("/authn/refresh", &json!({})).await.expect(201);
    assert!(renewed.json()["accessTokenExpiration"].is_string());
    let second = cookies(&renewed);
    let second = format!("a=b; folioRefreshToken={}; c=d", value_of(&second, "folioRefreshToken"));

    // A used token appears again: someone has a copy, so all tokens of the user are revoked.
    let spent = with_cookie(&library, &first).post("/authn/refresh", &json!({})).await.expect(422);
    assert_eq!(spent.json()["errors"][0]["code"], "token.refresh.unprocessable");
    with_cookie(&library, &second).post("/authn/refresh", &json!({})).await.expect(422);
}

#[tokio::test]
async fn refresh_tokens_expire_and_cookies_are_verified() {
    let library = library().await;
    user(&library, "reader").await;
    let cookies = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let good = format!("folioRefreshToken={}", value_of(&cookies, "folioRefreshToken"));
    library.clock.advance(SignedDuration::from_hours(24 * 7));
    with_cookie(&library, &good).post("/authn/refresh", &json!({})).await.expect(422);
    for (cookie, status) in [
        ("", 400),
        ("folioRefreshToken=", 400),
        ("folioRefreshToken=a; folioRefreshToken=b", 400),
        ("folioRefreshToken=a token", 400),
        ("folioRefreshToken=\"a\\b\"", 400),
        ("folioRefreshToken=unknown", 422),
    ] {
        let refused = with_cookie(&library, cookie).post("/authn/refresh", &json!({})).await;
        let refused = refused.expect(status).json();
        if status == 400 {
            assert_eq!(refused["errors"][0]["code"], "token.parse.failure");
            assert_eq!(refused["errors"][0]["message"], "Bad request");
        }
    }
}

#[tokio::test]
async fn signing_out_ends_the_refresh_tokens_and_empties_the_cookies() {
    let library = library().await;
    user(&library, "reader").await;
    let one = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let other = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let token = |cookies: &[String]| format!("folioRefreshToken={}", value_of(cookies, "folioRefreshToken"));
    let out = with_cookie(&library, &token(&one)).post("/authn/logout", &json!({})).await.expect(204);
    assert_eq!(
        cookies(&out),
        [
            "folioAccessToken=; SameSite=None; Secure; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "folioRefreshToken=; SameSite=None; Secure; Path=/authn; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        ]
    );
    // To end it again is no fault.
    with_cookie(&library, &token(&one)).post("/authn/logout", &json!({})).await.expect(204);
    let unknown = with_cookie(&library, "folioRefreshToken=unknown").post("/authn/logout", &json!({})).await;
    assert_eq!(unknown.json()["errors"][0]["code"], "token.logout.unprocessable");
    assert_eq!(cookies(&unknown.expect(422)), cookies(&out));
    with_cookie(&library, &token(&other)).post("/authn/refresh", &json!({})).await.expect(201);
    let third = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let fourth = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    with_cookie(&library, &token(&third)).post("/authn/logout-all", &json!({})).await.expect(204);
    with_cookie(&library, &token(&fourth)).post("/authn/refresh", &json!({})).await.expect(422);
    library.open.post("/authn/logout", &json!({})).await.expect(204);
    library.open.post("/authn/logout-all", &json!({})).await.expect(422);
}

#[tokio::test]
async fn only_one_of_two_simultaneous_refreshes_succeeds() {
    let library = library().await;
    user(&library, "reader").await;
    for _ in 0..5 {
        let given = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
        let token = format!("folioRefreshToken={}", value_of(&given, "folioRefreshToken"));
        let client = with_cookie(&library, &token);
        let use_it = || {
            let client = client.clone();
            tokio::spawn(async move { client.post("/authn/refresh", &json!({})).await.status })
        };
        let uses = [use_it(), use_it(), use_it(), use_it()];
        let mut good = 0;
        for one in uses {
            let status = one.await.unwrap();
            assert!(status == 201 || status == 422, "{status}");
            good += usize::from(status == 201);
        }
        assert_eq!(good, 1);
    }
}
