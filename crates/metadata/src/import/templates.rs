//! Fields as sentences: what a note says of a field of MARC, and how.
//!
//! A template has parts in braces. A part has one `$x`, the subfields with that code, or `@ind1`, an indicator; a part whose
//! value is not there is left out with what is around it. What is outside braces always stands.

use std::sync::LazyLock;

use regex::Regex;

use super::fields::Field;

/// Words for indicators.
pub(super) type Words = &'static [(&'static str, &'static str)];

/// A field in the words of a template. `words` stand for the values of the first indicator.
pub(super) fn say(template: &str, field: Field<'_>, words: Words) -> String {
    let mut said = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        said.push_str(before);
        let (part, after) = after.split_once('}').unwrap_or((after, ""));
        said.push_str(&say_part(part, field, words));
        rest = after;
    }
    said.push_str(rest);
    tidy(&said)
}

fn say_part(part: &str, field: Field<'_>, words: Words) -> String {
    let Some(place) = part.find(['$', '@']) else { return part.to_owned() };
    let (before, rest) = part.split_at(place);
    let (value, after) = match rest.strip_prefix("@ind1") {
        Some(after) => {
            let code = field.indicator(1);
            let word = words.iter().find(|(of, _)| *of == code).map_or(code, |(_, word)| *word);
            (word.to_owned(), after)
        }
        None => {
            let code_end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
            let texts = field.texts(&rest[1..code_end]).filter(|text| !text.is_empty());
            (texts.collect::<Vec<_>>().join(" ").trim().to_owned(), &rest[code_end..])
        }
    };
    if value.is_empty() { String::new() } else { format!("{before}{value}{after}") }
}

/// The punctuation that parts leave behind, one change after the other.
fn tidy(text: &str) -> String {
    static CHANGES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let changes = [
            (r"\[\]", ""),
            (r"\(\)", ""),
            (r"\(\s+", "("),
            (r"\s+\)", ")"),
            (r",\)", ")"),
            (r"(?m)[:;,]$", ""),
            (r"[:;,](\s?)\s*([()])", "$1$2"),
            (r"\s+", " "),
            (r",\s*([^A-Za-z0-9_\s])", "$1"),
            (r"[.:;]?\s*\.", "."),
        ];
        changes.into_iter().filter_map(|(of, to)| Some((Regex::new(of).ok()?, to))).collect()
    });
    let mut text = text.trim().to_owned();
    for (of, to) in CHANGES.iter() {
        text = of.replace_all(&text, *to).into_owned();
    }
    text.trim().to_owned()
}

/// What becomes of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Multipart(&'static str),
    Singlepart(&'static str),
    Bibliography,
}

/// What a note is called.
#[derive(Clone, Copy)]
pub(super) enum Label {
    Always(&'static str),
    /// By the first indicator, and what it is called with any other.
    By(Words, &'static str),
    /// By both indicators of a field 342.
    Geospatial,
}

/// How a field becomes a note.
pub(super) struct Rule {
    pub tag: &'static str,
    /// Which fields with the tag.
    pub when: fn(Field<'_>) -> bool,
    pub kind: Kind,
    pub label: Label,
    /// None takes the whole field.
    pub template: Option<&'static str>,
    pub words: Words,
}

const fn rule(tag: &'static str, kind: Kind, label: &'static str, template: &'static str) -> Rule {
    Rule { tag, when: |_| true, kind, label: Label::Always(label), template: Some(template), words: &[] }
}

const fn odd(tag: &'static str, label: &'static str, template: &'static str) -> Rule {
    rule(tag, Kind::Multipart("odd"), label, template)
}

const fn multi(tag: &'static str, kind: &'static str, label: &'static str, template: &'static str) -> Rule {
    rule(tag, Kind::Multipart(kind), label, template)
}

const fn single(tag: &'static str, kind: &'static str, label: &'static str, template: &'static str) -> Rule {
    rule(tag, Kind::Singlepart(kind), label, template)
}

const fn by(rule: Rule, words: Words, other: &'static str) -> Rule {
    Rule { label: Label::By(words, other), ..rule }
}

const fn worded(rule: Rule, words: Words) -> Rule {
    Rule { words, ..rule }
}

const fn when(rule: Rule, when: fn(Field<'_>) -> bool) -> Rule {
    Rule { when, ..rule }
}

/// Titles that stand in for a missing title, in this order.
pub(super) const OTHER_TITLES: [(&str, &str); 3] =
    [("210", "{$a: }{$b }{($2)}"), ("222", "{$a: }{$b }{($2)}"), ("240", "{$a }{$k }{$n }{$p }{$l }{$f}")];

/// The notes of a record, in their order.
pub(super) static NOTES: &[Rule] = &[
    odd("242", "Translation of Title", "{$a: }{$b }{[$h] }{$n, }{$p, }{$y}){ / $c}"),
    when(odd("246", "Portion of title", "{$a: }{$b }{[$h] }{$f, }{$n }{$p, }{$g})"), |field| field.indicator(2) == "0"),
    odd("250", "Edition Statement", "{$a} / {$b}"),
    odd("254", "Musical Presentation Statement", "{$a}"),
    odd(
        "255",
        "Mathematical map data",
        "Statement of scale--{$a}; Statement of projection--{$b}; Statement of coordinates--{$c}; \
         Statement of zone--{$d}; Statement of equinox--{$e}; Outer G-ring coordinate pairs--{$f}; \
         Exclusion G-ring coordinate pairs--{$g}.",
    ),
    single("256", "physdesc", "Computer file Characteristics", "{$a}"),
    odd("257", "Country of Producing Entity for Archival Films", "{$a}"),
    odd("258", "Stamp description", "{$a}, {$b}."),
    odd("260", "Publication Date", "{$c}"),
    single("306", "physdesc", "Playing Time", "{$a}"),
    multi(
        "340",
        "phystech",
        "Physical Medium",
        "{$3: }{Material base and configuration--$a; }{Dimensions--$b; }{Materials applied to surface--$c; }\
         {Information recording technique--$d, }{Support--$e, }{Production rate / ratio--$f, }\
         {Location within medium--$h, }{Technical specifications of medium--$i}",
    ),
    Rule {
        label: Label::Geospatial,
        ..odd(
            "342",
            "",
            "{Name--$a; }{Coordinate or distance units--$b; }{Latitude resolution--$c; }{Longitude resolution--$d; }\
             {Standard parallel or oblique latitude--$e; }{Oblique line longitude--$f; }\
             {Longitude of central meridian or projection center--$g; }\
             {Latitude of projection origin or projection center--$h; }{False easting--$i; }{False northing--$j; }\
             {Scale factor--$k; }{Height of perspective point above surface--$l; }{Azimuthal angle--$m; }\
             {Azimuth measure point longitude or straight vertical longitude from pole--$n; }\
             {Landsat number and path number--$o; }{Zone identifier--$p; }{Ellipsoid name--$q; }\
             {Semi-major axis--$r; }{Denominator of flattening ratio--$s; }{Vertical resolution--$t; }\
             {Vertical encoding method--$u; }{Local planar, local, or other projection or grid description--$v; }\
             {Local planar or local georeference information--$w; }{Reference method used--$2}",
        )
    },
    single(
        "343",
        "physdesc",
        "Planar Surface Coordinate System",
        "{Planar coordinate encoding method--$a; }{Planar distance units--$b; }{Abscissa resolution--$c; }\
         {Ordinate resolution--$d; }{distance resolution--$e; }{Bearing resolution--$f; }{Bearing units--$g; }\
         {Bearing reference direction--$h; }{Bearing reference meridian--$i.}",
    ),
    multi("351", "arrangement", "Arrangement", "{$3: }{$a. }{$b. }{$c}"),
    multi(
        "352",
        "phystech",
        "Digital Graphic Representation",
        "{Direct reference method--$a; }{Object type--$b; }{Object count--$c; }{Row count--$d; }{Column count--$e; }\
         {Vertical count--$f; }{VPF topology level--$g; }{Indirect reference description--$i; }\
         {Format of the digital image--$q.}",
    ),
    worded(
        multi(
            "355",
            "accessrestrict",
            "Security Classification Control",
            "{@ind1 }{Security classification--$a; }{Handling instructions--$b; }\
             {External dissemination information--$c; }{Downgrading or declassification event--$d; }\
             {Classification system--$e; }{Country of origin code--$f; }{Downgrading date--$h; }{Authorization--$j}.",
        ),
        &[
            ("0", "Document"),
            ("1", "Title"),
            ("2", "Abstract"),
            ("3", "Contents note"),
            ("4", "Author"),
            ("5", "Record"),
            ("8", "Other element"),
        ],
    ),
    odd(
        "357",
        "Originator Dissemination Control",
        "{Originator control term--$a; }{Originating agency--$b; }{Authorized recipients of materials--$c; }\
         {Other restrictions--$g}",
    ),
    odd("500", "General Note", "{$3: }{$a}"),
    odd("501", "With Note", "{$a}"),
    odd("502", "Thesis / Dissertation Note", "{$a}"),
    rule("504", Kind::Bibliography, "Bibliographic References", "{$a }{$b}"),
    odd("505", "Cumulative Index/Finding Aids Note", "{$a}"),
    multi("506", "accessrestrict", " Restrictions on Access", "{$3: }{$a, }{$b, }{$c, }{$d, }{$e, }{$u}."),
    odd("507", "Scale Note for Graphic Material", "{$a : }{$b}"),
    odd("508", "Production Credits", "{$a}"),
    worded(
        rule("510", Kind::Bibliography, "Bibliographic References", "{@ind1} -- {$3: }{$a : }{$b : }{$c }{($x)}"),
        &[
            ("0", "Coverage unknown"),
            ("1", "Coverage complete"),
            ("2", "Coverage is selective"),
            ("3", "Location in source not given"),
            ("4", "Location in source given"),
        ],
    ),
    odd("511", "Participants / Performers", "{$a}"),
    multi("513", "scopecontent", "Type of report", "{$a} {($b)}"),
    odd(
        "514",
        "Data quality",
        "{$z: }{Attribute accuracy report--$a; }{Attribute accuracy value--$b; }{Attribute accuracy explanation--$c; }\
         {Logical consistency report--$d; }{Completeness report--$e; }{Horizontal position accuracy report--$f; }\
         {Horizontal position accuracy value--$g; }{Horizontal position accuracy explanation--$h; }\
         {Vertical positional accuracy report--$i; }{Vertical positional accuracy value--$j; }\
         {Vertical positional accuracy explanation--$k; }{Cloud cover--$m; }{Uniform Resource Identifier--$u}.",
    ),
    odd("518", "Date and Time of Event", "{$3: }{$a.}"),
    when(by(odd("520", "", "{$3: }{$a. }{($u) }{ $b}"), &[("0", "Subject"), ("1", "Review")], "Summary"), |field| {
        !["2", "3", "8"].contains(&field.indicator(1))
    }),
    when(multi("520", "scopecontent", "Scope and content", "{$3: }{$a. }{($u) }{ $b}"), |field| {
        field.indicator(1) == "2"
    }),
    when(single("520", "abstract", "Abstract", "{$3: }{$a. }{($u) }{ $b}"), |field| field.indicator(1) == "3"),
    when(
        by(
            odd("521", "", "{$3: }{$a }{($b)}."),
            &[
                ("0", "Reading grade level"),
                ("1", "Interest age level"),
                ("2", "Interest grade level"),
                ("3", "Special audience characteristics"),
                ("4", "Motivation interest level"),
            ],
            "Audience",
        ),
        |field| field.indicator(1) != "8",
    ),
    odd("522", "Geographic Coverage", "{$a}"),
    multi("524", "prefercite", "Preferred Citation", "{$3: }{$a. }{$2}."),
    multi("530", "altformavail", "Alternate Form Available", "{$3: }{$a. }{$b. }{$c. }{$d. }{($u)}"),
    odd(
        "533",
        "Reproduction Note",
        "{$3: }{Type of reproduction--$a; }{Place of reproduction--$b; }\
         {Agency responsible for reproduction--$c: }{Date of reproduction--$d. }\
         {Physical description of reproduction--$e. }{Series statement of reproduction--$f. }\
         {Dates and / or sequential of issues reproduced--$m. }{Note about reproduction--$n.}",
    ),
    odd(
        "534",
        "Original Version Note",
        "{$p: }{$a, }{$t, }{$k, }{$c }{($b). }{$f. }{$e, }{$m. }{$n, }{$l. }{($x), }{($z)}.",
    ),
    worded(
        multi("535", "originalsloc", "Location of Originals Note", "{@ind1: } {$3--}{$a. }{$b, }{$c. }{$d }{($g).}"),
        &[("1", "Holder of originals"), ("2", "Holder of duplicates")],
    ),
    multi("538", "phystech", "System Details Note", "{$3: }{$a }{($u)}."),
    multi("540", "userestrict", "Terms Governing Use and Reproduction", "{$3: }{$a. }{$b. }{$c. }{$d }{($u)}."),
    multi(
        "541",
        "acqinfo",
        "Immediate Source of Acquisition",
        "{$3: }{Source of acquisition--$a. }{Address--$b. }{Method of acquisition--$c; }{Date of acquisition--$d. }\
         {Accession number--$e: }{Extent--$n; }{Type of unit--$o. }{Owner--$f. }{Purchase price--$h}.",
    ),
    multi(
        "544",
        "relatedmaterial",
        "Related Archival Materials",
        "{$3: }{Title--$d. }{Custodian--$a: }{Address--$b, }{Country--$c. }{Provenance--$e. }{Note--$n}.",
    ),
    by(
        multi("545", "bioghist", "", "{$a }{($u)}.{ $b.}"),
        &[("0", "Biographical sketch"), ("1", "Administrative history")],
        "",
    ),
    multi("555", "otherfindaid", "Other Finding Aid", "{$a}{; $b}{; $c}{; $d}{; $u}{; $3}."),
    multi("561", "custodhist", "Ownership and Custodial History", "{$3: }{$a}."),
    multi(
        "562",
        "relatedmaterial",
        "Copy and Version Identification",
        "{$3: }{Identifying markings--$a; }{Copy identification--$b; }{Version identification--$c; }\
         {Presentation format--$d; }{Number of copies--$e}.",
    ),
    odd("563", "Binding Information", "{$3: }{$a }{($u)}."),
    single(
        "565",
        "materialspec",
        "Case File Characteristics Note",
        "{$3: }{Number of cases / variables--$a; }{name of variable--$b; }{Unit of analysis--$c; }\
         {Universe of data--$d; }{Filing scheme or code--$e}.",
    ),
    rule("581", Kind::Bibliography, "Publications About Described Materials", "{$3: }{$a }{($z)}."),
    multi(
        "583",
        "processinfo",
        "Processing Note",
        "{Action: $a}{--Action Identification: $b}{--Time/Date of Action: $c}{--Action interval: $d}\
         {--Contingency for Action: $e}{--Authorization: $f}{--Jurisdiction: $h}{--Method of action: $i}\
         {--Site of Action: $j}{--Action agent: $k}{--Status: $l}{--Extent: $n}{--Type of unit: $o}{--URI: $u}\
         {--Non-public note: $x}{--Public note: $z}{--Materials specified: $3}{--Institution: $5}",
    ),
    multi(
        "584",
        "accruals",
        "Accruals",
        "{Accumulation: $a}{--Frequency of use: $b}{--Materials specified: $3}{--Institution: $5}.",
    ),
    Rule { template: None, ..odd("59", "Local Note", "") },
    odd("740", "Related / Analytical Title", "{$a }{[$h] }{$p, }{$n}."),
];

/// The sponsor of a finding aid in a field 536.
pub(super) const SPONSOR: &str = "{Text of note--$a; }{Contract number--$b; }{Grant number--$c; }\
    {Undifferentiated number--$d; }{Program element number--$f; }{Task number--$g; }{Work unit number--$h}";

impl Rule {
    /// The label of the note of a field.
    pub(super) fn label_of(&self, field: Field<'_>) -> String {
        match self.label {
            Label::Always(label) => label.to_owned(),
            Label::By(words, other) => {
                let found = words.iter().find(|(of, _)| *of == field.indicator(1));
                found.map_or(other, |(_, word)| *word).to_owned()
            }
            Label::Geospatial => geospatial(field),
        }
    }
}

fn geospatial(field: Field<'_>) -> String {
    let system = match field.indicator(1) {
        "0" => "Horizontal coordinate system",
        "1" => "Vertical coordinate system",
        _ => "",
    };
    let method = match field.indicator(2) {
        "0" => "Geographic",
        "1" => "Map projection",
        "2" => "Grid coordinate system",
        "3" => "Local planar",
        "4" => "Local",
        "5" => "Geodetic model",
        "6" => "Altitude",
        "7" => system,
        "8" => "Depth",
        _ => "",
    };
    let said = [system, method].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("--");
    format!("Geospatial Reference Dimension: {said}").trim_end_matches([':', ' ']).to_owned()
}
