//! Agents as MARCXML authority records and as EAC-CPF (contract 3.5, 6.8).

use super::{
    exports::{repository, shows},
    *,
};

fn single(role: &str, expression: &str, standardized: &str) -> Value {
    json!({"date_label": "existence", "date_type_structured": "single", "structured_date_single": {"date_role": role,
        "date_expression": expression, "date_standardized": standardized, "date_standardized_type": "not_before"}})
}

fn range() -> Value {
    json!({"date_label": "usage", "date_type_structured": "range", "structured_date_range": {
        "begin_date_expression": "about 1900", "begin_date_standardized": "1900",
        "begin_date_standardized_type": "standard", "end_date_standardized": "1950",
        "end_date_standardized_type": "not_after"}})
}

fn texts_of(content: &str) -> Value {
    json!([{"jsonmodel_type": "note_text", "content": content, "publish": true}])
}

fn file(title: &str) -> Value {
    json!({"file_uri": "http://example.org/f", "file_version_xlink_actuate_attribute": "onLoad",
        "file_version_xlink_show_attribute": "new", "xlink_title_attribute": title, "xlink_role_attribute": "role",
        "xlink_arcrole_attribute": "arc", "last_verified_date": "2020-11-24"})
}

fn with(mut record: Value, more: Value) -> Value {
    for (name, value) in more.as_object().expect("members") {
        record[name] = value.clone();
    }
    record
}

async fn subject(archives: &Archives, term: &str, kind: &str) -> String {
    let sent = json!({"source": "lcsh", "vocabulary": "/vocabularies/1", "authority_id": format!("sh-{term}"),
        "terms": [{"term": term, "term_type": kind, "vocabulary": "/vocabularies/1"}]});
    archives.add("/subjects", &sent).await
}

/// A person with every kind of part.
async fn full_person(archives: &Archives) -> String {
    let (rome, lawyer) = (subject(archives, "Rome", "geographic").await, subject(archives, "Law", "occupation").await);
    let part = json!({"subjects": [{"ref": lawyer}], "places": [{"ref": rome}], "dates": [range()],
        "notes": texts_of("a part")});
    let place = json!({"place_role": "place_of_birth", "subjects": [{"ref": rome}],
        "dates": [single("begin", "born 1900", "1900")], "notes": texts_of("a place")});
    let name = json!({"primary_name": "Dick", "rest_of_name": "Philip K.", "name_order": "inverted", "source": "local",
        "title": "Sir", "number": "II", "dates": "1928-1982", "qualifier": "author", "fuller_form": "Philip Kindred",
        "authorized": true, "is_display_name": true, "use_dates": [range()], "sort_name_auto_generate": true,
        "parallel_names": [{"primary_name": "Parallel", "name_order": "direct", "sort_name_auto_generate": true}]});
    let other = json!({"primary_name": "Penname", "name_order": "direct", "source": "local", "authorized": false,
        "sort_name_auto_generate": true});
    let history = json!({"jsonmodel_type": "note_bioghist", "publish": true, "subnotes": [
        {"jsonmodel_type": "note_abstract", "content": ["In short"], "publish": true},
        {"jsonmodel_type": "note_text", "content": "At length", "publish": true},
        {"jsonmodel_type": "note_citation", "content": ["A book", "a page"], "publish": true,
         "xlink": {"href": "http://example.org/c", "title": "cited"}},
        {"jsonmodel_type": "note_definedlist", "items": [{"label": "one", "value": "first"}], "publish": true},
        {"jsonmodel_type": "note_orderedlist", "enumeration": "arabic", "items": ["alpha"], "publish": true},
        {"jsonmodel_type": "note_chronology", "title": "Years", "publish": true,
         "items": [{"event_date": "1950", "events": ["moved", "wrote"]}]},
        {"jsonmodel_type": "note_outline", "publish": true,
         "levels": [{"items": ["top", {"jsonmodel_type": "note_outline_level", "items": ["below"]}]}]}]});
    let sent = json!({"publish": true, "names": [name, other],
        "dates_of_existence": [single("begin", "1928", "1928-12-16")],
        "agent_record_identifiers": [
            {"primary_identifier": true, "record_identifier": "loc1", "source": "naf", "identifier_type": "loc"},
            {"primary_identifier": false, "record_identifier": "mine", "source": "local", "identifier_type": "local"}],
        "agent_identifiers": [{"entity_identifier": "e1"}],
        "agent_record_controls": [{"maintenance_status": "revised_corrected", "maintenance_agency": "NyA",
            "agency_name": "The Agency", "maintenance_agency_note": "a note", "language": "eng", "script": "Latn",
            "language_note": "of language", "level_of_detail": "fully_established"}],
        "agent_conventions_declarations": [
            with(json!({"name_rule": "aacr", "citation": "Rules", "descriptive_note": "of rules"}), file("rules"))],
        "agent_maintenance_histories": [{"maintenance_event_type": "created", "maintenance_agent_type": "human",
            "event_date": "2020-11-24", "agent": "someone", "descriptive_note": "made"}],
        "agent_sources": [with(json!({"source_entry": "A source", "descriptive_note": "of sources"}), file("source"))],
        "agent_alternate_sets": [with(json!({"set_component": "A set", "descriptive_note": "of sets"}), file("set"))],
        "agent_resources": [with(json!({"linked_agent_role": "creator", "linked_resource": "A poem",
            "dates": [range()], "places": [{"ref": rome}]}), file("poem"))],
        "agent_places": [place], "agent_occupations": [part], "agent_functions": [part], "agent_topics": [part],
        "agent_genders": [{"gender": "not_specified", "dates": [single("begin", "1950", "1950")],
                           "notes": texts_of("a gender")}],
        "used_languages": [{"language": "eng", "script": "Latn", "notes": texts_of("a language")}],
        "metadata_rights_declarations": [{"license": "public_domain", "file_uri": "http://example.org/r",
            "descriptive_note": "of rights"}],
        "notes": [history]});
    archives.add("/agents/people", &sent).await
}

#[tokio::test]
async fn a_person_is_an_authority_record() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    let person = full_person(&archives).await;
    let child = json!({"publish": true, "names": [{"primary_name": "Dick", "rest_of_name": "Ida", "source": "local",
            "name_order": "inverted", "sort_name_auto_generate": true}],
        "related_agents": [{"jsonmodel_type": "agent_relationship_parentchild", "relator": "is_child_of", "ref": person,
                            "description": "A daughter"}]});
    archives.add("/agents/people", &child).await;
    let answer = archives.admin.get(&format!("{repository}{}.xml", person.replace("people/", "people/marc21/"))).await;
    let answer = answer.expect(200);
    assert!(answer.round_trips() <= 2, "{} round trips", answer.round_trips());
    let field = |tag: &str, indicators: &str, subfields: &str| {
        let (first, second) = indicators.split_at(1);
        let subfields = subfields.split('$').skip(1);
        let subfields = subfields.map(|text| format!("<subfield code=\"{}\">{}</subfield>", &text[..1], &text[1..]));
        let subfields: Vec<String> = subfields.collect();
        format!("<datafield tag=\"{tag}\" ind1=\"{first}\" ind2=\"{second}\">{}</datafield>", subfields.concat())
    };
    let fields = [
        field("010", "  ", "$aloc1"),
        field("035", "  ", "$amine$2local"),
        field("040", "  ", "$aNyA$beng$eaacr"),
        field("046", "  ", "$f1928"),
        field("100", "1 ", "$aDick, Philip K.$bII$cSir$d1928-1982$gauthor$qPhilip Kindred"),
        field("400", "0 ", "$aPenname"),
        field("400", "0 ", "$aParallel"),
        field("370", "  ", "$aRome$sborn 1900$0sh-Rome$2lcsh"),
        field("374", "  ", "$aLaw$sabout 1900$t1950$0sh-Law$2lcsh"),
        field("372", "  ", "$aLaw$sabout 1900$t1950$0sh-Law$2lcsh"),
        field("375", "  ", "$anot_specified$s1950"),
        field("377", " 7", "$aeng$2iso639-2b"),
        field("500", "1 ", "$wr$iA daughter$aDick, Ida"),
        field("670", "  ", "$aA source$bof sources$uhttp://example.org/f"),
        field("678", "0 ", "$aIn short$bAt length"),
    ];
    let mut parts = vec![
        "<leader>00000cz  a2200000ni 4500</leader>",
        "<controlfield tag=\"001\">loc1</controlfield><controlfield tag=\"003\">NyA</controlfield>\
         <controlfield tag=\"005\">20201124000000.0</controlfield><controlfield tag=\"008\">201124n|eaznnnaabn",
    ];
    parts.extend(fields.iter().map(String::as_str));
    shows(&answer.text, &parts, &["tag=\"500\" ind1=\"0\""]);
    assert_eq!(answer.text.matches("tag=\"372\"").count(), 1, "people have topics, no functions");
}

#[tokio::test]
async fn meetings_and_families_have_fields_of_their_own() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    let meeting = json!({"names": [
        {"primary_name": "Council", "source": "local", "conference_meeting": true, "authorized": true, "number": "2",
         "sort_name_auto_generate": true},
        {"primary_name": "Old Council", "source": "local", "authorized": false,
         "sort_name_auto_generate": true}]});
    let meeting = archives.add("/agents/corporate_entities", &meeting).await;
    let later = json!({"names": [{"primary_name": "Board", "source": "local", "sort_name_auto_generate": true}],
        "related_agents": [{"jsonmodel_type": "agent_relationship_earlierlater", "relator": "is_earlier_form_of",
                            "ref": meeting}]});
    archives.add("/agents/corporate_entities", &later).await;
    let family = json!({"names": [{"family_name": "Gibb", "prefix": "The Great", "family_type": "Family",
        "location": "Isle of Man", "source": "local", "sort_name_auto_generate": true}]});
    let family = archives.add("/agents/families", &family).await;
    let path = |uri: &str, kind: &str| format!("{repository}{}.xml", uri.replace(kind, &format!("{kind}marc21/")));
    let of_meeting = archives.admin.get(&path(&meeting, "corporate_entities/")).await.expect(200).text;
    let parts = [
        "<datafield tag=\"111\" ind1=\"2\" ind2=\" \"><subfield code=\"a\">Council</subfield><subfield code=\"n\">2",
        "<datafield tag=\"410\" ind1=\"2\" ind2=\" \"><subfield code=\"a\">Old Council</subfield>",
        "<datafield tag=\"510\" ind1=\"2\" ind2=\" \"><subfield code=\"w\">b</subfield>",
        "<controlfield tag=\"001\">http://localhost:8089/agents/corporate_entities/",
        "<leader>00000nz  a2200000oi 4500</leader>",
    ];
    shows(&of_meeting, &parts, &["tag=\"110\"", "tag=\"003\""]);
    let of_family = archives.admin.get(&path(&family, "families/")).await.expect(200).text;
    let name = "<datafield tag=\"100\" ind1=\"3\" ind2=\" \"><subfield code=\"a\">The Great Gibb (Family : </subfield>\
                <subfield code=\"c\">Isle of Man)</subfield></datafield>";
    shows(&of_family, &[name], &[]);
}

#[tokio::test]
async fn an_agent_is_eac_with_its_relations() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    let person = full_person(&archives).await;
    let child = json!({"publish": true, "names": [{"primary_name": "Child", "source": "local", "name_order": "direct",
            "sort_name_auto_generate": true}],
        "related_agents": [{"jsonmodel_type": "agent_relationship_parentchild", "relator": "is_child_of", "ref": person,
            "description": "A daughter", "relationship_uri": "http://example.com"}]});
    let child = archives.add("/agents/people", &child).await;
    let mut papers = resource("MS 1");
    papers["linked_agents"] = json!([{"ref": person, "role": "creator"}]);
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    let mut letter = component("Letter", &papers, None);
    letter["linked_agents"] = json!([{"ref": person, "role": "subject"}]);
    archives.add(&format!("{repository}/archival_objects"), &letter).await;
    let path = format!("{repository}{}.xml", person.replace("/agents/", "/archival_contexts/"));
    let answer = archives.admin.get(&path).await.expect(200);
    assert!(answer.round_trips() <= 3, "{} round trips", answer.round_trips());
    let of_child = format!(
        "<cpfRelation cpfRelationType=\"hierarchical-parent\" xlink:arcrole=\"http://example.com\" xlink:type=\"simple\" \
         xlink:href=\"http://localhost:8089{child}\"><relationEntry>Child</relationEntry><descriptiveNote>\
         <p>A daughter</p></descriptiveNote></cpfRelation>"
    );
    let of_papers = format!(
        "<resourceRelation resourceRelationType=\"creatorOf\" xlink:type=\"simple\" \
         xlink:href=\"http://localhost:8089{papers}\"><relationEntry>Papers MS 1</relationEntry></resourceRelation>"
    );
    let verified = "lastDateTimeVerified=\"2020-11-24T00:00:00+00:00\"";
    let set = format!(
        "<alternativeSet><setComponent xlink:href=\"http://example.org/f\" xlink:actuate=\"onLoad\" xlink:show=\"new\" \
         xlink:title=\"set\" xlink:role=\"role\" xlink:arcrole=\"arc\" {verified}><componentEntry>A set</componentEntry>\
         <descriptiveNote><p>of sets</p></descriptiveNote></setComponent></alternativeSet>"
    );
    let range = "<dateRange localType=\"usage\"><fromDate standardDate=\"1900\">about 1900</fromDate>\
                 <toDate notAfter=\"1950\">1950</toDate></dateRange>";
    let occupation = format!(
        "<occupations><occupation><term>Law</term>{range}<descriptiveNote><p>a part</p></descriptiveNote>\
         <placeEntry vocabularySource=\"lcsh\">Rome</placeEntry></occupation></occupations>"
    );
    let parts = [
        "<eac-cpf xmlns=\"urn:isbn:1-931666-33-4\" xmlns:html=\"http://www.w3.org/1999/xhtml\"",
        "<control><recordId>loc1</recordId><otherRecordId localType=\"local\">mine</otherRecordId>\
         <maintenanceStatus>revised</maintenanceStatus>",
        "<maintenanceAgency><agencyName>The Agency</agencyName><descriptiveNote><p>a note</p></descriptiveNote>",
        "<languageDeclaration><language languageCode=\"eng\">English</language><script scriptCode=\"Latn\">Latin</script>",
        "<maintenanceEvent><eventType>created</eventType><eventDateTime standardDateTime=\"2020-11-24T00:00:00+00:00\"/>",
        "<sourceEntry>A source</sourceEntry>",
        "<identity><entityId>e1</entityId><entityType>person</entityType><nameEntryParallel><nameEntry>\
         <part localType=\"surname\">Dick</part>",
        "<part localType=\"forename\">Philip K.</part>",
        "<preferredForm>local</preferredForm><authorizedForm>local</authorizedForm></nameEntry><useDates>",
        "<existDates><date localType=\"existence\" notBefore=\"1928-12-16\">1928</date></existDates>",
        "<languageUsed><language languageCode=\"eng\">English</language>",
        "<places><place><placeRole>Place of Birth</placeRole><placeEntry vocabularySource=\"lcsh\">Rome</placeEntry>",
        &occupation,
        "<localDescription localType=\"associatedSubject\"><term>Law</term>",
        "<localDescription localType=\"gender\"><term>not_specified</term><date ",
        "<biogHist><abstract>In short</abstract><p>At length</p><citation xlink:href=\"http://example.org/c\" \
         xlink:title=\"cited\">A book--a page</citation><list localType=\"defined\"><item localType=\"one\">first</item>\
         </list><list localType=\"ordered\"><item localType=\"arabic\">alpha</item></list><chronList localType=\"Years\">\
         <chronItem><date standardDate=\"1950\">1950</date><event>moved</event></chronItem>",
        "<outline><level><item>top</item><level><item>below</item></level></level></outline></biogHist>",
        "<resourceRelation resourceRelationType=\"creatorOf\" xlink:href=\"http://example.org/f\"",
        &of_child,
        &of_papers,
        "resourceRelationType=\"subjectOf\"",
        &set,
    ];
    shows(&answer.text, &parts, &["agencyCode"]);
    let open = anonymous(&archives.library).get(&path).await.expect(200).text;
    shows(&open, &["<entityType>person</entityType>"], &["Papers MS 1", "Letter"]);
}

#[tokio::test]
async fn corporate_bodies_and_families_have_names_and_notes_of_their_own() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    let note = |kind: &str| json!({"jsonmodel_type": kind, "publish": true, "subnotes": texts_of(kind)});
    let body = json!({"names": [{"primary_name": "Board", "subordinate_name_1": "Lamps", "number": "2",
            "source": "local", "use_dates": [range()], "sort_name_auto_generate": true}],
        "notes": [note("note_mandate"), note("note_general_context"), note("note_legal_status"),
                  note("note_structure_or_genealogy")]});
    let body = archives.add("/agents/corporate_entities", &body).await;
    let family = json!({"names": [{"family_name": "Gibb", "prefix": "The", "source": "local", "sort_name_auto_generate": true}]});
    archives.add("/agents/families", &family).await;
    let of_body =
        archives.admin.get(&format!("{repository}{}.xml", body.replace("/agents/", "/archival_contexts/"))).await;
    let parts = [
        "<entityType>corporateBody</entityType><nameEntry><part localType=\"primary_name\">Board</part>\
         <part localType=\"subordinate_name_1\">Lamps</part><part localType=\"numeration\">2</part><useDates><dateRange",
        "<generalContext><p>note_general_context</p></generalContext><mandate><p>note_mandate</p></mandate>\
         <legalStatus><p>note_legal_status</p></legalStatus><structureOrGenealogy>",
    ];
    shows(&of_body.expect(200).text, &parts, &[]);
    let of_family = archives.admin.get(&format!("{repository}/archival_contexts/families/1.xml")).await.expect(200);
    let parts = ["<entityType>family</entityType><nameEntry><part localType=\"prefix\">The</part>\
                  <part localType=\"surname\">Gibb</part>"];
    shows(&of_family.text, &parts, &[]);
    archives.admin.get(&format!("{repository}/archival_contexts/people/99.xml")).await.expect(404);
}
