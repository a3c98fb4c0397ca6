//! What librarians type, and the record that they expect first, in FOLIO's sample library.

use super::*;

#[tokio::test]
async fn the_expected_record_comes_first() {
    let all = Searched::new().await;
    for (query, expected) in [
        ("keyword all \"interesting times\"", "Interesting Times"),
        ("keyword all \"pratchett interesting\"", "Interesting Times"),
        ("keyword all \"Bridget Jones\"", "Bridget Jones's Baby"),
        ("keyword all \"helen fielding\"", "Bridget Jones's Baby"),
        ("keyword all \"semantic web\"", "A semantic web prime"),
        ("keyword = \"the semantic web primer\"", "A semantic web prime"),
        ("keyword all \"antoniou primer\"", "A semantic web prime"),
        ("keyword all \"global africa\"", "Global Africa"),
        ("keyword all \"the girl on the train\"", "The Girl on the Trai"),
        ("keyword all \"manuscript facsimile\"", "Anglo-Saxon manuscri"),
        ("keyword all \"metod att berakna\"", "Metod att beräkna en"),
        ("keyword all \"waern elpannan\"", "Elpannan och dess ek"),
        ("keyword all \"water resources\"", "Water resources of E"),
        ("keyword all \"chess players mating\"", "The chess player’s m"),
        ("keyword all \"american bar association journal\"", "American Bar Associa"),
        ("keyword all \"0262012103\"", "A semantic web prime"),
        ("isbn = \"978-0-552-14235-2\"", "Interesting Times"),
        ("isbn = 9780262012102", "A semantic web prime"),
        ("issn = \"0002-9343\"", "The American Journal"),
        ("subjects all \"land tenure fula\"", "Environment and iden"),
        ("contributors all \"naomi novik\"", "Temeraire"),
        ("holdingsNormalizedCallNumbers = \"PR6056.I4588\"", "Bridget Jones's Baby"),
        ("keyword all \"journal medicine\"", "The American Journal"),
    ] {
        let found = all.titles(query).await;
        assert_eq!(found.first().map(String::as_str), Some(expected), "{query}: {found:?}");
    }
}
