//! Groups runs that repeat one another.

use crate::results::model::Results;

/// Repetitions of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The label of its runs, their commit, or the id of the only run.
    pub name: String,
    /// At least one.
    pub runs: Vec<Results>,
}

/// Groups runs with the same workload and the same label or, without a label, the same commit. Groups are ordered by
/// their first run. If that gives a single group, each run becomes its own group, since a comparison was requested.
pub fn groups(runs: Vec<Results>) -> Vec<Group> {
    let mut grouped: Vec<(Key, Group)> = Vec::new();
    for run in &runs {
        let key = key(run);
        match grouped.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.runs.push(run.clone()),
            None => grouped.push((key, alone(run.clone()))),
        }
    }
    if grouped.len() > 1 {
        return with_unique_names(grouped.into_iter().map(|(_, group)| group).collect());
    }
    let apart = runs.into_iter().map(|run| Group { name: run.run.id.clone(), runs: vec![run] });
    with_unique_names(apart.collect())
}

type Key = (String, String);

fn key(run: &Results) -> Key {
    (name(run), run.workload.name.clone())
}

fn alone(run: Results) -> Group {
    Group { name: name(&run), runs: vec![run] }
}

fn name(run: &Results) -> String {
    let commit = run.environment.commit.as_deref();
    let short = commit.map(|commit| commit.chars().take(10).collect());
    let label = run.run.label.clone().filter(|label| !label.is_empty());
    label.or(short).unwrap_or_else(|| run.run.id.clone())
}

/// Makes names unique: `before`, `before (2)`.
fn with_unique_names(mut groups: Vec<Group>) -> Vec<Group> {
    for at in 1..groups.len() {
        let (earlier, later) = groups.split_at_mut(at);
        let same = earlier.iter().filter(|group| group.name == later[0].name).count();
        if same > 0 {
            later[0].name = format!("{} ({})", later[0].name, same + 1);
        }
    }
    groups
}

impl Group {
    /// A group of one run with the given name.
    pub fn of(name: &str, run: Results) -> Self {
        Self { name: name.to_owned(), runs: vec![run] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::sample;

    fn run(id: &str, label: Option<&str>, commit: Option<&str>) -> Results {
        let mut results = sample::results();
        results.run.id = id.to_owned();
        results.run.label = label.map(str::to_owned);
        results.environment.commit = commit.map(str::to_owned);
        results
    }

    fn names(runs: Vec<Results>) -> Vec<(String, usize)> {
        groups(runs).into_iter().map(|group| (group.name, group.runs.len())).collect()
    }

    fn named(groups: &[(&str, usize)]) -> Vec<(String, usize)> {
        groups.iter().map(|(name, runs)| ((*name).to_owned(), *runs)).collect()
    }

    #[test]
    fn labels_come_before_commits() {
        let runs = vec![
            run("1", Some("before"), Some("aaaaaaaaaaaaaaaa")),
            run("2", None, Some("bbbbbbbbbbbbbbbb")),
            run("3", Some("before"), Some("cccccccccccccccc")),
            run("4", None, Some("bbbbbbbbbbbbbbbb")),
            run("5", None, None),
        ];
        assert_eq!(names(runs), named(&[("before", 2), ("bbbbbbbbbb", 2), ("5", 1)]));
    }

    #[test]
    fn compared_runs_of_one_commit_stay_separate() {
        let runs = vec![run("1", None, Some("aaaaaaaaaaaaaaaa")), run("2", None, Some("aaaaaaaaaaaaaaaa"))];
        assert_eq!(names(runs), named(&[("1", 1), ("2", 1)]));
        let twice = vec![run("1", None, None), run("1", None, None)];
        assert_eq!(names(twice), named(&[("1", 1), ("1 (2)", 1)]));
    }

    #[test]
    fn other_work_is_no_repetition() {
        let mut other = run("2", Some("x"), None);
        other.workload.name = "smoke".to_owned();
        assert_eq!(names(vec![run("1", Some("x"), None), other]), named(&[("x", 1), ("x (2)", 1)]));
    }
}
