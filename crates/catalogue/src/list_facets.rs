//! Counted values of the rows of a list (contract 1.6): how many subjects are of a source, for example.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use search::{SearchError, index::Reader};
use serde_json::{Map, Value, json};

use crate::{
    Catalogue, Failed, Found, Records,
    browse_query::{self, At, Node},
    facets::{arranged, counts_of, named},
    lists::{Algorithm, List, SHARED, TENANT},
    refusal::FACET_UNKNOWN,
    settings::Settings,
};

/// How many rows have each value.
type Counts = BTreeMap<String, u64>;

/// Counts the values of fields in rows of a list.
struct Counting {
    list: List,
    tenant: String,
    node: Node,
    fields: Vec<&'static str>,
    counts: Vec<Counts>,
}

impl Counting {
    fn value(&self, group: &str, field: &str) -> Option<String> {
        match field {
            TENANT => Some(self.tenant.clone()),
            SHARED => Some(false.to_string()),
            field => self.list.value_in(group, field),
        }
    }

    /// Counts so many rows that are in some groups. A condition on a field does not count for its own values.
    fn add(&mut self, text: &str, groups: &[Arc<str>], rows: u64) {
        for place in 0..self.fields.len() {
            let field = self.fields[place];
            let fitting = groups.iter().filter(|group| {
                let at = At { list: self.list, tenant: &self.tenant, group, text, ignored: Some(field) };
                self.node.holds(&at)
            });
            let values: BTreeSet<String> = fitting.filter_map(|group| self.value(group, field)).collect();
            for value in values {
                *self.counts[place].entry(value).or_insert(0) += rows;
            }
        }
    }

    fn count(mut self, reader: &Reader) -> Result<Vec<Counts>, SearchError> {
        let column = self.list.column(Algorithm::Default);
        if self.node.has_text() {
            reader.each_row(column, |row, groups| self.add(crate::entries::folded_text(row), groups, 1))?;
        } else {
            for (groups, rows) in reader.tally(column)?.rows() {
                self.add("", groups, rows);
            }
        }
        Ok(self.counts)
    }
}

impl Catalogue {
    /// Counts the values of fields in the rows of a list. Asks the database nothing.
    ///
    /// # Errors
    /// [`Failed`] if the query or a facet is refused, or the index cannot be read.
    pub async fn list_facets(&self, list: List, query: &str, names: &[&str]) -> Result<Found<Value>, Failed> {
        let read = |settings: &Settings| {
            let mut node = browse_query::read(query, list, &settings.browse)?;
            if settings.without.contains(&list) {
                node = Node::never();
            }
            let mut facets = Vec::new();
            for text in names {
                let (name, size) = named(text)?;
                // mod-search does not count types of classifications.
                let field = list.filter(&name).filter(|field| list != List::Classifications || *field != "typeId");
                facets.push((field.ok_or_else(|| FACET_UNKNOWN.with("facet", &*name))?, size));
            }
            Ok((node, facets))
        };
        let ((node, facets), reader, is_behind) = self.read(Records::Instances, read).await?;
        let selected: Vec<Vec<String>> =
            facets.iter().map(|(field, _)| node.selected(field).into_iter().map(str::to_owned).collect()).collect();
        let fields: Vec<&'static str> = facets.iter().map(|(field, _)| *field).collect();
        let counts = vec![Counts::new(); fields.len()];
        let counting = Counting { list, tenant: self.tenant.clone(), node, fields, counts };
        let counts = self.run(Records::Instances, reader, move |reader| counting.count(reader)).await?;
        let mut shown = Map::new();
        for (((field, size), counts), selected) in facets.iter().zip(counts).zip(&selected) {
            let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let selected: Vec<&str> = selected.iter().map(String::as_str).collect();
            shown.insert((*field).to_owned(), counts_of(&arranged(counts, &selected, *size)));
        }
        let body = json!({"totalRecords": shown.len(), "facets": shown});
        Ok(Found { body, is_behind })
    }
}
