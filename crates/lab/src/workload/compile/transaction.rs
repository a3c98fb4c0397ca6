//! Transactions, and the names in them.

use std::collections::BTreeMap;

use super::{
    super::{
        Pick, RowUse, Step, Transaction, Workload,
        place::{Source, WorkloadError},
        source,
    },
    data_set, request,
    scope::Scope,
};

/// Compiles one transaction.
pub(super) fn compile(
    source: &Source,
    read: &source::Transaction,
    workload: &mut Workload,
) -> Result<Transaction, WorkloadError> {
    let share = *read.share.get_ref();
    if !(share.is_finite() && share > 0.0) {
        return Err(source.error(&read.share.span(), "a share is a number above 0"));
    }
    if read.step.get_ref().is_empty() {
        return Err(source.error(&read.step.span(), "a transaction has at least one step"));
    }
    let (rows, names) = rows(source, read, workload)?;
    let (picked, picks) = picks(source, read, workload)?;
    let mut scope = Scope { rows: names, picks: picked, variables: BTreeMap::new(), count: 0 };
    let steps = read.step.get_ref().iter().map(|step| steps(source, step, &mut scope, workload));
    let steps = steps.collect::<Result<_, _>>()?;
    Ok(Transaction { name: read.name.get_ref().clone(), share, rows, picks, variables: scope.count, steps })
}

type Names = Vec<(String, Vec<String>)>;

fn rows(
    source: &Source,
    read: &source::Transaction,
    workload: &Workload,
) -> Result<(Vec<RowUse>, Names), WorkloadError> {
    let (mut rows, mut names) = (Vec::new(), Vec::new());
    for (name, row) in &read.rows {
        let from = data_set(source, workload, &row.from)?;
        let to = row.to.as_ref().map(|to| data_set(source, workload, to)).transpose()?;
        let columns = &workload.data[from].columns;
        if let (Some(to), Some(written)) = (to, &row.to)
            && workload.data[to].columns != *columns
        {
            let message = "the row cannot go there: the data set has other columns";
            return Err(source.error(&written.span(), message));
        }
        rows.push(RowUse { from, to });
        names.push((name.clone(), columns.clone()));
    }
    Ok((rows, names))
}

fn steps(
    source: &Source,
    step: &source::Step,
    scope: &mut Scope,
    workload: &mut Workload,
) -> Result<Step, WorkloadError> {
    let think = step.think.as_ref().map_or([0.0, 0.0], |think| *think.get_ref());
    if let Some(written) = &step.think
        && !(0.0 <= think[0] && think[0] <= think[1] && think[1] <= 3600.0)
    {
        let message = "a pause is [shortest, longest], in seconds, an hour at most";
        return Err(source.error(&written.span(), message));
    }
    if step.request.get_ref().is_empty() {
        return Err(source.error(&step.request.span(), "a step has at least one request"));
    }
    let mut new = Vec::new();
    let mut requests = Vec::new();
    for request in step.request.get_ref() {
        requests.push(request::compile(source, request, scope, &mut new, workload)?);
    }
    scope.variables.extend(new);
    Ok(Step { think: (think[0], think[1]), requests })
}

fn picks(
    source: &Source,
    read: &source::Transaction,
    workload: &Workload,
) -> Result<(Vec<String>, Vec<Pick>), WorkloadError> {
    let (mut names, mut picks) = (Vec::new(), Vec::new());
    for (name, pick) in &read.pick {
        let from = data_set(source, workload, &pick.from)?;
        let columns = &workload.data[from].columns;
        let column = columns.iter().position(|column| column == pick.column.get_ref());
        let column = column.ok_or_else(|| source.error(&pick.column.span(), "the data set has no such column"))?;
        let count = pick.count.get_ref().parse().ok().filter(|&count| count > 0);
        let count = count.ok_or_else(|| source.error(&pick.count.span(), "a number above 0, as a text"))?;
        let same = match pick.which.get_ref().as_str() {
            "same" => true,
            "new" => false,
            _ => {
                return Err(source.error(&pick.which.span(), "\"same\" rows each time, or \"new\" ones"));
            }
        };
        names.push(name.clone());
        picks.push(Pick { from, column, count, join: pick.join.clone(), same });
    }
    Ok((names, picks))
}
