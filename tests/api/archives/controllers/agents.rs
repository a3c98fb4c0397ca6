//! Agents: the names they are sorted by, their parts and notes, what is published with them, and clashes.

use super::*;

/// A name of each type before and after a change, and a parallel name likewise.
struct Named {
    path: &'static str,
    name: Value,
    change: (&'static str, &'static str),
    sorted: [&'static str; 2],
    parallel: Value,
    parallel_sorted: [&'static str; 2],
}

fn names() -> [Named; 4] {
    [
        Named {
            path: "/agents/people",
            name: json!({"primary_name": "Hendrix", "rest_of_name": "Jimi", "name_order": "direct"}),
            change: ("title", "Mr"),
            sorted: ["Jimi Hendrix", "Jimi Hendrix, Mr"],
            parallel: json!({"primary_name": "James Marshall", "name_order": "direct"}),
            parallel_sorted: ["James Marshall", "James Marshall, Mr"],
        },
        Named {
            path: "/agents/families",
            name: json!({"family_name": "Hendrix"}),
            change: ("qualifier", "Seattle"),
            sorted: ["Hendrix", "Hendrix (Seattle)"],
            parallel: json!({"family_name": "Hendricks"}),
            parallel_sorted: ["Hendricks", "Hendricks (Seattle)"],
        },
        Named {
            path: "/agents/corporate_entities",
            name: json!({"primary_name": "Harbour Board"}),
            change: ("qualifier", "Global"),
            sorted: ["Harbour Board", "Harbour Board (Global)"],
            parallel: json!({"primary_name": "Board"}),
            parallel_sorted: ["Board", "Board (Global)"],
        },
        Named {
            path: "/agents/software",
            name: json!({"software_name": "Ledger"}),
            change: ("version", "1.0"),
            sorted: ["Ledger", "Ledger 1.0"],
            parallel: json!({"software_name": "Books"}),
            parallel_sorted: ["Books", "Books 1.0"],
        },
    ]
}

#[tokio::test]
async fn names_are_sorted_as_they_say_or_as_rules_make_them() {
    let archives = archives().await;
    for Named { path, name, change: (member, value), sorted, parallel, parallel_sorted } in names() {
        let own = with(
            parallel.clone(),
            json!({"source": "local", "sort_name": "As I like", "sort_name_auto_generate": false}),
        );
        let uri = archives.add(path, &json!({"names": [own]})).await;
        assert_eq!(archives.get(&uri).await["names"][0]["sort_name"], "As I like");
        let made = json!({"source": "local", "sort_name_auto_generate": true, "parallel_names": [parallel]});
        let uri = archives.add(path, &json!({"names": [with(name, made)]})).await;
        let of = |agent: &Value| {
            let name = &agent["names"][0];
            [name["sort_name"].clone(), name["parallel_names"][0]["sort_name"].clone()]
        };
        assert_eq!(of(&archives.get(&uri).await), [sorted[0], parallel_sorted[0]], "{path}");
        let changed = archives
            .edit(&uri, |agent| {
                agent["names"][0][member] = value.into();
                agent["names"][0]["parallel_names"][0][member] = value.into();
            })
            .await;
        assert_eq!(of(&changed), [sorted[1], parallel_sorted[1]], "{path}");
        assert_eq!(changed["title"], sorted[1]);
        assert_eq!(
            archives.get(&format!("{path}?page=1")).await["results"].as_array().map(|all| all.len() >= 2),
            Some(true)
        );
    }
}

#[tokio::test]
async fn agents_have_the_notes_of_their_type() {
    let archives = archives().await;
    let note = |kind: &str| {
        json!({"jsonmodel_type": format!("note_{kind}"), "label": kind,
            "subnotes": [{"jsonmodel_type": "note_text", "content": "Said"}]})
    };
    let of_all = ["bioghist", "general_context"];
    let more: [&[&str]; 4] =
        [&[], &["structure_or_genealogy"], &["mandate", "legal_status", "structure_or_genealogy"], &[]];
    for ((path, agent), more) in agents("A").into_iter().zip(more) {
        for kind in of_all.iter().chain(more) {
            let name = format!("{kind} of {path}");
            let mut sent = with(agent.clone(), json!({"notes": [note(kind)]}));
            for member in ["primary_name", "family_name", "software_name"] {
                if sent["names"][0][member].is_string() {
                    sent["names"][0][member] = name.clone().into();
                }
            }
            let read = archives.get(&archives.add(path, &sent).await).await;
            assert_eq!(texts(&read["notes"], "label"), [*kind], "{path}");
        }
        let wrong = with(agent.clone(), json!({"notes": [bibliography("Not here")]}));
        assert_eq!(archives.refuses(path, &wrong).await, 400, "{path}");
    }
}

/// Parts that all types have, and those that software has not.
fn parts(topic: &str) -> [Value; 2] {
    let part = json!([{"subjects": [{"ref": topic}]}]);
    let dates = json!([{"date_label": "existence", "date_type_structured": "single",
        "structured_date_single": {"date_role": "begin", "date_expression": "1928"}}]);
    [
        json!({"agent_places": [{"subjects": [{"ref": topic}], "place_role": "place_of_birth",
                   "notes": [{"jsonmodel_type": "note_text", "content": "Here", "publish": false}]}],
            "agent_occupations": part, "agent_functions": part, "agent_topics": part, "dates_of_existence": dates,
            "agent_identifiers": [{"entity_identifier": "e1"}], "used_languages": [{"language": "eng"}]}),
        json!({"agent_record_controls": [{"maintenance_status": "new"}], "agent_alternate_sets": [{"set_component": "A"}],
            "agent_conventions_declarations": [{"name_rule": "aacr"}], "agent_sources": [{"source_entry": "A book"}],
            "agent_other_agency_codes": [{"maintenance_agency": "NyA", "agency_code_type": "oclc"}],
            "agent_maintenance_histories": [{"maintenance_event_type": "created", "maintenance_agent_type": "human",
                "event_date": "2020-11-24", "agent": "someone"}],
            "agent_record_identifiers": [{"primary_identifier": true, "record_identifier": "1", "source": "naf"}],
            "agent_resources": [{"linked_agent_role": "creator", "linked_resource": "A poem"}]}),
    ]
}

#[tokio::test]
async fn agents_keep_their_parts_and_take_them_along() {
    let archives = archives().await;
    let topic = archives.add("/subjects", &subject("Letters")).await;
    for (path, agent) in agents("A") {
        let [of_all, of_others] = parts(&topic);
        let parts = if path == "/agents/software" { of_all } else { with(of_all, of_others) };
        let uri = archives.add(path, &with(agent.clone(), parts.clone())).await;
        let read = archives.get(&uri).await;
        for (name, sent) in parts.as_object().expect("members") {
            let kept = read[name].as_array().unwrap_or_else(|| panic!("{name} of {path}"));
            assert_eq!(kept.len(), 1, "{name} of {path}");
            for (member, value) in sent[0].as_object().expect("members").iter().filter(|(_, value)| value.is_string()) {
                assert_eq!(&kept[0][member], value, "{member} of {name} of {path}");
            }
        }
        archives.admin.delete(&uri).await.expect(200);
        archives.admin.get(&uri).await.expect(404);
        // Nothing of it is left to be the same as.
        let again = archives.add(path, &agent).await;
        assert_eq!(archives.get(&again).await["agent_identifiers"], json!([]));
    }
}

#[tokio::test]
async fn an_agent_is_published_with_its_parts() {
    let archives = archives().await;
    let topic = archives.add("/subjects", &subject("Letters")).await;
    for (path, agent) in agents("A") {
        let [parts, _] = parts(&topic);
        let mut hidden = unpublished_parts();
        hidden["notes"] = json!([]);
        let uri = archives.add(path, &with(with(agent, parts), hidden)).await;
        let published = |agent: &Value| {
            [
                &agent["publish"],
                &agent["external_documents"][0]["publish"],
                &agent["agent_places"][0]["notes"][0]["publish"],
            ]
            .map(Value::clone)
        };
        assert_eq!(published(&archives.get(&uri).await), [false; 3], "{path}");
        archives.act(&format!("{uri}/publish")).await;
        assert_eq!(published(&archives.get(&uri).await), [true; 3], "{path}");
    }
}

#[tokio::test]
async fn agents_that_clash_name_the_other() {
    let archives = archives().await;
    for (path, agent) in agents("A") {
        let named = |name: &str, authority: &str| {
            let mut named = agent.clone();
            for member in ["primary_name", "family_name", "software_name"] {
                if agent["names"][0][member].is_string() {
                    named["names"][0][member] = name.into();
                }
            }
            named["names"][0]["authority_id"] = authority.into();
            named
        };
        let one = archives.add(path, &named("A", &format!("a{path}"))).await;
        let refused = archives.admin.post(path, &named("A", &format!("a{path}"))).await.expect(400).json();
        assert_eq!(refused["error"]["conflicting_record"], json!([one]), "{path}");
        let two = archives.add(path, &named("B", &format!("b{path}"))).await;
        let mut changed = archives.get(&two).await;
        changed["names"] = named("A", &format!("a{path}"))["names"].clone();
        let refused = archives.admin.post(&two, &changed).await.expect(400).json();
        assert_eq!(refused["error"]["conflicting_record"], json!([one]), "{path}");
        let mut changed = archives.get(&two).await;
        changed["names"][0]["authority_id"] = format!("a{path}").into();
        let refused = archives.admin.post(&two, &changed).await.expect(400).json();
        assert_eq!(refused["error"]["conflicting_record"], json!([one]), "{path}");
    }
}

#[tokio::test]
async fn subjects_that_clash_name_the_other() {
    let archives = archives().await;
    let with_authority =
        |term: &str, id: &str| with(subject(term), json!({"authority_id": id, "scope_note": "A note"}));
    let one = archives.add("/subjects", &with_authority("Heroes", "h1")).await;
    let read = archives.get(&one).await;
    assert_eq!((&read["scope_note"], &read["terms"][0]["term"]), (&json!("A note"), &json!("Heroes")));
    let refused = archives.admin.post("/subjects", &with_authority("Heroes", "h1")).await.expect(400).json();
    assert_eq!(refused["error"]["conflicting_record"], json!([one]));
    let two = archives.add("/subjects", &with_authority("Villains", "h2")).await;
    let mut changed = archives.get(&two).await;
    changed["terms"] = subject("Heroes")["terms"].clone();
    let refused = archives.admin.post(&two, &changed).await.expect(400).json();
    assert_eq!(refused["error"]["conflicting_record"], json!([one]));
    let mut changed = archives.get(&two).await;
    changed["authority_id"] = "h1".into();
    archives.admin.post(&two, &changed).await.expect(400);
    assert_eq!(archives.edit(&two, |record| record["authority_id"] = "h3".into()).await["authority_id"], "h3");
}
