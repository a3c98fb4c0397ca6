//! Filled templates.

use jiff::tz::TimeZone;
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn filled(body: &str, context: Value) -> String {
    let locale = Locale::new("en-US", TimeZone::UTC);
    fill("", body, context, &locale).expect("filled").body
}

#[test]
fn tokens_are_replaced() {
    let context = json!({
        "user": {"firstName": "Ann & Co", "lastName": "O'Reader=\"x\"`<b>", "none": null},
        "loans": [{"item": {"title": "One"}}, {"item": {"title": "Two"}, "user": {"firstName": "inner"}}],
        "count": 2, "price": 1.5, "whole": 3.0, "zero": 0, "yes": true, "no": false, "empty": "", "list": [],
        "lines": "a\nb", "words": ["a", "b"], "a.b": "flat",
    });
    for (template, expected) in [
        ("", ""),
        ("plain text }} { }", "plain text }} { }"),
        ("{{user.firstName}}", "Ann &amp; Co"),
        ("{{ user.firstName }}", "Ann &amp; Co"),
        ("{{{user.firstName}}} {{&user.firstName}}", "Ann & Co Ann & Co"),
        ("{{user.lastName}}", "O&#39;Reader&#61;&quot;x&quot;&#96;&lt;b&gt;"),
        ("{{lines}}|{{{lines}}}", "a&#10;b|a\nb"),
        ("[{{user.none}}{{user.missing}}{{missing}}{{missing.deep}}]", "[]"),
        ("{{count}} {{price}} {{whole}} {{yes}} {{no}}", "2 1.5 3.0 true false"),
        ("{{#loans}}<{{item.title}}>{{/loans}}", "<One><Two>"),
        ("{{#loans}}{{user.firstName}},{{/loans}}", "Ann &amp; Co,inner,"),
        ("{{^loans}}none{{/loans}}{{^list}}empty{{/list}}", "empty"),
        ("{{#user}}{{firstName}}{{/user}}", "Ann &amp; Co"),
        ("{{#yes}}y{{/yes}}{{#no}}n{{/no}}{{#zero}}0{{/zero}}{{#empty}}e{{/empty}}", "y0"),
        ("{{^yes}}y{{/yes}}{{^no}}n{{/no}}{{^zero}}0{{/zero}}{{^empty}}e{{/empty}}{{^missing}}m{{/missing}}", "nem"),
        ("{{#words}}{{.}};{{/words}}", "a;b;"),
        ("{{words}} {{{user}}}", "[a, b] {firstName=Ann & Co, lastName=O'Reader=\"x\"`<b>, none=}"),
        ("{{a.b}}", "flat"),
        ("a{{! a remark }}b", "ab"),
        ("a\n  {{! a remark }}  \nb", "a\nb"),
        ("{{#loans}}\n- {{item.title}}\n{{/loans}}\nend", "- One\n- Two\nend"),
        ("x {{#yes}}\ny\n{{/yes}} z", "x \ny\n z"),
    ] {
        assert_eq!(filled(template, context.clone()), expected, "{template}");
    }
}

#[test]
fn faults_are_told() {
    let deep = "{{#a}}".repeat(60) + &"{{/a}}".repeat(60);
    for (template, fault) in [
        ("a{{b", Fault::OpenToken(2)),
        ("{{{b}}", Fault::OpenToken(1)),
        ("{{", Fault::OpenToken(1)),
        ("{{#a}}", Fault::OpenSection("a".into())),
        ("{{/a}}", Fault::NotOpen("a".into())),
        ("{{#a}}{{/b}}", Fault::NotOpen("b".into())),
        ("{{#a}}{{#b}}{{/a}}{{/b}}", Fault::NotOpen("a".into())),
        ("{{> other}}", Fault::Unsupported('>')),
        ("{{=<% %>=}}", Fault::Unsupported('=')),
        (deep.as_str(), Fault::TooDeep),
    ] {
        assert_eq!(Template::parse(template), Err(fault), "{template}");
    }
}

#[test]
fn a_template_cannot_grow_without_bounds() {
    let list: Vec<u32> = (0..1000).collect();
    let template = "{{#a}}{{#a}}{{#a}}{{#a}}0123456789{{/a}}{{/a}}{{/a}}{{/a}}";
    let template = Template::parse(template).expect("a template");
    assert_eq!(template.render(&json!({"a": list})), Err(Fault::TooLong));
}

#[test]
fn dates_are_written_for_reading() {
    let context = json!({
        "loan": {"dueDate": "2019-06-18T14:04:33.205Z", "returnDateTime": "2019-06-18T14:04:33+02:00"},
        "sentDetailedDateTime": "2019-06-18T14:04:33.205+0000",
        "kept": [{"loanDate": "2019-07-15T11:11:11Z", "loanDateTime": "2019-11-11T11:11:11Z"}],
        "validDate": "soon", "localDate": "2019-06-18T14:04:33", "blankDate": " ", "date": "2019-06-18T00:00:00Z",
    });
    for (template, expected) in [
        ("{{loan.dueDate}}", "6/18/19"),
        ("{{loan.dueDateTime}}", "6/18/19, 2:04\u{202f}PM"),
        ("{{loan.returnDateTime}}", "6/18/19, 12:04\u{202f}PM"),
        ("{{sentDetailedDateTime}}", "June 18, 2019 at 2:04\u{202f}PM"),
        ("{{#kept}}{{loanDate}} {{loanDateTime}}{{/kept}}", "7/15/19 11/11/19, 11:11\u{202f}AM"),
        ("{{validDate}} {{validDateTime}}", "soon soon"),
        ("{{localDate}}{{blankDateTime}} {{date}}", "2019-06-18T14:04:33 6/18/19"),
    ] {
        assert_eq!(filled(template, context.clone()), expected, "{template}");
    }
}

#[test]
fn bar_codes_become_images() {
    let context = json!({
        "item": {"barcode": "12345", "instanceHrid": "in1"},
        "loans": [{"item": {"barcode": "a"}}, {"item": {"barcode": "b"}}, {"item": {"barcode": "a"}}],
        "barcode": "not one",
    });
    let locale = Locale::new("en-US", TimeZone::UTC);
    let fill = |body| fill("Your item", body, context.clone(), &locale).expect("filled");
    let image = |code| format!("<img src='cid:barcode_{code}' alt='barcode_{code}'>");
    let names =
        |filled: &Filled| -> Vec<String> { filled.attachments.iter().map(|found| found.name.clone()).collect() };

    let one = fill("{{item.barcode}}: {{item.barcodeImage}}");
    assert_eq!(one.body, format!("12345: {}", image("12345")));
    // As in FOLIO, the same token inside a list counts as shown.
    assert_eq!(names(&one), ["barcode_12345", "barcode_a", "barcode_b"]);

    let many = fill("{{#loans}}{{item.barcodeImage}}{{/loans}}{{item.instanceHridImage}}{{barcodeImage}}");
    let (a, b, hrid) = (image("a"), image("b"), image("in1"));
    assert_eq!(many.body, format!("{a}{b}{a}{hrid}"));
    assert_eq!(names(&many), ["barcode_12345", "barcode_a", "barcode_b", "barcode_in1"]);

    assert!(names(&fill("{{item.barcode}}")).is_empty());
}

/// Pieces of templates, and some malformed ones.
fn template() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{{a}}",
        "{{{a}}}",
        "{{&a.b}}",
        "{{#a}}",
        "{{/a}}",
        "{{^a}}",
        "{{#a.b}}",
        "{{/a.b}}",
        "{{!x}}",
        "{{",
        "}}",
        "{",
        "\n",
        " ",
        "é",
        "{{.}}",
        "{{item.barcodeImage}}",
        "{{#item}}",
        "{{/item}}",
        "{{>p}}",
        "{{{",
        "text",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn context() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just(Value::from("2026-11-22T10:00:00Z")),
    ];
    let names = prop::sample::select(vec!["a", "b", "item", "barcode", "dueDate", "DateTime"]);
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..5)
                .prop_map(|members| { members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }),
        ]
    })
}

proptest! {
    #[test]
    fn no_template_and_no_context_break_the_engine(body in template(), context in context()) {
        let locale = Locale::new("en-US", TimeZone::UTC);
        if let Ok(filled) = fill("", &body, context, &locale) {
            prop_assert!(filled.body.len() <= crate::templates::mustache::LONGEST);
        }
    }

    #[test]
    fn text_without_braces_stays_as_it_is(text in "[^{}]*") {
        prop_assert_eq!(filled(&text, json!({})), text);
    }
}
