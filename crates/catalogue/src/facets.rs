//! Counted values (contract 1.6).

use refusals::Refused;
use search::hits::Request;
use serde_json::{Map, Value, json};

use crate::{
    Catalogue, Failed, Found, Records,
    meaning::Asked,
    options::{self, Resource, Role},
    refusal::{FACET_EMPTY, FACET_UNKNOWN, FACET_UNREADABLE},
};

/// A facet that is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Facet {
    /// As it was asked for.
    name: String,
    option: &'static str,
    size: usize,
}

/// A name, or a name and a number of values.
pub(crate) fn named(text: &str) -> Result<(String, usize), Refused> {
    let spelt = options::spelt(text.trim());
    let unreadable = || {
        let refusal = FACET_UNREADABLE.with("facet", &*spelt).with("facetName", "{facetName}");
        refusal.with("facetLimit", "{facetLimit}")
    };
    let (name, size) = match spelt.split_once(':') {
        Some((name, size)) => (name, Some(size)),
        None => (&*spelt, None),
    };
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'.');
    let number = |size: &str| size.parse::<i32>().ok().filter(|_| size.bytes().all(|b| b.is_ascii_digit()));
    let size = match size.map(number) {
        _ if !is_name => return Err(unreadable().into()),
        None => usize::MAX,
        Some(Some(0)) => return Err(FACET_EMPTY.with("facet", name).into()),
        Some(size) => size.and_then(|size| usize::try_from(size).ok()).ok_or_else(unreadable)?,
    };
    Ok((name.to_owned(), size))
}

fn read(text: &str, of: &Resource) -> Result<Facet, Refused> {
    let (name, size) = named(text)?;
    let option = of.named(&name).into_iter().find(|option| option.role == Role::Facet);
    let option = option.ok_or_else(|| FACET_UNKNOWN.with("facet", &*name))?.name;
    Ok(Facet { name, option, size })
}

/// The values with those that are asked for first.
pub(crate) fn arranged(counted: Vec<(String, u64)>, selected: &[&str], size: usize) -> Vec<(String, u64)> {
    let (mut first, others): (Vec<_>, Vec<_>) =
        counted.into_iter().partition(|(value, _)| selected.contains(&value.as_str()));
    first.truncate(size);
    first.extend(others.into_iter().take(size.saturating_sub(selected.len())));
    first
}

/// A facet as clients read it.
pub(crate) fn counts_of(values: &[(String, u64)]) -> Value {
    let values: Vec<Value> = values.iter().map(|(value, count)| json!({"id": value, "totalRecords": count})).collect();
    json!({"values": values, "totalRecords": values.len()})
}

/// Facets that are counted in one search: those without a filter of their own together.
fn rounds(facets: &[Facet], asked: &Asked) -> Vec<(Request, Vec<usize>)> {
    let mut rounds: Vec<(Option<&str>, Vec<usize>)> = Vec::new();
    for (place, facet) in facets.iter().enumerate() {
        let own = asked.filters.iter().any(|filter| filter.option == facet.option).then_some(facet.option);
        match rounds.iter_mut().find(|(known, _)| *known == own) {
            Some((_, places)) => places.push(place),
            None => rounds.push((own, vec![place])),
        }
    }
    let request = |(own, places): (Option<&str>, Vec<usize>)| {
        let request = Request {
            query: asked.without(own),
            sort: Vec::new(),
            offset: 0,
            limit: 0,
            facets: places.iter().map(|place| facets[*place].option.to_owned()).collect(),
            least: 1,
            most: usize::MAX,
        };
        (request, places)
    };
    rounds.into_iter().map(request).collect()
}

impl Catalogue {
    /// Counts the values of options among the results. Asks the database nothing.
    ///
    /// # Errors
    /// [`Failed`] if the query or a facet is refused, or the index cannot be read.
    pub async fn facets(&self, of: Records, query: &str, names: &[&str]) -> Result<Found<Value>, Failed> {
        let facets = names.iter().map(|name| read(name, of.resource())).collect::<Result<Vec<Facet>, _>>();
        let facets = match facets {
            Ok(facets) => facets,
            // Of two faults, that of the query is told.
            Err(refused) => {
                crate::meaning::read(query, of.resource(), &self.settings())?;
                return Err(refused.into());
            }
        };
        let (asked, reader, is_behind) = self.asked(of, query).await?;
        let rounds = rounds(&facets, &asked);
        let counting = move |reader: &search::index::Reader| {
            let count = |(request, places): (Request, Vec<usize>)| Ok((reader.search(&request)?.facets, places));
            rounds.into_iter().map(count).collect::<Result<Vec<_>, _>>()
        };
        let mut counts: Vec<Vec<(String, u64)>> = vec![Vec::new(); facets.len()];
        for (counted, places) in self.run(of, reader, counting).await? {
            for ((_, values), place) in counted.into_iter().zip(places) {
                counts[place] = values;
            }
        }
        let mut shown = Map::new();
        for (facet, counted) in facets.iter().zip(counts) {
            shown.insert(facet.name.clone(), counts_of(&arranged(counted, &asked.selected(facet.option), facet.size)));
        }
        let body = json!({"totalRecords": shown.len(), "facets": shown});
        Ok(Found { body, is_behind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::INSTANCES;

    #[test]
    fn facets_have_a_name_and_may_have_a_size() {
        for (text, name, option, size) in [
            ("source", "source", "source", usize::MAX),
            (" source:5 ", "source", "source", 5),
            ("item.status.name:12", "items.status.name", "items.status.name", 12),
            (
                "holdings.permanentLocationId",
                "holdings.permanentLocationId",
                "holdings.permanentLocationId",
                usize::MAX,
            ),
        ] {
            assert_eq!(read(text, &INSTANCES), Ok(Facet { name: name.to_owned(), option, size }), "{text}");
        }
        for text in ["", ":5", "source:", "source:x", "source:5:5", "source:12345678901", "so urce", "x1"] {
            assert!(read(text, &INSTANCES).is_err_and(|refused| refused.has(&[FACET_UNREADABLE])), "{text}");
        }
        for text in ["title", "nothing", "keyword", "holdings.id", "metadata.createdDate", "sortTitle"] {
            assert!(read(text, &INSTANCES).is_err_and(|refused| refused.has(&[FACET_UNKNOWN])), "{text}");
        }
    }

    #[test]
    fn selected_values_come_first() {
        let counted = || [("a", 5), ("b", 4), ("c", 3)].map(|(value, count)| (value.to_owned(), count)).to_vec();
        let shown = |selected: &[&str], size| {
            arranged(counted(), selected, size).into_iter().map(|(value, _)| value).collect::<String>()
        };
        assert_eq!(shown(&[], usize::MAX), "abc");
        assert_eq!(shown(&["c"], usize::MAX), "cab");
        assert_eq!(shown(&["c"], 2), "ca");
        assert_eq!(shown(&["c", "b"], 1), "b");
        assert_eq!(shown(&["x"], 2), "a");
    }
}
