//! Finding aids as PDF, read again.

use std::{cell::Cell, io};

use lopdf::Document;
use print::{PrintError, Printed, Progress, print};

const HEAD: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<ead xmlns="urn:isbn:1-931666-22-9" xmlns:xlink="http://www.w3.org/1999/xlink"><eadheader>
<filedesc><titlestmt><titleproper>A guide to the papers <num>MS 1</num></titleproper><author>Ann Archivist</author></titlestmt>
<publicationstmt><publisher>Library of A</publisher></publicationstmt></filedesc></eadheader>
<archdesc level="collection"><did><unittitle>Papers</unittitle><unitid>MS 1</unitid>
<origination label="Creator"><persname>Dickinson, Emily</persname></origination></did>
<scopecontent><head>Scope</head><p>Letters &amp; <emph render="italic">diaries</emph></p></scopecontent>"#;

fn finding_aid(inventory: &str) -> String {
    format!("{HEAD}<dsc>{inventory}</dsc></archdesc></ead>")
}

fn file(title: &str) -> String {
    format!(r#"<c level="file"><did><unittitle>{title}</unittitle><container type="box">7</container></did></c>"#)
}

fn series(name: &str, files: usize) -> String {
    let files: String = (0..files).map(|n| file(&format!("{name} file {n}"))).collect();
    format!(r#"<c level="series"><did><unittitle>{name}</unittitle></did>{files}</c>"#)
}

fn printed(ead: &str) -> Result<Printed, PrintError> {
    print(|| Ok(ead.as_bytes()), 500, |_| true)
}

/// The text of each page without white space, because words are placed one by one.
fn pages(ead: &str) -> Vec<String> {
    let printed = printed(ead).expect("a PDF");
    let document = Document::load_mem(&printed.pdf).expect("a document");
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    assert_eq!(numbers.len(), printed.pages);
    let text = |number: &u32| document.extract_text(&[*number]).expect("text");
    numbers.iter().map(text).map(|text| text.split_whitespace().collect()).collect()
}

#[test]
fn a_finding_aid_has_a_title_contents_and_all_its_parts() {
    let inventory = series("Alpha", 90) + &series("Beta", 120) + &series("Gamma", 1);
    let pages = pages(&finding_aid(&inventory));
    for part in ["Aguidetothepapers", "MS1", "AnnArchivist", "LibraryofA"] {
        assert!(pages[0].contains(part), "{part}: {}", pages[0]);
    }
    let contents = &pages[1];
    assert!(contents.contains("Contents"), "{contents}");
    let mut before = 0;
    for (heading, beside) in [
        ("Description", "Dickinson,Emily"),
        ("Scope", "Letters&diaries"),
        ("Inventory", "Alphafile0"),
        ("Alpha", "Alphafile0"),
        ("Beta", "Betafile0"),
        ("Gamma", "Gammafile0"),
    ] {
        let page = pages.iter().skip(2).position(|text| text.contains(beside)).expect(beside) + 3;
        assert!(contents.contains(&format!("{heading}{page}")), "{heading} is on page {page}: {contents}");
        assert!(page >= before, "{heading}");
        before = page;
    }
    assert!(before > 5, "several pages");
    let all = pages.concat();
    let files = [("Alpha", 90), ("Beta", 120), ("Gamma", 1)];
    for (name, many) in files {
        for number in 0..many {
            assert!(all.contains(&format!("{name}file{number}")), "{name} {number}");
        }
    }
    assert_eq!(all.matches("Box7").count(), 211);
    assert!(pages[2].contains(&format!("Page3of{}", pages.len())), "{}", pages[2]);
}

#[test]
fn letters_of_many_scripts_are_there() {
    let titles = ["Žluťoučký kůň", "Ελλάδα", "Переписка"];
    let inventory: String = titles.iter().map(|title| file(title)).collect();
    let all = pages(&finding_aid(&inventory)).concat();
    for title in titles {
        let squeezed: String = title.split_whitespace().collect();
        assert!(all.contains(&squeezed), "{title}: {all}");
    }
    // From right to left; the order of the letters in the file is that on paper.
    let turned = finding_aid(&(file("שלום") + &file("رسائل")));
    let told = printed(&turned).expect("a PDF");
    assert!(told.missing.is_empty(), "{:?}", told.missing);
    let all = pages(&turned).concat();
    assert!("שלום".chars().all(|letter| all.contains(letter)), "{all}");
    let none = printed(&finding_aid(&file("\u{10ffff}"))).expect("a PDF");
    assert_eq!(none.missing.into_iter().collect::<String>(), "\u{10ffff}");
}

#[test]
fn links_lead_to_the_web_and_nowhere_else() {
    let link = |target: &str| {
        format!(r#"<c><did><unittitle>x</unittitle><dao xlink:href="{target}" xlink:title="Scan"/></did></c>"#)
    };
    let has = |target: &str| {
        let pdf = printed(&finding_aid(&link(target))).expect("a PDF").pdf;
        String::from_utf8_lossy(&pdf).contains("/URI")
    };
    assert!(has("https://example.org/1.jpg"));
    for other in ["javascript:alert(1)", "file:///etc/passwd", "https://example.org/\u{1}", "1.jpg", ""] {
        assert!(!has(other), "{other}");
    }
    assert!(has("https://example.org/\u{e9}\u{4e00}"));
}

#[test]
fn what_is_too_long_or_canceled_ends_early() {
    let ead = finding_aid(&series("Alpha", 300));
    let seen = Cell::new(0);
    let most = print(
        || Ok(ead.as_bytes()),
        3,
        |progress: Progress| {
            seen.set(progress.pages);
            true
        },
    );
    assert!(matches!(most, Err(PrintError::TooLong(3))), "{most:?}");
    assert_eq!(seen.get(), 3);
    assert!(most.unwrap_err().to_string().contains("more than 3 pages"));
    for stop in [Progress { run: 1, pages: 2 }, Progress { run: 2, pages: 2 }] {
        let canceled = print(|| Ok(ead.as_bytes()), 500, |progress| progress != stop);
        assert!(matches!(canceled, Err(PrintError::Canceled)), "{canceled:?}");
    }
    let gone = print(|| Err::<&[u8], _>(io::Error::other("gone")), 500, |_| true);
    assert!(matches!(gone, Err(PrintError::Read(_))), "{gone:?}");
}

#[test]
fn what_is_no_finding_aid_is_an_error() {
    let whole = finding_aid(&series("Alpha", 2));
    let deep = finding_aid(&format!("<c><did><unittitle>{}", "<emph>".repeat(10_000)));
    let crossed = whole.replace("</unittitle>", "</unitid>");
    let broken = [
        "",
        "text",
        "<html></html>",
        "<ead>",
        "<ead><archdesc><did>",
        &whole[..whole.len() - 40],
        &deep,
        &crossed,
        "<ead><a b='",
        "</ead>",
    ];
    for ead in broken {
        let told = printed(ead);
        assert!(matches!(told, Err(PrintError::Source(_))), "{told:?}: {}", &ead[..ead.len().min(200)]);
    }
    for cut in (0..whole.len()).step_by(37) {
        assert!(printed(&whole[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn odd_texts_are_printed() {
    let deep = "<c>".repeat(40) + &"</c>".repeat(40);
    let odd = [
        String::new(),
        deep,
        file(&"w".repeat(20_000)),
        file("&nothing; &#0; &#xD800; &#x41;"),
        file("\u{202e}abc\u{2066}שלום\u{200f}\u{301}\u{301}"),
        file("a\u{0}b\u{7}c\u{ad}\u{feff}"),
        "<c level='series'><did><unittitle/></did></c>".to_owned(),
    ];
    for inventory in odd {
        let printed = printed(&finding_aid(&inventory)).expect("a PDF");
        let document = Document::load_mem(&printed.pdf).expect("a document");
        assert_eq!(document.get_pages().len(), printed.pages);
    }
    let all = pages(&finding_aid(&file("&nothing; &#x41;"))).concat();
    assert!(all.contains("&nothing;A"), "{all}");
}

/// The most memory that this process has had, in kB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

/// Run alone: `cargo test -p print --test print -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_collection_of_half_a_million_components_is_printed_in_bounded_memory() {
    let inventory: String = (0..5_300).map(|n| series(&format!("Correspondence and diaries {n}"), 99)).collect();
    let ead = finding_aid(&inventory);
    let before = peak();
    let printed = print(|| Ok(ead.as_bytes()), 15_000, |_| true).expect("a PDF");
    let (taken, bytes) = (peak() - before, printed.pdf.len());
    println!("{} pages, {bytes} bytes of PDF, {taken} kB of memory", printed.pages);
    assert!(printed.pages > 14_000 && taken < 25 * printed.pages as u64, "{} pages took {taken} kB", printed.pages);
}

#[test]
fn what_stands_side_by_side_in_the_file_is_told_apart() {
    let did = "<did><unittitle>Papers</unittitle><physdesc><extent>5 Feet</extent><extent>7 boxes</extent></physdesc>\
        <langmaterial><language>English</language><language>German</language></langmaterial>\
        <origination><persname>Dickinson</persname>\n<persname>Higginson</persname></origination></did>";
    let notes = "<odd><list type=\"ordered\" numeration=\"loweralpha\"><item>Letters</item><item>Diaries</item></list>\
        <chronlist><chronitem><date>1893</date><eventgrp><event>Moved</event><event>Renamed</event></eventgrp></chronitem>\
        </chronlist></odd>\
        <index><indexentry><name>Berlin</name><ref>see Beilin</ref></indexentry></index>";
    let ead = format!(
        "<ead><eadheader><filedesc><titlestmt><titleproper>Papers</titleproper></titlestmt><publicationstmt><publisher>A\
         </publisher><address><addressline>URL: <extptr href=\"https://a.example/\"/></addressline></address></publicationstmt>\
         </filedesc></eadheader><archdesc level=\"collection\">{did}{notes}</archdesc></ead>"
    );
    let all = pages(&ead).concat();
    for told in
        ["5Feet;7boxes", "English,German", "Dickinson;Higginson", "a.Letters", "b.Diaries", "Moved", "Berlin,seeBeilin"]
    {
        assert!(all.contains(told), "{told}: {all}");
    }
    assert!(all.contains("URL:https://a.example/"), "{all}");
}

#[test]
fn a_full_title_page_loses_nothing() {
    let lines: String = (0..24).map(|n| format!("<addressline>Line {n}</addressline>")).collect();
    let usage = "Language of the finding aid. ".repeat(40);
    let ead = format!(
        "<ead><eadheader><filedesc><titlestmt><titleproper>Papers of a family with a long name</titleproper></titlestmt>\
         <publicationstmt><publisher>A</publisher><address>{lines}</address></publicationstmt></filedesc><profiledesc>\
         <langusage>{usage}</langusage></profiledesc></eadheader><archdesc level=\"collection\"><did><unittitle>P</unittitle>\
         </did></archdesc></ead>"
    );
    let first = &pages(&ead)[0];
    for line in ["Papersofafamily", "Line0", "Line23"] {
        assert!(first.contains(line), "{line}: {first}");
    }
}
