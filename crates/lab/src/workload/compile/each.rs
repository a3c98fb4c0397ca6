//! A transaction repeated for each combination of some values.

use std::collections::BTreeMap;

use toml::Spanned;

use super::super::source::{Request, Transaction};

/// The transactions that this one stands for: itself, unless it has `each`.
pub(super) fn combination(transaction: &Transaction) -> Vec<Transaction> {
    let mut all = vec![BTreeMap::new()];
    for (name, values) in &transaction.each {
        let longer = all.iter().flat_map(|one: &BTreeMap<_, _>| {
            values.iter().map(move |value| {
                let mut one = one.clone();
                one.insert(format!("{{{{{name}}}}}"), value.clone());
                one
            })
        });
        all = longer.collect();
    }
    all.iter().map(|values| filled(transaction, values)).collect()
}

fn filled(transaction: &Transaction, values: &BTreeMap<String, String>) -> Transaction {
    let mut one = transaction.clone();
    fill(&mut one.name, values);
    for pick in one.pick.values_mut() {
        fill(&mut pick.count, values);
        fill(&mut pick.which, values);
    }
    let steps = one.step.get_mut().iter_mut();
    for request in steps.flat_map(|step| step.request.get_mut()) {
        fill_request(request, values);
    }
    one
}

fn fill_request(request: &mut Request, values: &BTreeMap<String, String>) {
    fill(&mut request.name, values);
    fill(&mut request.path, values);
    request.body.iter_mut().for_each(|body| fill(body, values));
}

fn fill(text: &mut Spanned<String>, values: &BTreeMap<String, String>) {
    let text = text.get_mut();
    for (name, value) in values {
        *text = text.replace(name, value);
    }
}
