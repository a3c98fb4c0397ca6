//! Data sets: the sources of rows.

use std::time::Duration;

use super::{
    super::{
        DataSet, Draw, Origin, Paging, Workload,
        place::{Source, WorkloadError},
        source,
        template::{Escape, Slot, Template},
    },
    data_set, pointer,
};

/// Adds the data sets of a file.
pub(super) fn add(source: &Source, sets: &[source::Data], workload: &mut Workload) -> Result<(), WorkloadError> {
    for set in sets {
        if workload.data.iter().any(|known| known.name == *set.name.get_ref()) {
            let message = format!("there are two data sets {:?}", set.name.get_ref());
            return Err(source.error(&set.name.span(), message));
        }
        let compiled = compile(source, set, workload)?;
        workload.data.push(compiled);
    }
    Ok(())
}

fn compile(source: &Source, set: &source::Data, workload: &Workload) -> Result<DataSet, WorkloadError> {
    let columns = set.columns.get_ref().keys().chain(set.replace.keys());
    let columns: Vec<String> = columns.cloned().collect();
    if columns.is_empty() {
        return Err(source.error(&set.columns.span(), "a data set has at least one column"));
    }
    let from = match &set.path {
        Some(path) => Origin::Target(draw(source, set, path, workload)?),
        None if set.rows.is_empty() => {
            return Err(source.error(&set.name.span(), "a data set has a path to draw its rows from, or rows"));
        }
        None => Origin::Here(rows(source, set, &columns)?),
    };
    Ok(DataSet { name: set.name.get_ref().clone(), columns, from, least: set.least })
}

fn draw(
    source: &Source,
    set: &source::Data,
    path: &toml::Spanned<String>,
    workload: &Workload,
) -> Result<Draw, WorkloadError> {
    let each = set.each.as_ref().map(|name| data_set(source, workload, name)).transpose()?;
    let template = Template::parse(path.get_ref(), Escape::Url, |name| {
        let known = each.map(|each| &workload.data[each]);
        let column = known.and_then(|set| {
            let column = name.strip_prefix(&set.name)?.strip_prefix('.')?;
            set.columns.iter().position(|known| known == column)
        });
        let column = column.ok_or_else(|| format!("{{{{{name}}}}} is not a column of the data set of `each`"))?;
        Ok(Slot::Row { row: 0, column })
    });
    let pointers = set.columns.get_ref().values();
    let replaced = set.replace.values().map(|written| {
        let [column, from, to] = written.get_ref();
        let column = set.columns.get_ref().keys().position(|known| known == column);
        let column =
            column.ok_or_else(|| source.error(&written.span(), "[column, what is replaced in it, by what]"))?;
        Ok((column, from.clone(), to.clone()))
    });
    Ok(Draw {
        path: template.map_err(|(_, message)| source.error(&path.span(), message))?,
        each,
        list: set.list.clone(),
        pointers: pointers.map(|text| Ok(pointer(source, text)?.to_owned())).collect::<Result<_, _>>()?,
        replaced: replaced.collect::<Result<_, _>>()?,
        paging: paging(source, set, path)?,
        most: set.most,
        within: within(source, set)?,
    })
}

/// A list with its own order cannot be paged by id.
fn paging(source: &Source, set: &source::Data, path: &toml::Spanned<String>) -> Result<Paging, WorkloadError> {
    let ordered = path.get_ref().to_lowercase().contains(" sortby ");
    if set.paging == Paging::Key && ordered {
        let message = "the list is read in the order of its ids: leave `sortby` out, or add paging = \"offset\"";
        return Err(source.error(&path.span(), message));
    }
    Ok(set.paging)
}

fn within(source: &Source, set: &source::Data) -> Result<Duration, WorkloadError> {
    let seconds = Duration::try_from_secs_f64(*set.within.get_ref());
    seconds.map_err(|_| source.error(&set.within.span(), "a time is a number of seconds from 0 on"))
}

fn rows(source: &Source, set: &source::Data, columns: &[String]) -> Result<Vec<Vec<String>>, WorkloadError> {
    let row = |row: &toml::Spanned<std::collections::BTreeMap<String, String>>| {
        let value = |column: &String| {
            let value = row.get_ref().get(column).cloned();
            value.ok_or_else(|| source.error(&row.span(), format!("the row has no {column}")))
        };
        columns.iter().map(value).collect()
    };
    set.rows.iter().map(row).collect()
}
