//! Durations on the command line of the lab.

use std::time::Duration;

/// `90s`, `1.5m`, `16h`, `500ms`; a bare number means seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let unit = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err("a time has a unit: ms, s, m, h or d".to_owned()),
    };
    let seconds = number.trim().parse::<f64>().map_err(|_| "a time is a number with a unit: 90s".to_owned())? * unit;
    let sound = (0.0..=366.0 * 86400.0).contains(&seconds);
    if sound { Ok(Duration::from_secs_f64(seconds)) } else { Err("from 0 to a year".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, millis) in
            [("90s", 90_000), ("90", 90_000), ("1.5m", 90_000), ("16h", 57_600_000), ("500ms", 500), ("0", 0)]
        {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "5 years", "-1s", "1e99h", "nan"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
