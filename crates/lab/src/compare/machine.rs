//! Differences between the conditions of the compared runs, which may explain a difference in the figures.

use std::collections::BTreeSet;

use super::Group;
use crate::{document::number, results::model::Results};

/// One warning per difference.
pub fn differences(groups: &[Group]) -> Vec<String> {
    let facts: [(&str, Fact); 15] = [
        ("the workload", |run| some(&run.workload.name)),
        ("the workload's file", |run| Some(run.workload.sha256.chars().take(10).collect())),
        ("how the load came", |run| Some(format!("{:?}", run.workload.arrivals).to_lowercase())),
        ("think time", |run| Some(if run.workload.think_time { "on" } else { "off" }.to_owned())),
        ("the seconds of a stage", |run| Some(number::duration(run.workload.stage_seconds))),
        ("how latency was counted", |run| run.stages.first().map(|stage| method(&stage.correction))),
        ("the version of the lab", |run| some(&run.run.lab)),
        ("the product", |run| run.target.product.clone()),
        ("the volume of data", volume),
        ("the processor", |run| run.environment.cpu.clone()),
        ("the number of processors", |run| run.environment.cores.map(|cores| cores.to_string())),
        ("the memory", |run| run.environment.memory_bytes.map(|bytes| number::bytes(bytes as f64))),
        ("the operating system", |run| run.environment.system.clone()),
        ("where the generator ran", |run| {
            let same = run.environment.same_machine;
            Some(if same { "on the server's machine" } else { "on another machine" }.to_owned())
        }),
        ("an early end", |run| run.run.cut_short.clone()),
    ];
    let facts = facts.iter().filter_map(|(what, fact)| difference(groups, what, *fact));
    facts.chain(settings(groups)).collect()
}

type Fact = fn(&Results) -> Option<String>;

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn method(correction: &crate::results::model::Correction) -> String {
    use crate::results::model::Correction;
    match correction {
        Correction::IntendedStart => "from the intended start",
        Correction::ExpectedInterval { .. } => "with the requests that a stall kept from being sent",
        Correction::AsRecorded => "as another tool recorded it",
    }
    .to_owned()
}

/// Runs add records, so only a change in the first two digits counts.
fn volume(run: &Results) -> Option<String> {
    let kinds = run.target.records.iter().filter(|(kind, _)| !kind.contains("loan"));
    let counts: Vec<String> = kinds.map(|(kind, count)| format!("{} {kind}", number::count(rounded(*count)))).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

/// Rounds to two digits.
fn rounded(count: u64) -> u64 {
    let unit = 10_u64.pow(count.max(1).ilog10().saturating_sub(1));
    (count + unit / 2) / unit * unit
}

fn difference(groups: &[Group], what: &str, fact: impl Fn(&Results) -> Option<String>) -> Option<String> {
    let known = |run: &Results| fact(run).unwrap_or_else(|| "not known".to_owned());
    let known = |group: &Group| group.runs.iter().map(known).collect::<BTreeSet<String>>();
    let sets: Vec<BTreeSet<String>> = groups.iter().map(known).collect();
    let same = sets.iter().all(|set| set.len() == 1 && *set == sets[0]);
    if same {
        return None;
    }
    let groups = groups.iter().zip(sets).map(|(group, set)| {
        let values: Vec<String> = set.into_iter().collect();
        format!("{} ({})", values.join(" and "), group.name)
    });
    Some(format!("Not the same: {what}: {}.", groups.collect::<Vec<_>>().join("; ")))
}

/// Differences in PostgreSQL's settings.
fn settings(groups: &[Group]) -> Vec<String> {
    let runs = || groups.iter().flat_map(|group| &group.runs);
    let names: BTreeSet<&String> = runs().flat_map(|run| run.environment.postgres.keys()).collect();
    let setting = |name: &&String| {
        let name = *name;
        difference(groups, &format!("PostgreSQL's {name}"), |run| run.environment.postgres.get(name).cloned())
    };
    names.iter().filter_map(setting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::sample;

    fn differing(change: impl Fn(&mut Results)) -> Vec<String> {
        let mut other = sample::results();
        change(&mut other);
        differences(&[Group::of("a", sample::results()), Group::of("b", other)])
    }

    #[test]
    fn the_same_machine_and_work_need_no_warning() {
        assert_eq!(differing(|_| ()), Vec::<String>::new());
        assert_eq!(differing(|run| run.environment.commit = Some("abc".to_owned())), Vec::<String>::new());
        let grown = differing(|run| {
            run.target.records.insert("items".to_owned(), 8_010);
            run.target.records.insert("open loans".to_owned(), 512);
        });
        assert_eq!(grown, Vec::<String>::new());
    }

    #[test]
    fn each_difference_is_a_sentence() {
        let warnings = differing(|run| run.environment.cores = Some(8));
        assert_eq!(warnings, ["Not the same: the number of processors: not known (a); 8 (b)."]);
        let warnings = differing(|run| {
            run.environment.postgres.insert("shared_buffers".to_owned(), "1GB".to_owned());
            run.workload.think_time = true;
            run.target.records.insert("items".to_owned(), 100_000);
        });
        assert_eq!(
            warnings,
            [
                "Not the same: think time: off (a); on (b).",
                "Not the same: the volume of data: 8,000 items (a); 100,000 items (b).",
                "Not the same: PostgreSQL's shared_buffers: not known (a); 1GB (b).",
            ]
        );
    }

    #[test]
    fn repetitions_differ_among_themselves_too() {
        let mut other = sample::results();
        other.environment.cores = Some(2);
        let group = Group { name: "a".to_owned(), runs: vec![sample::results(), other] };
        let warnings = differences(&[group.clone(), group]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }
}
