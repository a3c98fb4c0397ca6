//! What each kind of clause finds (docs/folio/cql.md), row by row.

use crate::inventory::{ISBN, Inventory, run, statement};

/// The numbers of the records found, in the order of the list.
async fn found(inventory: &Inventory, table: &str, query: &str) -> Vec<u64> {
    let (records, total) = run(&inventory.session(), &statement(table, query, 100, 0)).await;
    assert_eq!(i64::try_from(records.len()), Ok(total), "total of {query}");
    let number = |record: &serde_json::Value| {
        let id = record["id"].as_str().expect("an id");
        u64::from_str_radix(&id[..8], 16).expect("a number")
    };
    records.iter().map(number).collect()
}

async fn check(table: &str, rows: &[(&str, &[u64])]) {
    let inventory = Inventory::open().await;
    for (query, expected) in rows {
        assert_eq!(found(&inventory, table, query).await, *expected, "{query}");
    }
}

#[tokio::test]
async fn whole_values() {
    let x = "x".repeat(900);
    let long = format!("title==\"{x}Y\"");
    let not_long = format!("title<>\"{x}y\" and title==x*");
    let long_mask = format!("title==\"{x}*\"");
    let longer = format!("title==\"{x}\"");
    check(
        "instance",
        &[
            // Case and accents do not count; whitespace does.
            ("title==\"the old man and the sea\"", &[1]),
            ("title==\"THE OLD  MAN AND THE SEA\"", &[]),
            ("title==\"elements de geometrie & algebre\"", &[3]),
            ("title==\"ÉLÉMENTS DE GÉOMÉTRIE & ALGÈBRE\"", &[3]),
            ("title==der alte Mann und das Meer", &[2]),
            ("title==old", &[]),
            // Masks.
            ("title==the*", &[1]),
            ("title==\"*sea\"", &[1]),
            ("title==*MANN*", &[2]),
            ("title==\"?er alt? m*meer\"", &[2]),
            ("title==\"é*\"", &[3]),
            ("title==\"*géométrie*\"", &[3]),
            ("title==t?e*", &[1]),
            (r"title==the\*", &[]),
            // What LIKE takes for a mask is a plain character.
            ("title==\"100%*\"", &[4]),
            ("title==\"1%\"", &[]),
            ("title==\"100% wool_craft\"", &[4]),
            ("title==\"100% wool?craft\"", &[4]),
            ("title==\"*wool-craft\"", &[]),
            ("title==\"*％ wool＿craft\"", &[4]),
            (r#"title=="100% wool\_craft""#, &[4]),
            (r#"title=="*\\*""#, &[]),
            // Values longer than an index key.
            (&long, &[5]),
            (&not_long, &[6]),
            (&long_mask, &[5, 6]),
            (&longer, &[]),
            // Defined, empty.
            ("code==\"\"", &[4]),
            ("code==*", &[1, 2, 4, 5]),
            ("code<>\"\"", &[1, 2, 5]),
            ("code<>a1", &[2, 4, 5]),
            ("code<>a*", &[4, 5]),
            ("code==(a1 or ä2 or long or none)", &[1, 2, 5]),
            ("code==(a1 or l*)", &[1, 5]),
            // Flags, lists and objects compare as their JSON text.
            ("discoverySuppress==true", &[2]),
            ("discoverySuppress==TRUE", &[2]),
            ("discoverySuppress=false", &[1]),
            ("languages==[]", &[4]),
            (r#"languages == "*\"eng\"*""#, &[1, 2]),
            (r#"publicationPeriod == "*1952*""#, &[1]),
            ("publicationPeriod.start==1952", &[1]),
            // Free-form members, even with names that mean something to SQL.
            (r#""customFields.shelf's"==TOP"#, &[2]),
            (r#""customFields.a{b,\"c\"}"==x"#, &[]),
            // A path into a list, and one that nobody declared.
            ("notes.note==Rare", &[]),
            ("nothing==x", &[]),
            ("title.nothing<>x", &[]),
            ("Title==the*", &[]),
        ],
    )
    .await;
}

#[tokio::test]
async fn folding_follows_the_index() {
    check(
        "item",
        &[
            ("barcode==ITEM-ONE", &[21]),
            ("barcode==item-tôo", &[22]),
            ("barcode==ITEM-TÔO", &[22]),
            ("barcode==item-too", &[]),
            ("barcode==item*", &[21, 22]),
            ("barcode==item-tÔ*", &[22]),
            ("barcode==(item-one or ITEM-tôO)", &[21, 22]),
            ("status.name==available", &[21]),
            ("status.name==(available or \"checked out\")", &[21, 22]),
            ("status.name<>available", &[22, 23]),
        ],
    )
    .await;
}

#[tokio::test]
async fn words() {
    check(
        "instance",
        &[
            ("title=sea", &[1]),
            ("title=\"man and the\"", &[1]),
            ("title=\"sea the\"", &[]),
            ("title adj \"old man\"", &[1]),
            ("title=GEOMETRIE", &[3]),
            ("title=géom*", &[3]),
            ("title=\"geom* alg*\"", &[3]),
            ("title=\"geometrie & algebre\"", &[3]),
            ("title all \"sea old\"", &[1]),
            ("title all \"sea meer\"", &[]),
            ("title any \"sea meer\"", &[1, 2]),
            ("title any \"se* alt*\"", &[1, 2]),
            ("title=(sea or meer)", &[1, 2]),
            ("title=(sea or \"alte Mann\" or \"!.\")", &[1, 2]),
            ("title any (\"sea x\" or \"y meer\")", &[1, 2]),
            ("title all (\"sea old\" or \"meer alte\")", &[1, 2]),
            ("title=\"sea *\"", &[1]),
            (r"title=sea\*", &[1]),
            (r"title=se\*", &[]),
            ("title=\"!.,\"", &[]),
            ("title=\"it's ' & \\\\ ' | ! :* <-> (\"", &[]),
            // Defined, and true for all.
            ("code=\"\"", &[1, 2, 4, 5]),
            ("code=*", &[1, 2, 3, 4, 5, 6]),
            ("nothing=*", &[1, 2, 3, 4, 5, 6]),
            ("nothing=\"\"", &[]),
            ("code=\" * \"", &[1, 2, 3, 4, 5, 6]),
            // The words of a list's JSON text, keys included.
            ("identifiers=33162253", &[1]),
            ("identifiers=value", &[1, 2]),
            ("languages=ger", &[2]),
            ("publicationPeriod.start=1952", &[1]),
            // Identifiers, however their hyphens are written.
            ("isbn=9780684801223", &[1]),
            ("isbn=978-0684-801223", &[1]),
            ("isbn=\"978 0 684*\"", &[1]),
            ("isbn=(978-0-684-80122-3 or 1)", &[1]),
            ("isbn=33162253", &[]),
        ],
    )
    .await;
}

#[tokio::test]
async fn order_and_numbers() {
    check(
        "item",
        &[
            ("lastCheckIn>2026-01-31", &[22]),
            ("lastCheckIn<=\"2026-01-02T03:04:05.000+00:00\"", &[21]),
            ("lastCheckIn>=2026 and lastCheckIn<2026-02", &[21]),
            ("barcode<item-t", &[21]),
            ("status.name>=CHECKED", &[22, 23]),
            ("copies>1", &[21, 22]),
            ("copies>2", &[]),
            ("copies>/number 2", &[22]),
            ("copies<=/number 2.0", &[21]),
            ("copies==/number 2.0", &[21]),
            ("copies=/number 1e1", &[22]),
            ("copies<>/number 2", &[22]),
            ("status.name>/number 1", &[]),
            ("barcode==/string item-one", &[21]),
            ("barcode==/respectCase ITEM-ONE", &[21]),
        ],
    )
    .await;
}

#[tokio::test]
async fn ids() {
    let one = "00000015-0000-4000-8000-000000000000";
    let rows: Vec<(String, &[u64])> = vec![
        (format!("id=={one}"), &[21]),
        (format!("id=({one} or 00000017-0000-4000-8000-000000000000 or x)"), &[21, 23]),
        (format!("id=\"{one}*\""), &[21]),
        ("id==0000001*".into(), &[21, 22, 23]),
        ("id==00000016*".into(), &[22]),
        ("id<>00000016*".into(), &[21, 23]),
        ("id==(00000016* or 00000017*)".into(), &[22, 23]),
        ("id==zz".into(), &[]),
        ("id==\"\"".into(), &[]),
        ("id=\"\"".into(), &[21, 22, 23]),
        ("id=*".into(), &[21, 22, 23]),
        ("id<>zz".into(), &[21, 22, 23]),
        ("id<>*".into(), &[]),
        (format!("id<>{one}"), &[22, 23]),
        (format!("id>{one}"), &[22, 23]),
        (format!("id<={one}"), &[21]),
        ("holdingsRecordId==0000000B-0000-4000-8000-000000000000".into(), &[21, 22]),
        ("holdingsRecordId==0000000c*".into(), &[23]),
        ("holdingsRecordId='0000000b-0000-4000-8000-000000000000'".into(), &[21, 22]),
        ("holdingsRecordId=\"'0000000c*'\"".into(), &[23]),
        ("holdingsRecordId=='0000000b-0000-4000-8000-000000000000'".into(), &[]),
        (format!("id='{one}'"), &[]),
        ("holdingsRecordId=''".into(), &[]),
        ("holdingsRecordId='".into(), &[]),
        ("holdingsRecordId=*".into(), &[21, 22, 23]),
        ("lastLoanId=*".into(), &[]),
        ("lastLoanId<>*".into(), &[]),
        ("lastLoanId=\"\"".into(), &[]),
        ("lastLoanId<>zz".into(), &[]),
    ];
    let rows: Vec<(&str, &[u64])> = rows.iter().map(|(query, ids)| (query.as_str(), *ids)).collect();
    check("item", &rows).await;
}

#[tokio::test]
async fn members_of_one_element() {
    let rows: Vec<(String, &[u64])> = vec![
        ("identifiers=/@value 33162253".into(), &[1]),
        (format!("identifiers=/@value/@identifierTypeId={ISBN} 33162253"), &[]),
        (format!("identifiers=/@value/@identifierTypeId={ISBN} 33162253*"), &[2]),
        (format!("identifiers=/@identifierTypeId={ISBN} 33162253x"), &[2]),
        (format!("identifiers=/@identifierTypeId=\"{}\" 33162253x", ISBN.to_uppercase()), &[2]),
        ("identifiers=/@identifierTypeId=zz 33162253x".into(), &[]),
        ("identifiers==/@value 33162253".into(), &[1]),
        ("identifiers==/@value \"978-0*\"".into(), &[1]),
        (format!("identifiers==/@value/@identifierTypeId={ISBN} 33162253"), &[]),
        ("identifiers<>/@value 33162253".into(), &[1, 2]),
        ("notes==/@staffOnly TRUE".into(), &[3]),
        ("notes=/@note/@staffOnly=true rare".into(), &[3]),
        ("notes=/@note/@staffOnly=false rare".into(), &[]),
    ];
    let rows: Vec<(&str, &[u64])> = rows.iter().map(|(query, ids)| (query.as_str(), *ids)).collect();
    check("instance", &rows).await;
}

#[tokio::test]
async fn booleans() {
    check(
        "instance",
        &[
            ("cql.allRecords=1", &[1, 2, 3, 4, 5, 6]),
            ("cql.allrecords=0 not title=sea", &[2, 3, 4, 5, 6]),
            ("cql.allRecords=1 not code=\"\"", &[3, 6]),
            ("cql.allRecords=1 not nothing==x", &[1, 2, 3, 4, 5, 6]),
            ("cql.allRecords=1 not code==a1", &[2, 3, 4, 5, 6]),
            ("code==a1 or title=meer and languages=eng", &[1, 2]),
            ("title=meer or (code==a1 and languages=fre)", &[2]),
            ("code==a1 or title=*", &[1]),
            ("title=* or code=*", &[1, 2, 3, 4, 5, 6]),
            ("code==a1 or (title=*)", &[1]),
            ("code==a1 and title=*", &[1]),
            ("code==a1 or code=a1 or code=*", &[1]),
            ("cql.allRecords=1 not code=long not code=*", &[]),
            ("cql.allRecords=1 not code=long not code=a1", &[2, 3, 4, 6]),
            ("nothing==x or code==a1", &[1]),
            ("nothing==x and code==a1", &[]),
        ],
    )
    .await;
}

#[tokio::test]
async fn other_records() {
    check(
        "instance",
        &[
            ("item.barcode==item-one", &[1]),
            ("item.status.name==(available or \"in transit\")", &[1, 2]),
            ("item.id==00000017*", &[2]),
            ("item.id=*", &[1, 2]),
            ("holdingsRecords.fullCallNumber==\"q ps*\"", &[1]),
            ("holdingsRecords.nothing==x", &[]),
            ("cql.allRecords=1 not item.id=*", &[3, 4, 5, 6]),
            ("item.barcode==none or code==long", &[5]),
        ],
    )
    .await;
    check(
        "item",
        &[
            ("instance.title=sea", &[21, 22]),
            ("instance.id==00000002*", &[23]),
            ("holdingsRecords.callNumber==pt*", &[23]),
            ("holdingsRecords.instanceId==00000001-0000-4000-8000-000000000000 and status.name==available", &[21]),
        ],
    )
    .await;
}

#[tokio::test]
async fn sorting() {
    check(
        "instance",
        &[
            ("title<y sortby title", &[4, 2, 3, 1, 5, 6]),
            ("cql.allRecords=1 sortby code", &[4, 1, 2, 5, 3, 6]),
            ("cql.allRecords=1 sortby code/sort.descending", &[3, 6, 5, 2, 1, 4]),
            ("cql.allRecords=1 sortby publicationPeriod.start", &[3, 1, 2, 4, 5, 6]),
            ("cql.allRecords=1 sortby publicationPeriod.start/number", &[2, 3, 1, 4, 5, 6]),
            ("cql.allRecords=1 sortby languages id/sort.descending", &[1, 3, 2, 4, 6, 5]),
            ("id==0000000* sortby id/sort.descending", &[6, 5, 4, 3, 2, 1]),
            ("code==(long or a1 or ä2) sortby title", &[2, 1, 5]),
            ("code==(long or a1 or ä2) sortby title desc", &[2, 1, 5]),
            ("code==(long or a1 or ä2) sortby nothing", &[1, 2, 5]),
            ("code=\"\" sortby code/respectCase", &[4, 1, 2, 5]),
            ("code=\"\" sortby code/respectAccents", &[4, 1, 5, 2]),
            ("code=\"\" sortby code/respectCase/respectAccents", &[4, 1, 5, 2]),
        ],
    )
    .await;
}

/// Holdings 12 are those of "Der alte Mann", 11 those of "The Old Man". A field of several records, or of a record
/// behind another, does not sort.
#[tokio::test]
async fn sorting_by_a_field_of_the_one_other_record() {
    check(
        "holdings_record",
        &[
            ("cql.allRecords=1 sortby instance.title", &[12, 11]),
            ("callNumber=\"\" sortby instance.title/sort.descending", &[11, 12]),
            ("id==0000000* sortby instance.publicationPeriod.start/number", &[12, 11]),
            ("cql.allRecords=1 sortby instance.nothing instance.title", &[12, 11]),
            ("cql.allRecords=1 sortby instance.id/sort.descending", &[12, 11]),
        ],
    )
    .await;
    check(
        "item",
        &[
            ("cql.allRecords=1 sortby holdingsRecords.callNumber/sort.descending copies/number", &[23, 21, 22]),
            ("cql.allRecords=1 sortby instance.title", &[21, 22, 23]),
        ],
    )
    .await;
}

#[tokio::test]
async fn spring_modules_compare_whole_values() {
    check(
        "note",
        &[
            ("title=known*", &[31]),
            ("title=\"*to ?e*\"", &[31]),
            ("title=known", &[]),
            ("title all \"KNOWN to be slow\"", &[31]),
            ("title=(x or *slow)", &[31]),
            ("title=*", &[31]),
            ("domain=\"\"", &[31]),
        ],
    )
    .await;
}
