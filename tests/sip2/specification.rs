//! Every answer, whether success or refusal, has the form of 3M SIP2 2.00: fixed-length parts with allowed values, all
//! required fields and no others.

use serde_json::json;

use crate::terminal::{LOG_IN, SelfChecks};

/// The form of an answer. In `fixed` each letter stands for a character: `1` for 0 or 1, `b` for Y or N, `u` for Y, N
/// or U, `f` for Y or blank, `9` for a digit, `D` for a date of eighteen characters, `.` for itself.
struct Form {
    code: &'static str,
    fixed: &'static str,
    required: &'static str,
    optional: &'static str,
    /// Fields of other vendors, including edge-sip2.
    extensions: &'static str,
}

const PATRON: &str = "ffffffffffffff999D";

const FORMS: [Form; 14] = [
    form("10", "1bubD", "AO AB AQ", "AJ CL AA CK CH AF AG", "CS CV CT CY DA"),
    form("12", "1bubD", "AO AA AB AJ AH", "BT CI BH BV CK CH BK AF AG", ""),
    form("16", "1bD", "AO AA", "BW BR BS AB AJ AF AG", ""),
    form("18", "999999D", "AB AJ", "CF AH CJ CM BG BH BV CK AQ AP CH AF AG", "CT"),
    form("20", "1D", "AB", "AJ CH AF AG", ""),
    form("24", PATRON, "AO AA AE", "BL CQ BH BV AF AG", ""),
    form("26", PATRON, "AO AA AE", "BL CQ AF AG", ""),
    form("30", "1bubD", "AO AA AB AJ AH", "BT CI BH BV CK CH BK AF AG", ""),
    form("36", "bD", "AO AA", "AF AG", ""),
    form("38", "bD", "AO AA", "BK AF AG", "CG FA FG"),
    form(
        "64",
        "ffffffffffffff999D999999999999999999999999",
        "AO AA AE",
        "BZ CA CB BL CQ BH BV CC AS AT AU AV BU CD BD BE BF AF AG",
        "FU FV CG FA FB FC FD FE FF",
    ),
    form("66", "199999999D", "AO", "BM BN AF AG", ""),
    form("94", "1", "", "", ""),
    form("98", "bbbbbb999999D2.00", "AO BX", "AM AN AF AG", ""),
];

const fn form(
    code: &'static str,
    fixed: &'static str,
    required: &'static str,
    optional: &'static str,
    extensions: &'static str,
) -> Form {
    Form { code, fixed, required, optional, extensions }
}

fn faults(answer: &str) -> Vec<String> {
    let Some(form) = FORMS.iter().find(|form| answer.starts_with(form.code)) else {
        return vec!["an unknown kind".into()];
    };
    let mut faults = Vec::new();
    let mut rest = &answer[2..];
    for kind in form.fixed.chars() {
        let width = if kind == 'D' { 18 } else { 1 };
        let (part, behind) = rest.split_at(width.min(rest.len()));
        if !allowed(kind, part) {
            faults.push(format!("{part:?} is no {kind}"));
        }
        rest = behind;
    }
    let fields: Vec<&str> = rest.split_terminator('|').collect();
    if !rest.is_empty() && !rest.ends_with('|') {
        faults.push("the last field is not ended".into());
    }
    let codes: Vec<&str> = fields.iter().map(|field| &field[..2]).collect();
    for code in form.required.split_whitespace() {
        let times = codes.iter().filter(|known| **known == code).count();
        if times != 1 {
            faults.push(format!("{code} is there {times} times"));
        }
    }
    let known = [form.required, form.optional, form.extensions].join(" ");
    for code in &codes {
        if !known.split_whitespace().any(|known| known == *code) {
            faults.push(format!("{code} does not belong there"));
        }
    }
    faults.extend(fields.iter().filter_map(|field| odd_value(field)));
    faults
}

fn allowed(kind: char, part: &str) -> bool {
    match kind {
        '1' => matches!(part, "0" | "1"),
        'b' => matches!(part, "Y" | "N"),
        'u' => matches!(part, "Y" | "N" | "U"),
        'f' => matches!(part, "Y" | " "),
        '9' => part.len() == 1 && part.as_bytes()[0].is_ascii_digit(),
        'D' => is_date(part),
        literal => part.chars().eq([literal]),
    }
}

/// Local time: eight digits, four blanks, six digits.
fn is_date(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    text.len() == 18 && digits(&text[..8]) && &text[8..12] == "    " && digits(&text[12..])
}

/// Checks fields whose values have a form of their own.
fn odd_value(field: &str) -> Option<String> {
    let (code, value) = field.split_at(2);
    let digits = |width: usize| value.len() == width && value.bytes().all(|b| b.is_ascii_digit());
    let sound = match code {
        "AH" => value.is_empty() || is_date(value),
        "CJ" | "CM" | "BW" => is_date(value),
        "BL" | "CQ" | "CI" => matches!(value, "Y" | "N"),
        "BX" => value.len() == 16 && value.bytes().all(|byte| matches!(byte, b'Y' | b'N')),
        "BZ" | "CA" | "CB" => digits(4),
        "CK" => digits(3),
        "CV" => digits(2),
        "BH" => value.len() == 3,
        "CF" | "BR" => value.parse::<u32>().is_ok(),
        "BV" | "CC" | "FA" | "FG" => {
            let cents = value.split_once('.').map(|(_, cents)| cents.len());
            value.parse::<f64>().is_ok() && cents == Some(2)
        }
        _ => value.chars().count() <= 255,
    };
    (!sound).then(|| format!("{code} cannot be {value:?}"))
}

async fn library() -> SelfChecks {
    let checks = SelfChecks::new().await;
    let lending = &checks.lending;
    let personal =
        json!({"personal": {"firstName": "Ann", "lastName": "Reader", "phone": "4711", "email": "reader@example.org"}});
    let reader = lending.patron("reader", personal).await;
    let other = lending.patron("other", json!({})).await;
    for barcode in ["book", "shelved"] {
        lending.item(barcode, json!({})).await;
    }
    let wanted = lending.item("wanted", json!({})).await;
    lending.hold(&wanted, &other, 1, json!({})).await;
    let fee = json!({"amount": 3, "remaining": 3, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
        "feeFineType": "Damage", "feeFineOwner": "Desk", "userId": reader,
        "id": uuid::Uuid::new_v4(), "feeFineId": uuid::Uuid::new_v4(), "ownerId": uuid::Uuid::new_v4()});
    lending.desk.create("/accounts", &fee).await;
    checks
}

const DATE: &str = "20261122    120000";

/// Every request in a successful and a refused form, with the beginning of its answer.
fn requests() -> Vec<(String, &'static str)> {
    let blank = " ".repeat(18);
    let check_out = |patron: &str, item: &str| format!("11YN{DATE}{blank}AO|AA{patron}|AB{item}|AC|AD|BON|BIN|");
    let renew = |item: &str| format!("29NN{DATE}{blank}AO|AAreader|AD|AB{item}|AJ|AC|CH|BON|");
    let take_back = |item: &str| format!("09N{DATE}{DATE}APDesk|AO|AB{item}|AC|CH|BIN|");
    let patron = |code: &str, barcode: &str| format!("{code}{DATE}AO|AA{barcode}|AC|AD|");
    let hold = |mode: &str, item: &str| {
        format!("15{mode}{DATE}BW20261231    235959|BSDesk|BY3|AO|AAreader|AD|AB{item}|AJ|AC|BON|")
    };
    let summary = |place: usize| {
        let mut flags = [' '; 10];
        flags[place] = 'Y';
        let flags: String = flags.iter().collect();
        format!("63001{DATE}{flags}AO|AAreader|AC|AD|BP1|BQ5|")
    };
    let pay = |amount: &str| format!("37{DATE}0100USDBV{amount}|AO|AAreader|AC|AD|CG|BK|");
    let mut requests = vec![
        ("9900802.00".into(), "98Y"),
        (patron("23000", "reader"), "24 "),
        (patron("23000", "nobody"), "24Y"),
        (patron("23003", "reader"), "24              003"),
        (patron("23en|", "reader"), "24              000"),
        (check_out("reader", "book"), "121N"),
        (check_out("other", "book"), "120N"),
        (check_out("reader", "nothing"), "120N"),
        (check_out("nobody", "book"), "120N"),
        (check_out("reader", ""), "120N"),
        (renew("book"), "300N"),
        (renew("nothing"), "300N"),
        (format!("17{DATE}AO|ABbook|AC|"), "1804"),
        (format!("17{DATE}AO|ABnothing|AC|"), "1801"),
        (format!("17{DATE}AO|ABwanted|AC|"), "1803"),
        (format!("19{DATE}AO|ABbook|AC|CHred|"), "200"),
        (format!("19{DATE}AO|ABnothing|AC|CHred|"), "200"),
        (hold("+", "shelved"), "161Y"),
        (hold("*", "shelved"), "161Y"),
        (hold("-", "shelved"), "161N"),
        (hold("-", "shelved"), "160N"),
        (hold("+", "nothing"), "160N"),
        (patron("65", "reader"), "661"),
        (patron("65", "nobody"), "660"),
        (take_back("book"), "101Y"),
        (take_back("wanted"), "101YUY"),
        (take_back("nothing"), "100N"),
        (take_back(""), "100N"),
        (pay("9.99"), "38N"),
        (pay("1.00"), "38Y"),
        (format!("01N{DATE}AO|ALlost|AAreader|AC|"), "24YYYY"),
        (format!("01N{DATE}AO|ALlost|AAnobody|AC|"), "24Y"),
        (patron("25", "reader"), "26 "),
        (patron("25", "nobody"), "26Y"),
        (patron("35", "reader"), "36Y"),
        (patron("35", "nobody"), "36N"),
        (patron("63000", "nobody").replacen(DATE, &format!("{DATE}          "), 1), "64Y"),
    ];
    requests.extend((0..10).map(|place| (summary(place), "64 ")));
    requests
}

#[tokio::test]
async fn every_answer_has_the_form_of_the_specification() {
    let checks = library().await;
    let mut terminal = checks.signed_in().await;
    for (request, begins) in requests() {
        let answer = terminal.ask(&request).await;
        assert!(answer.starts_with(begins), "{request}: {answer}");
        assert!(faults(&answer).is_empty(), "{request}: {answer}: {:?}", faults(&answer));
    }
}

#[tokio::test]
async fn answers_before_sign_in_have_the_form_of_the_specification() {
    let checks = library().await;
    let mut terminal = checks.terminal().await;
    for (request, _) in requests() {
        let answer = terminal.ask(&request).await;
        assert!(faults(&answer).is_empty(), "{request}: {answer}: {:?}", faults(&answer));
    }
    for login in [LOG_IN.replace("secret", "wrong"), LOG_IN.to_owned()] {
        assert!(faults(&terminal.ask(&login).await).is_empty());
    }
}

/// What a scanner, a keyboard or a broken disk may put into a field.
fn oddities() -> Vec<String> {
    let odd = [
        "\0",
        "a\0b",
        "\u{1b}[2J",
        "\u{7f}",
        "'",
        "\"",
        "\\",
        "%",
        "*",
        "?",
        "(",
        "a or b",
        "==",
        "<>",
        "\u{fffd}",
        "\u{85}",
        "é",
        "日本",
        "-1",
        "0",
        "1e9",
        "NaN",
        "99999999999999999999",
        "0.001",
        "79228162514264337593543950335",
        "00000000-0000-0000-0000-000000000000",
        "9999123",
        "20260229    000000",
        "99991231    235959",
        "00010101    000000",
        "00010101   M000000",
        "99991231   Y235959",
    ];
    let long = ["x".repeat(500), "é".repeat(260)];
    odd.into_iter().map(str::to_owned).chain(long).collect()
}

#[tokio::test]
async fn odd_values_get_well_formed_answers_and_never_fail() {
    let checks = library().await;
    let mut terminal = checks.signed_in().await;
    let blank = " ".repeat(18);
    let fixed = [
        format!("01N{DATE}"),
        format!("09N{DATE}{DATE}"),
        format!("09Y{DATE}{blank}"),
        format!("11YN{DATE}{blank}"),
        format!("11NY{DATE}{DATE}"),
        format!("15+{DATE}"),
        format!("15*{DATE}"),
        format!("17{DATE}"),
        format!("19{DATE}"),
        format!("23001{DATE}"),
        format!("25{DATE}"),
        format!("29NN{DATE}{blank}"),
        format!("35{DATE}"),
        format!("37{DATE}0100USD"),
        format!("63001{DATE}  Y       "),
        format!("65{DATE}"),
        format!("09N{DATE}{DATE}"),
        "11NY00010101    00000099991231    235959".into(),
        "09Y00010101    00000000010101   M000000".into(),
        format!("09N{DATE}{DATE}"),
        "11NY20261122    11000099991231   Y235959".into(),
        "29YY00010101    00000099991231   Y235959".into(),
        "3799991231   Y2359590100USD".into(),
        "6300099991231   Y235959YYYYYYYYYY".into(),
    ];
    let sound = [("AA", "reader"), ("AB", "shelved"), ("BV", "1.00")];
    let places = [&["AA"][..], &["AB"], &["AD", "BK", "BP", "BV", "BW"], &["AJ", "AL", "AO", "BQ", "BS", "BY", "CG"]];
    for odd in oddities() {
        for (fixed, codes) in fixed.iter().flat_map(|fixed| places.map(|codes| (fixed, codes))) {
            let odd = codes.iter().map(|code| format!("{code}{odd}|"));
            let others = sound.iter().filter(|(code, _)| !codes.contains(code));
            let others = others.map(|(code, text)| format!("{code}{text}|"));
            let fields: String = odd.chain(others).collect();
            let answer = terminal.ask(&format!("{fixed}{fields}")).await;
            let faults = faults(&answer);
            assert!(faults.is_empty(), "{fixed}{fields:?}: {answer:?}: {faults:?}");
            assert!(!answer.contains("does not answer"), "{fixed}{fields:?}: {answer}");
        }
    }
}

#[test]
fn faults_are_found() {
    for (answer, fault) in [
        ("941", None),
        ("942", Some("\"2\" is no 1")),
        ("94", Some("\"\" is no 1")),
        ("36Y20261122    120000AO|AA|", None),
        ("36Y20261122   Z120000AO|AA|", Some("\"20261122   Z120000\" is no D")),
        ("36Y20261122    120000AO|", Some("AA is there 0 times")),
        ("36Y20261122    120000AO|AA|AEname|", Some("AE does not belong there")),
        ("36Y20261122    120000AO|AA", Some("the last field is not ended")),
        ("99", Some("an unknown kind")),
    ] {
        let found = faults(answer);
        assert_eq!(found.first().map(String::as_str), fault, "{answer}");
    }
}
