//! Into which bin a sorting machine puts a returned item.

use std::collections::HashMap;

/// What decides the bin of a returned item.
#[derive(Debug, Clone, Copy, Default)]
pub struct Returned<'r> {
    /// Held for a patron.
    pub on_hold: bool,
    /// In transit to another service point.
    pub in_transit: bool,
    /// Name of the service point it goes to or waits at.
    pub destination: Option<&'r str>,
    /// Name of its location.
    pub location: Option<&'r str>,
}

/// The bin by the library's setting `sortBins`. Its keys, the first that is set wins: `onHold` for items held here; the
/// name of a service point or `inTransit` for items sent there; the name of the item's location; `other`.
pub fn bin<'b>(bins: &'b HashMap<String, String>, item: Returned<'_>) -> Option<&'b str> {
    let names = match (item.in_transit, item.on_hold) {
        (true, _) => [item.destination, Some("inTransit"), Some("other")],
        (false, true) => [Some("onHold"), item.destination, Some("other")],
        (false, false) => [item.location, Some("other"), None],
    };
    let mut names = names.into_iter().flatten();
    names.find_map(|name| bins.get(name)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bin_that_is_set_counts() {
        let set = |bins: &[(&str, &str)]| -> HashMap<String, String> {
            let bins = bins.iter();
            bins.map(|(name, bin)| ((*name).to_owned(), (*bin).to_owned())).collect()
        };
        let all = [("onHold", "1"), ("Branch", "2"), ("inTransit", "3"), ("Stacks", "4"), ("other", "9")];
        let few = [("inTransit", "3")];
        let item = |on_hold, in_transit, destination, location| Returned { on_hold, in_transit, destination, location };
        for (bins, item, bin_of) in [
            (&all[..], item(true, false, Some("Desk"), Some("Stacks")), Some("1")),
            (&all, item(true, true, Some("Branch"), Some("Stacks")), Some("2")),
            (&all, item(false, true, Some("Branch"), None), Some("2")),
            (&all, item(false, true, Some("Annex"), Some("Stacks")), Some("3")),
            (&all, item(false, false, None, Some("Stacks")), Some("4")),
            (&all, item(false, false, None, Some("Cellar")), Some("9")),
            (&few, item(true, false, Some("Desk"), Some("Stacks")), None),
            (&few, item(false, false, None, Some("Stacks")), None),
            (&[], item(false, true, Some("Branch"), None), None),
        ] {
            assert_eq!(bin(&set(bins), item), bin_of, "{item:?}");
        }
    }
}
