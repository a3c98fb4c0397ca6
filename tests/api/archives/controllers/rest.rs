//! Routes that are like others, for other types of records, and searches sent with POST.

use super::*;

#[tokio::test]
async fn profiles_of_locations_are_kept() {
    let archives = archives().await;
    let sent = json!({"name": "Shelf", "dimension_units": "inches", "depth": "1", "height": "2", "width": "3"});
    let uri = archives.add("/location_profiles", &sent).await;
    assert_eq!(archives.edit(&uri, |record| record["name"] = "Bay".into()).await["name"], "Bay");
    assert_eq!(archives.get("/location_profiles?page=1").await["total"], 1);
    archives.admin.delete(&uri).await.expect(200);
    assert_eq!(archives.get("/location_profiles?page=1").await["total"], 0);
}

#[tokio::test]
async fn parts_of_digital_objects_move_hide_and_go() {
    let archives = archives().await;
    let repository = archives.repository("DIG").await;
    let scans = json!({"title": "Scans", "digital_object_id": "1"});
    let root = archives.add(&format!("{repository}/digital_objects"), &scans).await;
    let mut nodes = Vec::new();
    for title in ["A", "B"] {
        let node = json!({"title": title, "digital_object": {"ref": root}});
        nodes.push(archives.add(&format!("{repository}/digital_object_components"), &node).await);
    }
    let [one, two] = &nodes[..] else { panic!("two") };
    assert_eq!(archives.get(&format!("{two}/previous")).await["uri"], one.as_str());
    let page = archives.get(&format!("{root}/tree/waypoint?offset=0")).await;
    assert_eq!(texts(&page, "uri"), [one.as_str(), two.as_str()]);
    assert_eq!(texts(&archives.get(&format!("{root}/tree")).await["children"], "title"), ["A", "B"]);
    let id = |uri: &str| uri.rsplit('/').next().expect("an id").to_owned();
    archives.act(&format!("{two}/parent?parent={}&position=0", id(one))).await;
    let way = archives.get(&format!("{root}/tree/node_from_root?node_ids[]={}", id(two))).await;
    assert_eq!(way[id(two)].as_array().map(Vec::len), Some(2), "{way}");
    for uri in [two, &root] {
        let hidden = archives.act(&format!("{uri}/suppressed?suppressed=true")).await;
        assert_eq!(hidden["suppressed_state"], true, "{uri}");
        archives.act(&format!("{uri}/suppressed?suppressed=false")).await;
    }
    archives.admin.delete(two).await.expect(200);
    archives.admin.get(two).await.expect(404);
}

#[tokio::test]
async fn terms_move_and_go() {
    let archives = archives().await;
    let repository = archives.repository("CLA").await;
    let sent = json!({"title": "Top", "identifier": "abcdef"});
    let root = archives.add(&format!("{repository}/classifications"), &sent).await;
    assert_eq!(archives.edit(&root, |record| record["title"] = "New".into()).await["title"], "New");
    let mut terms = Vec::new();
    for title in ["A", "B"] {
        let term = json!({"title": title, "identifier": title, "classification": {"ref": root}});
        terms.push(archives.add(&format!("{repository}/classification_terms"), &term).await);
    }
    let [one, two] = &terms[..] else { panic!("two") };
    archives.act(&format!("{one}/accept_children?children[]={two}&position=0")).await;
    assert_eq!(archives.get(two).await["parent"]["ref"], one.as_str());
    archives.admin.delete(two).await.expect(200);
    archives.admin.get(two).await.expect(404);
}

#[tokio::test]
async fn what_exports_are_called_is_told_for_every_format() {
    let archives = archives().await;
    let repository = archives.repository("EXP").await;
    for (path, agent) in &agents("A")[..3] {
        let uri = archives.add(path, agent).await;
        let (kind, id) = uri.trim_start_matches("/agents/").split_once('/').expect("a type and an id");
        for route in [format!("archival_contexts/{kind}"), format!("agents/{kind}/marc21")] {
            let told = archives.get(&format!("{repository}/{route}/{id}.xml/metadata")).await;
            assert_eq!(told["mimetype"], "application/xml", "{route}");
            assert!(told["filename"].as_str().is_some_and(|name| name.ends_with(".xml")), "{told}");
        }
    }
}

#[tokio::test]
async fn a_component_and_an_accession_tell_what_they_have() {
    let archives = archives().await;
    let repository = archives.repository("HAS").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let container = archives.add(&format!("{repository}/top_containers"), &json!({"indicator": "1"})).await;
    let boxed =
        json!({"instances": [{"instance_type": "text", "sub_container": {"top_container": {"ref": container}}}]});
    let gift = archives.add(&format!("{repository}/accessions"), &with(accession("1"), boxed.clone())).await;
    assert_eq!(texts(&archives.get(&format!("{gift}/top_containers")).await, "ref"), [container.as_str()]);
    let node =
        archives.add(&format!("{repository}/archival_objects"), &with(component("A", &papers, None), boxed)).await;
    let graph = archives.get(&format!("{node}/models_in_graph")).await;
    assert!(graph.as_array().is_some_and(|all| all.contains(&json!("instance"))), "{graph}");
    archives.admin.post(&format!("{node}/ark_name"), &json!({"current": "ark:/99999/8"})).await.expect(200);
    assert_eq!(archives.get(&format!("{node}/ark_name")).await["current"], "ark:/99999/8");
}

#[tokio::test]
async fn searches_may_be_sent_as_forms() {
    let archives = archives().await;
    let repository = archives.repository("SEA").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    archives.add("/subjects", &subject("Letters")).await;
    let client = archives.admin.with_header("content-type", "application/x-www-form-urlencoded");
    let ask =
        async |path: &str, form: &str| client.send(Method::POST, path, Some(form.into())).await.expect(200).json();
    assert_eq!(ask("/search", "q=Papers&page=1&type[]=resource").await["total_hits"], 1);
    assert_eq!(ask("/search/records", &format!("uri[]={papers}")).await["results"][0]["uri"], papers.as_str());
    for path in ["/search/repositories", "/search/subjects", "/search/location_profile"] {
        let by_get = archives.get(&format!("{path}?page=1")).await;
        assert_eq!(ask(path, "page=1").await["total_hits"], by_get["total_hits"], "{path}");
    }
    let counted = "/search/record_types_by_repository";
    let form = "record_types[]=resource";
    assert_eq!(ask(counted, form).await, archives.get(&format!("{counted}?{form}")).await);
    let oai = client.send(Method::POST, "/oai", Some("verb=Identify".into())).await.expect(200);
    assert!(oai.text.contains("<Identify>"), "{}", oai.text);
    let schemas = archives.get("/schemas").await;
    assert!(schemas["resource"].is_object(), "{schemas}");
    archives.admin.get("/").await.expect(200);
}
