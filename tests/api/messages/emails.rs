//! E-mails, delivered through a real mail server.

use std::fs;

use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Client, library};

use super::{
    mail_server::{MailServer, free_port},
    noticing::{Noticing, mail, upon},
};

/// Configures the tenant's mail server on this port; `more` changes the configuration.
async fn configure(client: &Client, port: u16, more: Value) -> String {
    let mut configuration = json!({
        "host": "127.0.0.1", "port": port, "username": "carrel", "password": "a secret", "from": "library@example.org",
        "startTlsOptions": "DISABLED", "loginOption": "NONE", "connectTimeout": 5000,
        "identities": [{"address": "library@example.org", "name": "The library"}],
        "emailHeaders": [{"name": "X-Library", "value": "Main"}],
    });
    if let (Some(members), Value::Object(more)) = (configuration.as_object_mut(), more) {
        members.extend(more);
    }
    let made = client.create("/smtp-configuration", &configuration).await;
    made["id"].as_str().expect("an id").to_owned()
}

fn email(to: &str) -> Value {
    json!({"notificationId": "1", "to": to, "header": "A subject", "body": "A text", "outputFormat": "text/plain"})
}

async fn kept(client: &Client, to: &str) -> Value {
    let found = client.query("/email", &format!("to==\"{to}\"")).await.expect(200).json();
    found["emailEntity"][0].clone()
}

#[tokio::test]
async fn a_notice_reaches_the_mail_server_exactly_once() {
    let library = Noticing::new().await;
    let port = free_port();
    let server = MailServer::start(port, &[]);
    configure(&library.lending.desk, port, json!({})).await;
    let body = "<p>{{user.firstName}}{{#loans}} {{item.barcodeImage}}{{/loans}}</p>";
    let on_loan = library.template("Lent to you", body).await;
    library.policy(json!([upon("Check out", &on_loan)]), json!([]), json!([])).await;
    let ann = library.patron("ann").await;
    library.lending.item("1001", json!({})).await;
    library.check_out("1001", "ann").await;
    library.end_session(&ann, "").await;
    library.lending.library.run_jobs().await;

    let message = server.message();
    assert_eq!(message["to"], json!(["ann@example.org"]));
    assert_eq!(message["from"], "The library <library@example.org>");
    assert_eq!(message["subject"], "Lent to you");
    assert_eq!(message["headers"], json!({"X-Library": "Main"}));
    assert_eq!(message["type"], "text/html");
    let text = message["text"].as_str().expect("a text").trim();
    assert_eq!(text, "<p>ann <img src='cid:barcode_1001' alt='barcode_1001'></p>");
    let image = &message["files"][0];
    assert_eq!((&image["type"], &image["id"]), (&json!("image/png"), &json!("<barcode_1001>")));
    let kept = kept(&library.lending.desk, "ann@example.org").await;
    assert_eq!(kept["status"], "DELIVERED");
    assert_eq!(kept["message"], "The message has been delivered to ann@example.org");
    assert_eq!((&kept["attemptCount"], &kept["shouldRetry"]), (&json!(1), &json!(false)));
    let id = format!("<{}@carrel>", kept["id"].as_str().expect("an id"));
    assert_eq!(message["id"], id.as_str());

    library.advance(SignedDuration::from_hours(1));
    library.lending.library.run_jobs().await;
    assert!(server.is_quiet(), "it is sent once");
}

#[tokio::test]
async fn a_refused_recipient_does_not_affect_the_others() {
    let library = library().await;
    let client = &library.open;
    let port = free_port();
    let server = MailServer::start(port, &[]);
    configure(client, port, json!({})).await;
    let post = async |to: &str| client.post("/email", &email(to)).await.expect(200).text;
    let refused = post("refused@example.org").await;
    assert!(
        refused.starts_with("Error in the 'mod-email' module, the module didn't send email | message: "),
        "{refused}"
    );
    assert!(refused.contains("no such user here"), "{refused}");
    assert!(post("no address").await.contains("recipient no address"));
    assert!(post("busy@example.org").await.contains("come back later"));
    let taken = post("ann@example.org, bob@example.org").await;
    assert_eq!(taken, "The message has been delivered to ann@example.org, bob@example.org");
    let message = server.message();
    assert_eq!(message["to"], json!(["ann@example.org", "bob@example.org"]));
    assert_eq!(message["type"], "text/plain");

    for (to, again) in [("refused@example.org", false), ("no address", false), ("busy@example.org", true)] {
        let kept = kept(client, to).await;
        assert_eq!((&kept["status"], &kept["shouldRetry"]), (&json!("FAILURE"), &json!(again)), "{to}");
    }
    library.clock.advance(SignedDuration::from_mins(1));
    client.post("/delayedTask/retryFailedEmails", &json!({})).await.expect(202);
    assert_eq!(kept(client, "busy@example.org").await["attemptCount"], 2);
    assert_eq!(kept(client, "refused@example.org").await["attemptCount"], 1);
}

#[tokio::test]
async fn a_dead_mail_server_delays_no_desk_and_loses_no_notice() {
    let library = Noticing::new().await;
    let port = free_port();
    configure(&library.lending.desk, port, json!({})).await;
    let on_loan = library.template("Lent", "{{#loans}}{{item.barcode}}{{/loans}}").await;
    library.policy(json!([upon("Check out", &on_loan)]), json!([]), json!([])).await;
    for name in ["ann", "bob"] {
        let patron = library.patron(name).await;
        library.lending.item(name, json!({})).await;
        library.check_out(name, name).await;
        library.end_session(&patron, "").await;
    }
    library.lending.library.run_jobs().await;
    for name in ["ann", "bob"] {
        let kept = kept(&library.lending.desk, &format!("{name}@example.org")).await;
        assert_eq!((&kept["status"], &kept["shouldRetry"]), (&json!("FAILURE"), &json!(true)));
        assert!(!kept.to_string().contains("a secret"), "{kept}");
    }
    let server = MailServer::start(port, &[]);
    library.lending.library.run_jobs().await;
    assert!(server.is_quiet(), "it waits a minute first");
    library.advance(SignedDuration::from_mins(1));
    library.lending.library.run_jobs().await;
    let mut recipients = [server.message()["to"][0].clone(), server.message()["to"][0].clone()];
    recipients.sort_by_key(Value::to_string);
    assert_eq!(recipients, [json!("ann@example.org"), json!("bob@example.org")]);
    let kept = kept(&library.lending.desk, "ann@example.org").await;
    assert_eq!((&kept["status"], &kept["attemptCount"]), (&json!("DELIVERED"), &json!(2)));
    assert_eq!(library.sent().await, [mail("ann", "Lent: ann"), mail("bob", "Lent: bob")]);
}

#[tokio::test]
async fn a_mail_server_can_require_encryption_and_a_login() {
    let library = library().await;
    let client = &library.open;
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("certificate.pem");
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let pem = made.cert.pem() + &made.signing_key.serialize_pem();
    fs::write(&certificate, pem).expect("a file");
    let port = free_port();
    let file = certificate.to_str().expect("a path");
    let server = MailServer::start(port, &["--certificate", file, "--login", "carrel:a secret"]);
    let secured = json!({"startTlsOptions": "REQUIRED", "loginOption": "REQUIRED"});
    let id = configure(client, port, secured).await;
    let post = async |to: &str| client.post("/email", &email(to)).await.expect(200).text;
    let untrusted = post("a@example.org").await;
    assert!(untrusted.contains("ertificate"), "{untrusted}");

    let path = format!("/smtp-configuration/{id}");
    let mut stored = client.get(&path).await.expect(200).json();
    stored["trustAll"] = true.into();
    stored["password"] = "wrong".into();
    client.put(&path, &stored).await.expect(204);
    let refused = post("b@example.org").await;
    assert!(refused.contains("535") || refused.to_lowercase().contains("auth"), "{refused}");
    stored["password"] = "a secret".into();
    client.put(&path, &stored).await.expect(204);
    assert_eq!(post("c@example.org").await, "The message has been delivered to c@example.org");
    let message = server.message();
    assert_eq!((&message["tls"], &message["user"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn the_password_of_the_mail_server_is_never_shown() {
    let library = library().await;
    let client = &library.open;
    let port = free_port();
    let server = MailServer::start(port, &["--login", "carrel:a secret"]);
    let log_in = json!({"loginOption": "REQUIRED"});
    let path = format!("/smtp-configuration/{}", configure(client, port, log_in).await);
    let list = client.get("/smtp-configuration").await.expect(200).json();
    let mut shown = client.get(&path).await.expect(200).json();
    assert_eq!(list["smtpConfigurations"][0], shown);
    assert_eq!(shown["password"], "********");
    for query in ["password==\"a secret\"", "password=\"a*\"", "password>\"a\""] {
        let found = client.query("/smtp-configuration", query).await.expect(200);
        assert_eq!(found.json()["totalRecords"], 0, "{query}");
        let name = "x-carrel-undeclared-fields";
        assert_eq!(found.header(name), Some("password"), "{query}");
    }
    let delivered = async |to: &str| {
        let answer = client.post("/email", &email(to)).await.expect(200);
        assert!(answer.text.contains("has been delivered"), "{}", answer.text);
        assert_eq!(server.message()["user"], true);
    };
    // A client that changes other members sends back what it read, or omits the password.
    shown["from"] = "desk@example.org".into();
    client.put(&path, &shown).await.expect(204);
    delivered("a@example.org").await;
    shown.as_object_mut().unwrap().remove("password");
    client.put(&path, &shown).await.expect(204);
    delivered("b@example.org").await;
    shown["password"] = "another".into();
    client.put(&path, &shown).await.expect(204);
    let refused = client.post("/email", &email("c@example.org")).await.text;
    assert!(!refused.contains("has been delivered"), "{refused}");
}

#[tokio::test]
async fn without_a_mail_server_e_mails_wait() {
    let library = library().await;
    let client = &library.open;
    let answer = client.post("/email", &email("ann@example.org")).await.expect(200);
    let reason = "The 'mod-config' module doesn't have a minimum config for SMTP server, the min config is: \
        [EMAIL_SMTP_PORT, EMAIL_PASSWORD, EMAIL_SMTP_HOST, EMAIL_USERNAME]";
    assert_eq!(answer.text, reason);
    let kept = kept(client, "ann@example.org").await;
    assert_eq!(kept["shouldRetry"], true);
    assert_eq!(
        kept["message"],
        format!("Error in the 'mod-email' module, the module didn't send email | message: {reason}")
    );
    let missing = client.post("/email", &json!({"to": "x"})).await.expect(422);
    assert_eq!(missing.error_messages().len(), 3);

    configure(client, 25, json!({})).await;
    let again = json!({"host": "other", "port": 25, "username": "x", "password": "y"});
    let refused = client.post("/smtp-configuration", &again).await.expect(422);
    assert_eq!(refused.error_messages(), ["(1) value already exists in table smtp_configuration: 1"]);
}

/// mod-email gives the same answer to everything it cannot do.
#[tokio::test]
async fn bad_queries_about_e_mails_are_refused_as_in_mod_email() {
    let library = library().await;
    let client = &library.open;
    for query in ["xxxx", "to==", "(", "to == a and", "a=b prox c=d"] {
        let refused = client.query("/email", query).await.expect(500);
        assert_eq!(refused.text, "Internal Server Error", "{query}");
        assert_eq!(refused.header("content-type"), Some("text/plain"));
    }
    for date in ["soon", "2026-13-01", "2026-1-1", "20260101", "2026-01-01T00:00:00Z"] {
        let path = format!("/delayedTask/expiredMessages?expirationDate={date}");
        let refused = client.delete(&path).await.expect(500);
        assert_eq!(refused.text, "Internal Server Error", "{date}");
    }
    // Unknown fields match nothing, and `limit` is checked by the RAML module builder's code.
    client.query("/email", "nobody==knows").await.expect(200);
    client.get("/email?limit=x").await.expect(400);
    client.delete("/delayedTask/expiredMessages?expirationDate=2026-01-01&emailStatus=NOPE").await.expect(204);
}

#[tokio::test]
async fn e_mails_are_deleted_after_a_time() {
    let library = library().await;
    let client = &library.open;
    let port = free_port();
    let server = MailServer::start(port, &[]);
    configure(client, port, json!({"expirationHours": 48})).await;
    for to in ["ann@example.org", "refused@example.org", "busy@example.org"] {
        client.post("/email", &email(to)).await.expect(200);
    }
    server.message();
    client.delete("/delayedTask/expiredMessages").await.expect(204);
    assert_eq!(client.get("/email").await.expect(200).json()["totalRecords"], 3, "they are new");
    client.delete("/delayedTask/expiredMessages?expirationDate=2200-01-01").await.expect(204);
    assert_eq!(client.get("/email").await.expect(200).json()["totalRecords"], 2, "delivered ones are gone");
    library.run_jobs().await;
    library.clock.advance(SignedDuration::from_hours(49));
    library.run_jobs().await;
    let left = client.get("/email").await.expect(200).json();
    assert_eq!(left["totalRecords"], 1, "what is still to be sent stays");
    assert_eq!(left["emailEntity"][0]["to"], "busy@example.org");
}

#[tokio::test]
async fn other_programs_send_notices_and_messages() {
    let library = Noticing::new().await;
    let desk = &library.lending.desk;
    let port = free_port();
    let server = MailServer::start(port, &[]);
    configure(desk, port, json!({})).await;
    let template = library.template("Hello", "{{name}}").await;
    let ann = library.patron("ann").await;
    let notice = |change: Value| {
        let mut notice = json!({"recipientId": ann, "deliveryChannel": "email", "templateId": template,
            "outputFormat": "text/html", "lang": "en", "context": {"name": "Ann"}});
        if let (Some(members), Value::Object(change)) = (notice.as_object_mut(), change) {
            members.extend(change);
        }
        notice
    };
    desk.post("/patron-notice", &notice(json!({}))).await.expect(200);
    library.lending.library.run_jobs().await;
    assert_eq!(server.message()["subject"], "Hello");
    for (change, message) in [
        (json!({"lang": "de"}), "Requested template does not have localized template for language 'de'"),
        (json!({"deliveryChannel": "pigeon"}), "Delivery channel 'pigeon' is not supported"),
        (json!({"recipientId": uuid::Uuid::new_v4()}), "Not found"),
    ] {
        let refused = desk.post("/patron-notice", &notice(change)).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
    }
    let delivery = json!({"notificationId": "7", "recipientUserId": ann, "messages": [
        {"deliveryChannel": "email", "header": "Direct", "body": "A text", "outputFormat": "text/plain"}]});
    desk.post("/message-delivery", &delivery).await.expect(204);
    library.lending.library.run_jobs().await;
    assert_eq!(server.message()["subject"], "Direct");
    let mut pigeon = delivery.clone();
    pigeon["messages"][0]["deliveryChannel"] = "pigeon".into();
    let refused = desk.post("/message-delivery", &pigeon).await.expect(400);
    assert_eq!(refused.text, "Delivery channel 'pigeon' is not supported");
}
