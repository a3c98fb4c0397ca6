//! Whatever records hold, an export is well-formed, can be imported, and settles after one round.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Labels, count, export, export_all, finding_aid, import, lines, settled};
use ead::{ExportOptions, Format, Mode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Pieces of text that break what is careless: markup, open and closed, entities, characters XML cannot hold.
const PIECES: [&str; 36] = [
    "word",
    " ",
    " two  spaces ",
    "\n\n",
    "\n\t",
    "&",
    "<",
    ">",
    "&amp;",
    "&lt;b&gt;",
    "&eacute;",
    "&nosuch;",
    "&#233;",
    "&#0;",
    "&;",
    "<emph>",
    "</emph>",
    "<emph render=\"bold\">x</emph>",
    "<lb/>",
    "<p>",
    "</p>",
    "<p id=\"a\">x</p>",
    "\u{1}",
    "\u{FFFE}",
    "“”’",
    "]]>",
    "<br>",
    "\"'",
    "<!--",
    "-->",
    "<extref href=\"x\">y</extref>",
    "<list><item>x</item></list>",
    "<head>h</head>",
    "<a:b c=\"d\"/>",
    "<?pi?>",
    "𝄞é",
];

fn hostile() -> impl Strategy<Value = String> {
    vec(select(&PIECES[..]), 0..8).prop_map(|pieces| {
        // A heading that a text begins with is that of its note. Of several, each round takes one.
        let mut has_heading = false;
        let is_kept = |piece: &&str| !piece.starts_with("<head>") || !std::mem::replace(&mut has_heading, true);
        pieces.into_iter().filter(is_kept).collect::<String>()
    })
}

fn note() -> impl Strategy<Value = Value> {
    let kinds =
        select(&["scopecontent", "odd", "legalstatus", "accessrestrict", "abstract", "physloc", "physfacet"][..]);
    (kinds, hostile(), hostile(), hostile(), any::<bool>()).prop_map(|(kind, label, text, item, publish)| {
        let subnote = |content: &str| json!({"jsonmodel_type": "note_text", "content": content, "publish": publish});
        let list = json!({"jsonmodel_type": "note_orderedlist", "title": label, "items": [item, "x"], "publish": true});
        let terms = json!({"jsonmodel_type": "note_definedlist", "items": [{"label": item, "value": text}]});
        if matches!(kind, "abstract" | "physloc" | "physfacet") {
            json!({"jsonmodel_type": "note_singlepart", "type": kind, "label": label, "content": [text], "publish": publish})
        } else {
            let subnotes = [subnote(&text), list, subnote(&item), terms];
            json!({"jsonmodel_type": "note_multipart", "type": kind, "label": label, "publish": publish, "subnotes": subnotes})
        }
    })
}

fn access() -> impl Strategy<Value = (Value, Value)> {
    let agents = select(&["agent_person", "agent_family", "agent_corporate_entity"][..]);
    (agents, select(&["creator", "subject"][..]), hostile(), hostile()).prop_map(|(kind, role, name, term)| {
        let agent = json!({"agent_type": kind, "publish": false, "display_name": {"sort_name": name, "source": term}});
        let subject = json!({"source": "lcsh", "terms": [{"term": term, "term_type": "topical"}]});
        (json!({"role": role, "_resolved": agent}), json!({"_resolved": subject}))
    })
}

/// A component or resource without what only one of them has.
fn record() -> impl Strategy<Value = Value> {
    let texts = (hostile(), hostile(), hostile(), hostile());
    (texts, vec(note(), 0..3), vec(access(), 0..3), any::<bool>()).prop_map(|(texts, notes, access, publish)| {
        let (title, date, indicator, object) = texts;
        let (agents, subjects): (Vec<Value>, Vec<Value>) = access.into_iter().unzip();
        let top = json!({"_resolved": {"type": "box", "indicator": format!("i{indicator}"), "barcode": null}});
        let files = json!([{"file_uri": format!("f{object}"), "caption": title, "publish": true}, {"file_uri": "b", "publish": false}]);
        json!({
            "title": format!("T {title}"), "level": "file", "publish": publish, "notes": notes, "linked_agents": agents,
            "subjects": subjects, "dates": [{"date_type": "single", "label": "creation", "expression": date}],
            "extents": [{"portion": "whole", "number": "1", "extent_type": "box", "physical_details": indicator}],
            "instances": [
                {"instance_type": "text", "sub_container": {"top_container": top, "type_2": "folder", "indicator_2": format!("j{date}")}},
                {"instance_type": "digital_object", "digital_object": {"_resolved": {
                    "title": object, "digital_object_id": "d", "publish": true, "file_versions": files}}},
            ],
        })
    })
}

/// A resource and components at depths that a tree can have.
fn tree() -> impl Strategy<Value = Vec<(Value, u32)>> {
    (record(), vec((record(), 1..5_u32), 0..6)).prop_map(|(mut resource, components)| {
        resource["id_0"] = "MS 1".into();
        resource["finding_aid_title"] = resource["title"].clone();
        let mut tree = vec![(resource, 0)];
        for (record, depth) in components {
            let last = tree.last().map_or(0, |(_, depth)| *depth);
            tree.push((record, depth.min(last + 1)));
        }
        tree
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn an_export_settles_after_one_round(tree in tree()) {
        let options = export_all(ExportOptions::new(&Labels, "2026-01-01"));
        let a = export(&tree, options.clone());
        let first = import(a.as_bytes(), Mode::Tolerant).map_err(|error| TestCaseError::fail(format!("{error} in {a}")))?;
        let b = export(&first.described(), options.clone());
        let second = import(b.as_bytes(), Mode::Tolerant).map_err(|error| TestCaseError::fail(format!("{error} in {b}")))?;
        let c = export(&second.described(), options);
        prop_assert_eq!(settled(&b), settled(&c));
        for element in ["c", "container", "daogrp"] {
            prop_assert_eq!(count(&a, element), count(&b, element), "{} in {} and {}", element, a, b);
        }
    }

    #[test]
    fn an_ead3_export_is_well_formed(tree in tree(), include_unpublished in any::<bool>()) {
        let options = ExportOptions::new(&Labels, "2026-01-01");
        let options = ExportOptions { include_unpublished, include_daos: true, format: Format::Ead3, ..options };
        let xml = export(&tree, options.clone());
        let lines = lines(&xml);
        let open = lines.iter().filter(|line| line.starts_with('<') && !line.starts_with("</")).count();
        prop_assert_eq!(open * 2, lines.iter().filter(|line| line.starts_with('<')).count(), "{}", xml);
        prop_assert!(!xml.chars().any(|c| matches!(c, '\u{1}' | '\u{FFFE}')), "{}", xml);
    }

    #[test]
    fn an_export_for_the_public_is_well_formed(tree in tree(), numbered_cs in any::<bool>()) {
        let xml = export(&tree, ExportOptions { numbered_cs, ..ExportOptions::new(&Labels, "2026-01-01") });
        prop_assert!(lines(&xml).len() > 10);
        prop_assert!(import(xml.as_bytes(), Mode::Tolerant).is_ok(), "{}", xml);
        prop_assert!(!xml.contains("audience=\"internal\"") || tree[0].0["publish"] == false);
    }

    #[test]
    fn an_import_never_panics(pieces in vec(select(&PIECES[..]), 0..30), place in 0..3) {
        let text = pieces.concat();
        let xml = match place {
            0 => finding_aid(&text, "", ""),
            1 => finding_aid("", &text, ""),
            _ => finding_aid("", "", &text),
        };
        for mode in [Mode::Strict, Mode::Tolerant] {
            if let Err(error) = import(xml.as_bytes(), mode) {
                prop_assert!(error.line > 0 && !error.reason.is_empty(), "{}", error);
            }
        }
    }
}
