//! Formats numbers for people: `1,234.5`, `+12 %`, `1.5 GB`, `2 h 5 min`.

/// With `decimals` digits after the point and commas between thousands.
pub fn number(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let sign = if value < 0.0 && plain.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// A whole number with commas between thousands.
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

fn grouped(digits: &str) -> String {
    let first = digits.len() % 3;
    let mut groups: Vec<&str> = Vec::new();
    if first > 0 {
        groups.push(&digits[..first]);
    }
    let rest = digits.as_bytes()[first..].chunks(3);
    groups.extend(rest.filter_map(|group| std::str::from_utf8(group).ok()));
    groups.join(",")
}

/// Milliseconds, with only meaningful decimals.
pub fn millis(value: f64) -> String {
    let decimals = match value.abs() {
        at if at < 1.0 => 2,
        at if at < 100.0 => 1,
        _ => 0,
    };
    number(value, decimals)
}

/// A latency in a sentence: `12.5 ms`, `3.40 s`.
pub fn latency(millis: f64) -> String {
    if millis < 1000.0 { format!("{} ms", self::millis(millis)) } else { format!("{} s", number(millis / 1000.0, 2)) }
}

/// A share, 0 to 1: `12 %`, `0.4 %`.
pub fn share(value: f64) -> String {
    let percent = value * 100.0;
    let decimals = match percent.abs() {
        at if at >= 10.0 || (at - at.round()).abs() < 1e-9 => 0,
        at if at >= 0.1 => 1,
        _ => 3,
    };
    format!("{} %", number(percent, decimals))
}

/// A change by this factor: `+12 %`, `−3.4 %`, `×12`.
pub fn change(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    match percent {
        _ if !ratio.is_finite() => "—".to_owned(),
        at if at >= 1000.0 => format!("×{}", number(ratio, 0)),
        at if at.abs() < 0.05 => "0 %".to_owned(),
        at => {
            let sign = if at > 0.0 { "+" } else { "" };
            let decimals = usize::from(at.abs() < 10.0);
            format!("{sign}{} %", number(at, decimals))
        }
    }
}

/// Bytes: `1.5 GB` (of 10⁹).
pub fn bytes(value: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = value;
    let mut unit = 0;
    while value.abs() >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    let decimals = usize::from(unit > 0 && value.abs() < 100.0);
    format!("{} {}", number(value, decimals), units[unit])
}

/// An elapsed time: `45 s`, `10 min`, `16 h 5 min`.
pub fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        let decimals = usize::from(seconds < 10.0 && seconds.fract() > 0.05);
        return format!("{} s", number(seconds, decimals));
    }
    let minutes = (seconds / 60.0).round() as u64;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{} h", count(hours)),
        (hours, minutes) => format!("{} h {minutes} min", count(hours)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_people() {
        let written = [
            number(1_234_567.891, 1),
            number(-0.04, 1),
            number(-12.0, 0),
            count(999),
            count(100_000),
            millis(0.123),
            millis(12.34),
            millis(1234.5),
            latency(999.0),
            latency(3400.0),
            share(0.0),
            share(0.004),
            share(0.5),
            change(1.2),
            change(0.966),
            change(1.0001),
            change(12.0),
            change(f64::NAN),
            bytes(999.0),
            bytes(1.5e9),
            bytes(250e6),
            duration(4.5),
            duration(90.0),
            duration(600.0),
            duration(57_900.0),
            duration(57_600.0),
        ];
        assert_eq!(
            written.join("|"),
            "1,234,567.9|0.0|−12|999|100,000|0.12|12.3|1,234|999 ms|3.40 s|0 %|0.4 %|50 %|+20 %|−3.4 %|0 %|×12|—|999 B|\
             1.5 GB|250 MB|4.5 s|90 s|10 min|16 h 5 min|16 h"
        );
    }
}
