//! Parameters, addresses and headers that are strange, huge or hostile.

use super::*;

const NUMBERS: [&str; 12] = [
    "",
    "0",
    "-1",
    "1.5",
    "1e3",
    "x",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "99999999999999999999999",
    "0x10",
    "%00",
];

#[tokio::test]
async fn numbers_are_numbers_and_have_bounds() {
    let all = collection().await;
    let (repository, resource, file) = (&all.repository, &all.resource, &all.files[0]);
    for number in NUMBERS {
        for path in [
            format!("{repository}/archival_objects?page={number}"),
            format!("{repository}/archival_objects?page=1&page_size={number}"),
            format!("{repository}/archival_objects?page={number}&page_size={number}"),
            format!("{repository}/archival_objects?page=1&modified_since={number}"),
            format!("{repository}/archival_objects?id_set={number}"),
            format!("{repository}/archival_objects?id_set[]={number}"),
            format!("{repository}/archival_objects/{number}"),
            format!("/repositories/{number}/resources?all_ids=true"),
            format!("{repository}/search?page={number}"),
            format!("{repository}/search?page=1&page_size={number}"),
            format!("{repository}/search?page=1&facet[]=level&facet_mincount={number}"),
            format!("{resource}/tree/waypoint?offset={number}"),
            format!("{resource}/tree/node_from_root?node_ids[]={number}"),
            format!("{repository}/jobs/{number}/log"),
            format!("/config/enumerations/{number}"),
            format!("/delete-feed?page={number}"),
            format!("/users?page={number}"),
            format!("/users/{number}"),
        ] {
            let answer = all.archives.admin.get(&path).await;
            answered(&answer, &path);
        }
        for path in [
            format!("{file}/parent?position={number}"),
            format!("{file}/parent?position=0&parent={number}"),
            format!("{resource}/accept_children?children[]={file}&position={number}"),
            format!("{repository}/position?position={number}"),
            format!("/config/enumeration_values/1/position?position={number}"),
        ] {
            let answer = all.archives.admin.send(Method::POST, &path, None).await;
            answered(&answer, &path);
        }
    }
    // No node was lost on the way.
    let tree = all.archives.get(&format!("{resource}/tree")).await.to_string();
    for title in ["Letters", "Diaries", "\"a\"", "\"b\"", "\"c\""] {
        assert!(tree.contains(title), "{title}: {tree}");
    }
}

#[tokio::test]
async fn long_lists_of_parameters_are_cut_or_refused() {
    let all = collection().await;
    let (repository, file) = (&all.repository, &all.files[0]);
    let many = |name: &str, value: &str, times: usize| vec![format!("{name}={value}"); times].join("&");
    let ids = |many: i64| (1..=many).map(|id| id.to_string()).collect::<Vec<_>>().join(",");
    let path = format!("{repository}/archival_objects?id_set={}", ids(250));
    assert_eq!(all.archives.get(&path).await.as_array().map(Vec::len), Some(5));
    let path = format!("{repository}/archival_objects?id_set={}", ids(251));
    let wrong = refused(&all.archives.admin.get(&path).await, &[400], "251 ids");
    assert_eq!(wrong["id_set"][0], "ID set cannot contain more than 250 IDs");
    let deep = vec!["resource"; 500].join("::");
    for path in [
        format!("{file}?{}", many("resolve[]", "resource", 3_000)),
        format!("{file}?resolve[]={deep}"),
        format!("{file}?resolve[]=&resolve[]=::&resolve[]=%00&resolve[]=_resolved"),
        format!("{repository}/search?page=1&{}", many("facet[]", "level", 1_000)),
        format!("{repository}/search?page=1&{}", many("fields[]", "title", 3_000)),
        format!("{repository}/search?page=1&{}", many("type[]", "resource", 3_000)),
        format!("{repository}/search?page=1&{}", many("resolve[]", "title:title", 1_000)),
        format!("{repository}/search?page=1&{}", many("filter_query[]", "title:a", 1_000)),
        format!("{repository}/find_by_id/archival_objects?{}", many("ref_id[]", "a", 5_000)),
        format!("{}/tree/node_from_root?{}", all.resource, many("node_ids[]", "1", 3_000)),
    ] {
        answered(&all.archives.admin.get(&path).await, &path);
    }
    let uris = many("record_uris[]", &encoded(file), 1_001);
    let form = all.archives.admin.with_header("content-type", "application/x-www-form-urlencoded");
    refused(&form.send(Method::POST, "/batch_delete", Some(uris.into_bytes())).await, &[400], "1001 records");
    all.archives.get(file).await;
}

#[tokio::test]
async fn texts_that_mean_something_elsewhere_mean_nothing_here() {
    let all = collection().await;
    let repository = &all.repository;
    let hostile = [
        "%00",
        "a%00b",
        "%ff%fe",
        "'%20OR%201=1%20--",
        "%22;DROP%20TABLE%20archival_record;--",
        "$1",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%7B%7B7*7%7D%7D",
        "%F0%9F%A7%BF",
        "%E2%80%AE",
    ];
    for text in hostile {
        for path in [
            format!("{repository}/find_by_id/archival_objects?ref_id[]={text}"),
            format!("{repository}/find_by_id/resources?identifier[]={text}"),
            format!("{repository}/find_by_id/resources?identifier[]=%5B%22a%5Cu0000%22%5D"),
            format!("{repository}/find_by_id/top_containers?barcode[]={text}"),
            format!("{repository}/archival_objects?page=1&sort_field={text}"),
            format!("{repository}/archival_objects?page=1&sort_direction={text}"),
            format!("{repository}/search?page=1&q={text}"),
            format!("{repository}/search?page=1&aq={text}"),
            format!("{repository}/search?page=1&filter={text}"),
            format!("{repository}/search?page=1&filter_term[]={text}"),
            format!("{repository}/search?page=1&sort={text}"),
            format!("{repository}/search?page=1&facet[]={text}"),
            format!("{repository}/search?page=1&root_record={text}"),
            format!("{repository}/search?page=1&dt={text}"),
            format!("{repository}/top_containers/search?q={text}"),
            format!("{}/tree/waypoint?offset=0&parent_node={text}", all.resource),
            format!("{}/tree/node?node_uri={text}", all.resource),
            format!("{}/tree?limit_to={text}", all.resource),
            format!("/by-external-id?eid={text}"),
            format!("/by-external-id?eid=a&type[]={text}"),
            format!("/terms?q={text}"),
            format!("/vocabularies?ref_id={text}"),
            format!("/users/complete?query={text}"),
            format!("/config/enumerations/names/{text}"),
            format!("/permissions?level={text}"),
            format!("/schemas/{text}"),
            format!("{repository}/default_values/{text}"),
            format!("{repository}/jobs/1/output_files/{text}"),
            format!("/extent_calculator?record_uri={text}"),
            format!("/space_calculator/by_location?container_profile_uri={text}&location_uris[]={text}"),
            format!("/{text}"),
        ] {
            answered(&all.archives.admin.get(&path).await, &path);
        }
        for path in [
            format!("/users/{text}/login?password={text}"),
            format!("/users/{text}/become-user"),
            format!("{}/transfer?target_repo={text}", all.resource),
            format!("{repository}/component_transfers?target_resource={text}&component={text}"),
            format!("{}/accept_children?children[]={text}&position=0", all.resource),
            format!("/batch_delete?record_uris[]={text}"),
            format!("{repository}/top_containers/batch/location?ids[]=1&location_uri={text}"),
            format!("{repository}/top_containers/batch/ils_holding_id?ids[]=1&ils_holding_id={text}"),
        ] {
            answered(&all.archives.admin.send(Method::POST, &path, None).await, &path);
        }
    }
    assert_eq!(all.archives.get(&all.files[0]).await["title"], "a");
}

#[tokio::test]
async fn searches_that_cost_too_much_are_refused() {
    let all = collection().await;
    let deep = "(".repeat(2_000) + "a" + &")".repeat(2_000);
    let wide = vec!["a"; 3_000].join(" OR ");
    for query in [
        deep.as_str(),
        wide.as_str(),
        "(((((",
        "\"",
        "title:",
        "title:[",
        "title:[a TO",
        "*:* AND NOT *:*",
        "*",
        "?*?*?*?*",
        "title:*a*b*c*d*e*f*g*",
        "/(a+)+$/",
        "a~999999",
        "a^1e309",
        "{!join from=id to=id}title:a",
        "_query_:\"a\"",
        "title:a\\",
        "+-+-+-!!",
        "AND OR NOT",
        "\u{0}",
        "\u{202e}",
    ] {
        let path = format!("{}/search?page=1&q={}", all.repository, encoded(query));
        if path.len() < 65_000 {
            answered(&all.archives.admin.get(&path).await, query);
        }
        let form = all.archives.admin.with_header("content-type", "application/x-www-form-urlencoded");
        let body = format!("page=1&q={}", encoded(query)).into_bytes();
        answered(&form.send(Method::POST, &format!("{}/search", all.repository), Some(body)).await, query);
    }
    let mut nested = json!({"jsonmodel_type": "field_query", "field": "title", "value": "a"});
    for _ in 0..60 {
        nested = json!({"jsonmodel_type": "boolean_query", "op": "AND", "subqueries": [nested]});
    }
    let leaf = json!({"jsonmodel_type": "field_query", "field": "title", "value": "a"});
    let wide = json!({"jsonmodel_type": "boolean_query", "op": "OR", "subqueries": vec![leaf; 800]});
    for query in [nested, wide, json!({}), json!([]), json!({"jsonmodel_type": "range_query"}), json!(1)] {
        for name in ["aq", "filter"] {
            let sent = json!({"jsonmodel_type": "advanced_query", "query": query}).to_string();
            let form = all.archives.admin.with_header("content-type", "application/x-www-form-urlencoded");
            let body = format!("page=1&{name}={}", encoded(&sent)).into_bytes();
            let path = format!("{}/search", all.repository);
            answered(&form.send(Method::POST, &path, Some(body)).await, &sent);
        }
    }
    let path = format!("{}/search?page=1&q=letters", all.repository);
    assert_eq!(all.archives.get(&path).await["total_hits"], 1);
}

#[tokio::test]
async fn strange_headers_and_methods_open_nothing() {
    let all = collection().await;
    let stranger = anonymous(&all.archives.library);
    let long = "a".repeat(10_000);
    for secret in ["", " ", "'", "0", "null", "undefined", "../../", "a b", &long, "%00", "ä"] {
        let client = stranger.with_header("x-archivesspace-session", secret);
        let answer = client.get(&all.resource).await;
        refused(&answer, &[400, 403, 412], secret);
    }
    // Of other systems, and of proxies that decide who comes in.
    for (name, value) in [
        ("authorization", "Basic YWRtaW46YWRtaW4="),
        ("cookie", "session=1; archivesspace_session=1"),
        ("x-forwarded-for", "127.0.0.1"),
        ("x-remote-user", "admin"),
        ("x-okapi-token", "a.b.c"),
        ("x-okapi-user-id", "00000000-0000-0000-0000-000000000000"),
        ("x-original-url", "/version"),
        ("x-http-method-override", "GET"),
        ("host", "example.org"),
        ("range", "bytes=0-10"),
        ("accept", "text/html"),
    ] {
        let answer = stranger.with_header(name, value).get(&all.resource).await;
        refused(&answer, &[403], name);
    }
    for method in [Method::PUT, Method::PATCH, Method::OPTIONS, Method::TRACE] {
        let answer = all.archives.admin.send(method.clone(), &all.resource, None).await;
        refused(&answer, &[404], method.as_str());
    }
    for path in [
        format!("/{}", all.resource),
        format!("{}//", all.resource),
        all.resource.replace("resources", "%72esources"),
        all.resource.replace("/resources/", "/resources/..%2fresources/"),
        format!("{}/../../../users", all.resource),
        format!("{};jsessionid=1", all.resource),
        format!("{}%3fall_ids=true", all.resource),
    ] {
        answered(&stranger.get(&path).await, &path);
        assert!(stranger.get(&path).await.status >= 400, "{path}");
    }
    let session = json!({"error": "Access denied"});
    assert_eq!(stranger.get(&all.resource).await.expect(403).json(), session);
}
