//! A workload composed of others.

use super::super::{
    Origin, Transaction, Workload,
    place::{Source, WorkloadError},
    shipped, source,
};

/// Adds the shipped workloads that this one is composed of, with equal shares.
pub(super) fn add(source: &Source, read: &source::Source, workload: &mut Workload) -> Result<(), WorkloadError> {
    for name in &read.parts {
        let error = |message: String| source.error(&name.span(), message);
        let text = shipped::text(name.get_ref());
        let text = text.ok_or_else(|| error(format!("no workload {:?} is shipped", name.get_ref())))?;
        let part = super::parse(name.get_ref(), text)?;
        if part.protocol != workload.protocol {
            return Err(error(format!("{:?} speaks another protocol", name.get_ref())));
        }
        join(workload, part);
    }
    Ok(())
}

fn join(workload: &mut Workload, part: Workload) {
    let (data, kinds) = (workload.data.len(), workload.kinds.len());
    let all: f64 = part.transactions.iter().map(|t| t.share).sum();
    for mut set in part.data {
        if let Origin::Target(draw) = &mut set.from {
            draw.each = draw.each.map(|each| each + data);
        }
        set.name = format!("{}/{}", part.name, set.name);
        workload.data.push(set);
    }
    workload.kinds.extend(part.kinds);
    for mut transaction in part.transactions {
        transaction.share /= all;
        moved(&mut transaction, data, kinds);
        workload.transactions.push(transaction);
    }
}

/// Shifts the indexes of data sets and kinds.
fn moved(transaction: &mut Transaction, data: usize, kinds: usize) {
    for row in &mut transaction.rows {
        row.from += data;
        row.to = row.to.map(|to| to + data);
    }
    transaction.picks.iter_mut().for_each(|pick| pick.from += data);
    let requests = transaction.steps.iter_mut().flat_map(|step| &mut step.requests);
    requests.for_each(|request| request.kind += kinds);
}
