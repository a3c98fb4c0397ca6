use proptest::prelude::*;

use super::*;

const LC: &str = LIBRARY_OF_CONGRESS;
const NLM: &str = NATIONAL_LIBRARY_OF_MEDICINE;
const SUDOC: &str = SUPERINTENDENT_OF_DOCUMENTS;

/// scheme, call number, volume, enumeration, chronology, copy, suffix → shelving order
type Row = (&'static str, [&'static str; 6], &'static str);

#[rustfmt::skip]
const ORDERS: &[Row] = &[
    (LC, ["PN2 .A6", "", "", "", "", ""], "PN 12 A6"),
    (LC, ["PN2 .A6", "v. 3", "no. 2", "1999", "", ""], "PN 12 A6 V 13 NO 12 41999"),
    (LC, ["PN2 .A6 1999", "", "", "", "", "CD"], "PN 12 A6 41999 CD"),
    (LC, ["PN2 .A6 1999", "", "", "", "2", ""], "PN 12 A6 41999 12"),
    (LC, ["PN2 .A69", "", "no. 2", "1922", "1", ""], "PN 12 A69 NO 12 41922 11"),
    (LC, ["PN2 .A69", "v.1", "no. 1", "", "", " + "], "PN 12 A69 V 11 NO 11 +"),
    (LC, [" PN2 .A69 ", " v.1 ", "  ", " 1921", "", ""], "PN 12 A69 V 11 41921"),
    (LC, ["PR9199.3 1920 .L33 1475 .A6", "", "", "", "", ""], "PR 49199.3 41920 L33 41475 A6"),
    (LC, ["PQ2678.K26 P54", "", "", "", "", ""], "PQ 42678 K26 P54"),
    (LC, ["PQ8550.21.R57 V5 1992", "", "", "", "", ""], "PQ 48550.21 R57 V5 41992"),
    (LC, ["PQ8550.21.R57 V5", "", "", "1992", "", ""], "PQ 48550.21 R57 V5 41992"),
    (LC, ["PR9199.48 B3", "", "", "", "", ""], "PR 49199.48 B3"),
    (LC, ["7307.I5 S5", "", "", "", "", ""], "47307 I5 S5"),
    (LC, ["RR 718", "", "", "", "", ""], "RR 3718"),
    (LC, ["qa 76 special .b3", "", "", "", "", ""], "QA 276 _SPECIAL B3"),
    (LC, ["BF199.", "", "", "", "", ""], "BF 3199"),
    (LC, ["ß 1", "", "", "", "", ""], "SS 11"),
    (LC, ["PN2 groß .A6 Fuß", "", "", "", "", ""], "PN 12 _GROSS A6 FUSS"),
    (NLM, ["ß 1", "", "", "", "", ""], "SS 11"),
    (DEWEY, ["341.7", "", "", "", "", ""], "3341.7"),
    (DEWEY, ["341.7/58 / 21", "", "", "", "", ""], "3341.7 258 221"),
    (DEWEY, ["394.1 O41b", "", "", "", "", ""], "3394.1 O41 B"),
    (DEWEY, ["621.56 W91m", "v.3", "no. 2", "1999", "", ""], "3621.56 W91 M V 13 NO 12 41999"),
    (DEWEY, ["21 E23", "", "", "", "", ""], "221 E23"),
    (DEWEY, ["00001", "", "", "", "", ""], "11"),
    (DEWEY, ["325-d A-1908 (Freetown) Map", "", "", "", "", ""], "3325 D A 41908 FREETOWN MAP"),
    (DEWEY, ["5001 Microfilm", "", "", "", "", ""], "45001 MICROFILM"),
    (DEWEY, ["9A2 C0444218 Music CD", "", "", "", "", ""], "19 A2 C 6444218 MUSIC CD"),
    (DEWEY, ["N7307.I5 S5", "", "", "", "", ""], "N 47307.I 15 S 15"),
    (NLM, ["QS 11 .GA1 E53 2005", "", "", "2005", "", ""], "QS 211 G A1 E53 42005 42005"),
    (NLM, ["WB 102.5 B62 2018", "", "", "2018", "", ""], "WB 3102.5 B62 42018 42018"),
    (NLM, ["N7307.I5 S5", "", "", "", "", ""], "N 47307 I5 S5"),
    (SUDOC, ["T22.19/2:V88/989/student", "", "", "", "", ""], "T 222 219 12  !V 288 !3989  !STUDENT"),
    (SUDOC, ["T22.19/2:V88/989/student/spanish", "", "", "", "", ""],
        "T 222 219 12  !V 288 !3989  !STUDENT  !SPANISH"),
    (SUDOC, ["C 55.309/2-10", "", "", "", "", ""], "C 255 !3309 12 210"),
    (SUDOC, ["7307.I5 S5", "", "", "", "", ""], "!47307  !I 15  !S 15"),
    (SUDOC, ["D 3.186", "", "", "", "", ""], "D 13 !3186"),
    (SUDOC, ["D 3.186/7-3", "", "", "", "", ""], "D 13 !3186 17 13"),
    (SUDOC, ["Y3.M58/2", "", "", "", "", ""], "Y 13  !M 258 12"),
    (SUDOC, ["Y3.M58/summ", "", "", "", "", ""], "Y 13  !M 258  !SUMM"),
    (SUDOC, ["EP 1.23:91-44", "", "", "", "", ""], "EP 11 223 291 244"),
    (SUDOC, ["EP 1.23:A 62 A 1.35", "", "", "", "", ""], "EP 11 223  !A 262  !A 11 235"),
    (SUDOC, ["T22.19:M54/990", "", "", "", "", ""], "T 222 219  !M 254 !3990"),
    ("", ["GROUP Smith", "", "", "", "", ""], "GROUP Smith"),
    ("", ["free-text", "v.2", "", "", "", "folio"], "free-text v.2 folio"),
];

fn order_of(scheme: &str, [number, volume, enumeration, chronology, copy, suffix]: [&str; 6]) -> Option<String> {
    let call_number = CallNumber {
        call_number: Some(number),
        prefix: Some("never used"),
        suffix: Some(suffix),
        type_id: Some(scheme).filter(|id| !id.is_empty()),
    };
    let piece = Piece {
        volume: Some(volume),
        enumeration: Some(enumeration),
        chronology: Some(chronology),
        copy_number: Some(copy),
    };
    shelving_order(call_number, piece)
}

#[test]
fn call_numbers_sort_as_folio_sorts_them() {
    for (scheme, parts, expected) in ORDERS {
        assert_eq!(order_of(scheme, *parts).as_deref(), Some(*expected), "{parts:?}");
    }
}

#[test]
fn without_a_call_number_there_is_no_order() {
    assert_eq!(order_of(LC, ["  ", "v.1", "", "", "", "CD"]), None);
    assert_eq!(shelving_order(CallNumber::default(), Piece::default()), None);
}

#[test]
fn documents_stand_in_the_order_of_the_shelf() {
    let shelf = [
        "J29.2:D84/982",
        "J29.2:D84/2",
        "L36.202:F15/990",
        "L36.202:F15/991",
        "L36.202:F15/2",
        "L37.s:Oc1/2/991",
        "L37.2:Oc1/2/conversion",
        "T22.19:M54",
        "T22.19:M54/990",
        "T22.19/2:P94",
        "T22.19/2:P94/2",
        "Y4.F76/2:Af8/12",
        "Y4.F76/2:Af8/12/rev.",
    ];
    let keys: Vec<String> = shelf.iter().map(|number| sudoc::key(number)).collect();
    assert!(keys.is_sorted(), "{keys:?}");
}

proptest! {
    #[test]
    fn any_text_has_an_order(number in "\\PC*", type_id in prop::sample::select(vec![LC, NLM, DEWEY, SUDOC, "x"])) {
        let order = order_of(type_id, [&number, "v.1", "", "", "", ""]);
        prop_assert_eq!(order.is_some(), !number.trim().is_empty());
    }

    #[test]
    fn library_of_congress_classes_sort_by_number(low in 1u32..9_999, step in 1u32..9_999) {
        let key = |class: u32| order_of(LC, [&format!("QA{class} .B3"), "", "", "", "", ""]);
        prop_assert!(key(low) < key(low + step));
    }
}
