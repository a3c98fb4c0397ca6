//! What is suppressed is not there for who may not see it (contract 1.2), nor anything that leads through it.

use http::Method;
use serde_json::{Value, json};
use testkit::Client;

use super::{Archives, archives, component, join, resource, signed_in, user};

/// A repository, and who may view it.
async fn viewed() -> (Archives, String, Client) {
    let archives = archives().await;
    let repository = archives.repository("SUP").await;
    user(&archives.library, "vera", &[]).await;
    join(&archives, &repository, "repository-viewers", "vera").await;
    let vera = signed_in(&archives.library, "vera").await;
    (archives, repository, vera)
}

async fn suppress(archives: &Archives, uri: &str) {
    archives.admin.send(Method::POST, &format!("{uri}/suppressed?suppressed=true"), None).await.expect(200);
}

#[tokio::test]
async fn nothing_leads_through_a_suppressed_record() {
    let (archives, repository, vera) = viewed().await;
    let top = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let nodes = format!("{repository}/archival_objects");
    let series = archives.add(&nodes, &component("Series", &top, None)).await;
    let file = archives.add(&nodes, &component("File", &top, Some(&series))).await;
    let object = json!({"title": "Scan", "digital_object_id": "D 1", "publish": true});
    let object = archives.add(&format!("{repository}/digital_objects"), &object).await;
    let (number, node_number) =
        (top.rsplit('/').next().expect("a number"), series.rsplit('/').next().expect("a number"));
    let scan = object.rsplit('/').next().expect("a number");
    let paths = [
        format!("{top}/tree/root"),
        format!("{top}/tree/waypoint?offset=0"),
        format!("{top}/tree/waypoint?offset=0&parent_node={series}"),
        format!("{top}/tree/node?node_uri={series}"),
        format!("{top}/tree/node_from_root?node_ids[]={node_number}"),
        format!("{top}/tree"),
        format!("{top}/ordered_records"),
        format!("{top}/top_containers"),
        format!("{top}/models_in_graph"),
        format!("{series}/children"),
        format!("{series}/models_in_graph"),
        format!("{file}/previous"),
        format!("{repository}/resource_descriptions/{number}.xml"),
        format!("{repository}/resource_descriptions/{number}.xml/metadata"),
        format!("{repository}/resource_descriptions/{number}.pdf"),
        format!("{repository}/resources/marc21/{number}.xml"),
        format!("{repository}/resource_labels/{number}.tsv"),
        format!("{repository}/digital_objects/dublin_core/{scan}.xml"),
        format!("{repository}/digital_objects/mods/{scan}.xml"),
        format!("{repository}/digital_objects/mets/{scan}.xml"),
    ];
    for path in &paths {
        vera.get(path).await.expect(200);
    }
    suppress(&archives, &top).await;
    suppress(&archives, &object).await;
    for path in &paths {
        assert_eq!(vera.get(path).await.status, 404, "{path}");
        assert_eq!(archives.admin.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_suppressed_record_is_not_put_into_others() {
    let (archives, repository, vera) = viewed().await;
    let hidden = json!({"id_0": "A 1", "title": "Hidden", "accession_date": "2020-01-01"});
    let hidden = archives.add(&format!("{repository}/accessions"), &hidden).await;
    let mut sent = resource("1");
    sent["related_accessions"] = json!([{"ref": hidden}]);
    let top = archives.add(&format!("{repository}/resources"), &sent).await;
    let path = format!("{top}?resolve[]=related_accessions&resolve[]=repository");
    let put = |record: &Value| record["related_accessions"][0]["_resolved"]["title"].clone();
    assert_eq!(put(&vera.get(&path).await.expect(200).json()), "Hidden");
    suppress(&archives, &hidden).await;
    let seen = vera.get(&path).await.expect(200).json();
    assert_eq!(seen["related_accessions"][0].get("_resolved"), None);
    assert_eq!(seen["repository"]["_resolved"]["repo_code"], "SUP");
    assert_eq!(put(&archives.get(&path).await), "Hidden");
}
