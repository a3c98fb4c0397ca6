//! Instances with their identifiers and classifications, and call numbers.

use serde_json::{Value, json};

use crate::{
    dice::Dice,
    library::Library,
    places::Place,
    work::{Kind, Work},
};

/// A call number and its scheme.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CallNumber {
    /// Name of the call number type in FOLIO's reference data.
    pub scheme: &'static str,
    pub number: String,
}

const LIBRARY_OF_CONGRESS: &str = "call-number-types/Library of Congress classification";
const DEWEY: &str = "call-number-types/Dewey Decimal classification";

/// The call number of a title: Dewey where patrons browse, Library of Congress elsewhere.
pub(super) fn call_number(work: &Work, place: Place) -> CallNumber {
    match place {
        Place::Popular => {
            CallNumber { scheme: DEWEY, number: format!("{} {}", dewey(work), letters(work).to_uppercase()) }
        }
        _ => CallNumber { scheme: LIBRARY_OF_CONGRESS, number: format!("{} {}", class(work), work.year) },
    }
}

/// Class number and cutter: `QB43 .A52`.
fn class(work: &Work) -> String {
    let (low, high) = work.topic.numbers;
    let number = low + spread(work, 7) % (high - low + 1);
    let cutter = 11 + spread(work, 11) % 88;
    let initial = letters(work).to_uppercase();
    let initial = initial.chars().next().unwrap_or('A');
    format!("{}{number} .{initial}{cutter}", work.topic.class)
}

fn dewey(work: &Work) -> String {
    match spread(work, 13) % 100 {
        0 => work.topic.dewey.to_owned(),
        decimals => format!("{}.{decimals}", work.topic.dewey),
    }
}

/// The first three letters of the author's name, without accents.
fn letters(work: &Work) -> String {
    work.author.1.replace('ü', "ue").chars().take(3).collect()
}

/// A number that depends only on the title, without a draw.
fn spread(work: &Work, salt: u64) -> u32 {
    let mixed = (work.number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(salt as u32);
    u32::try_from(mixed >> 40).unwrap_or(0)
}

impl Library {
    pub(super) fn instance(&self, work: &Work) -> Value {
        let mut dice = self.dice("instance", work.number);
        let mode = match work.kind {
            Kind::Serial => "modes-of-issuance/serial",
            _ => "modes-of-issuance/single unit",
        };
        let mut record = json!({
            "id": self.id("instance", work.number), "hrid": format!("in{:011}", work.number + 1),
            "source": "FOLIO", "title": work.title, "indexTitle": index_title(&work.title),
            "instanceTypeId": self.reference.id(work.kind.instance_type()),
            "contributors": self.contributors(work, &mut dice),
            "subjects": [{"value": work.topic.subject,
                "sourceId": self.reference.id("subject-sources/Library of Congress Subject Headings"),
                "typeId": self.reference.id("subject-types/Topical term")}],
            "identifiers": self.identifiers(work, &mut dice),
            "classifications": self.classifications(work),
            "publication": [{"publisher": work.publisher.name, "place": work.publisher.place,
                "dateOfPublication": publication_date(work)}],
            "languages": [work.language],
            "instanceFormatIds": [self.reference.id(work.kind.format())],
            "modeOfIssuanceId": self.reference.id(mode),
            "statusId": self.reference.id("instance-statuses/Cataloged"),
            "physicalDescriptions": [physical_description(work.kind, &mut dice)],
            "catalogedDate": self.cataloged(work, &mut dice)});
        self.date(&mut record, work);
        self.remark(&mut record, work, &mut dice);
        record
    }

    fn contributors(&self, work: &Work, dice: &mut Dice) -> Value {
        let person = self.reference.id("contributor-name-types/Personal name");
        let (role, text) = work.kind.role();
        let mut all = vec![json!({"name": work.heading(), "contributorNameTypeId": person,
            "contributorTypeId": self.reference.id(role), "contributorTypeText": text, "primary": true})];
        if dice.per_mille(250) {
            let (first, last) = crate::words::WORDS.person(dice);
            all.push(json!({"name": format!("{last}, {first}"), "contributorNameTypeId": person,
                "contributorTypeId": self.reference.id("contributor-types/Editor"),
                "contributorTypeText": "Editor", "primary": false}));
        }
        Value::Array(all)
    }

    fn identifiers(&self, work: &Work, dice: &mut Dice) -> Value {
        let identifier = |kind: &str, value: String| json!({"identifierTypeId": self.reference.id(&format!("identifier-types/{kind}")), "value": value});
        let mut all = vec![identifier("OCLC", format!("(OCoLC){:09}", dice.between(1_000_000, 999_999_999)))];
        match work.kind {
            // ISBNs came into use around 1970.
            Kind::Book | Kind::Ebook if work.year >= 1970 => {
                let printed = if dice.per_mille(150) { " (pbk.)" } else { "" };
                all.insert(0, identifier("ISBN", isbn13(work) + printed));
            }
            Kind::Serial => all.insert(0, identifier("ISSN", issn(dice.between(0, 9_999_999)))),
            _ => {}
        }
        if dice.per_mille(400) {
            let year = work.year.rem_euclid(100);
            all.push(identifier("LCCN", format!("{year:02}{:06}", dice.between(1, 999_999))));
        }
        Value::Array(all)
    }

    fn classifications(&self, work: &Work) -> Value {
        json!([
            {"classificationTypeId": self.reference.id("classification-types/LC"), "classificationNumber": class(work)},
            {"classificationTypeId": self.reference.id("classification-types/Dewey"),
                "classificationNumber": dewey(work)}])
    }

    /// The day it was cataloged: soon after publication, or when the catalogue went electronic.
    fn cataloged(&self, work: &Work, dice: &mut Dice) -> String {
        let today = self.plan.today();
        let (month, day) = (dice.between(1, 12), dice.between(1, 28));
        let year = work.year.max(1995);
        match year == today.year() {
            true => today.to_string(),
            false => format!("{year}-{month:02}-{day:02}"),
        }
    }

    fn date(&self, record: &mut Value, work: &Work) {
        let kind = match work.kind {
            Kind::Serial => "instance-date-types/Continuing resource currently published",
            _ => "instance-date-types/Single known date/probable date",
        };
        record["dates"] = json!({"dateTypeId": self.reference.id(kind), "date1": work.year.to_string()});
    }

    /// Adds editions, series and notes to some.
    fn remark(&self, record: &mut Value, work: &Work, dice: &mut Dice) {
        if matches!(work.kind, Kind::Book | Kind::Ebook) && dice.per_mille(200) {
            let edition = ["2nd ed.", "3rd ed.", "Rev. ed.", "New edition"];
            record["editions"] = json!([dice.pick(&edition)]);
        }
        if work.kind == Kind::Book && dice.per_mille(150) {
            record["series"] = json!([{"value": format!("Studies in {}", work.topic.name("eng"))}]);
        }
        if work.kind == Kind::Book && dice.per_mille(300) {
            record["notes"] = json!([{
                "instanceNoteTypeId": self.reference.id("instance-note-types/Bibliography note"),
                "note": "Includes bibliographical references and index", "staffOnly": false}]);
        }
        if work.kind == Kind::Ebook {
            record["electronicAccess"] = json!([{
                "uri": format!("https://books.example.edu/{}", work.number + 1), "linkText": "Full text",
                "relationshipId": self.reference.id("electronic-access-relationships/Resource")}]);
        }
    }
}

/// The title for sorting, without its leading article.
fn index_title(title: &str) -> &str {
    let articles = ["The ", "A ", "An "];
    let article = articles.iter().find(|article| title.starts_with(**article));
    article.map_or(title, |article| &title[article.len()..])
}

fn publication_date(work: &Work) -> String {
    match work.kind {
        Kind::Serial => format!("{}-", work.year),
        _ => work.year.to_string(),
    }
}

fn physical_description(kind: Kind, dice: &mut Dice) -> String {
    match kind {
        Kind::Book => {
            format!("{} pages : illustrations ; {} cm", dice.between(90, 700), dice.between(18, 30))
        }
        Kind::Ebook => format!("1 online resource ({} pages)", dice.between(90, 700)),
        Kind::Film => {
            format!("1 videodisc ({} min.) : sound, color ; 12 cm", dice.between(50, 190))
        }
        Kind::Disc => format!("1 audio disc ({} min.) : digital ; 12 cm", dice.between(20, 79)),
        Kind::Serial => format!("volumes ; {} cm", dice.between(22, 30)),
        Kind::Score => {
            format!("1 score ({} pages) ; {} cm", dice.between(8, 180), dice.between(26, 34))
        }
    }
}

/// The ISBN of a title: thirteen digits with the EAN check digit.
fn isbn13(work: &Work) -> String {
    let body = format!("{}{:05}", work.publisher.isbn_prefix, work.number * 61 % 100_000);
    let weighted = body.bytes().zip([1, 3].into_iter().cycle());
    let sum: u32 = weighted.map(|(byte, weight)| u32::from(byte - b'0') * weight).sum();
    format!("{body}{}", (10 - sum % 10) % 10)
}

/// The ISSN of a journal with its check digit: the weights run from 8 to 2, and ten is X.
fn issn(number: u32) -> String {
    let body = format!("{number:07}");
    let weighted = body.bytes().zip((2..=8).rev());
    let sum: u32 = weighted.map(|(byte, weight)| u32::from(byte - b'0') * weight).sum();
    let check = match (11 - sum % 11) % 11 {
        10 => "X".to_owned(),
        digit => digit.to_string(),
    };
    format!("{}-{}{check}", &body[..4], &body[4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_do_not_sort() {
        assert_eq!(index_title("The Road"), "Road");
        assert_eq!(index_title("A Road"), "Road");
        assert_eq!(index_title("Theory"), "Theory");
    }

    #[test]
    fn issns_have_their_check_digit() {
        for known in ["0378-5955", "0317-8471", "2434-561X"] {
            let number = known.replace('-', "")[..7].parse().unwrap();
            assert_eq!(issn(number), known);
        }
    }
}
