//! Where holdings and items really belong (docs/folio/inventory.md#effective-location).

/// The temporary location, else the permanent one.
pub(crate) fn of_holdings<T>(temporary: Option<T>, permanent: T) -> T {
    temporary.unwrap_or(permanent)
}

/// The item's own temporary location, else its own permanent one, else that of its holdings.
pub fn of_item<T>(item_temporary: Option<T>, item_permanent: Option<T>, holdings_effective: T) -> T {
    item_temporary.or(item_permanent).unwrap_or(holdings_effective)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_location_wins() {
        // item temporary, item permanent, holdings temporary, holdings permanent → effective
        let table = [
            (Some("it"), Some("ip"), Some("ht"), "hp", "it"),
            (None, Some("ip"), Some("ht"), "hp", "ip"),
            (None, None, Some("ht"), "hp", "ht"),
            (None, None, None, "hp", "hp"),
            (Some("it"), None, None, "hp", "it"),
        ];
        for (item_temporary, item_permanent, holdings_temporary, holdings_permanent, expected) in table {
            let holdings = of_holdings(holdings_temporary, holdings_permanent);
            assert_eq!(of_item(item_temporary, item_permanent, holdings), expected);
        }
    }
}
