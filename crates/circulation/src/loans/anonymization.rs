//! Anonymization of loans and requests by the library's settings (docs/folio/anonymization.md#by-the-settings).
//!
//! This module reads the settings. Which loans are due by them is decided in SQL:
//! `store/sql/replaceable/set_rules/anonymizing.sql`, used by `desk/src/loans/anonymizing.rs`.

use jiff::{Span, Timestamp, tz::TimeZone};
use refusals::Wording;
use serde_json::{Value, json};

use crate::{dates::stored, records::RequestStatus};

refusals::table! {
    /// A closed loan or request that a client anonymizes, through circulation's storage.
    pub STORED: Storage, "docs/folio/anonymization.md#by-a-client";
    INVALID_USER_ID: "The id of the user is not a UUID." => 422 "Invalid user ID, should be a UUID" [userId];
    NO_VALID_LOAN_IDS: "None of the listed ids is a UUID." => 422 "Please provide valid loanIds" [loanIds];
}

refusals::table! {
    /// A closed request that a client anonymizes.
    pub REQUESTS: Circulation, "docs/folio/anonymization.md#requests";
    INVALID_REQUEST_ID: "The id of the request is not a UUID." => 422 "invalidRequestId" [requestId];
    REQUEST_NOT_CLOSED: "The request is open." => 422 "requestNotClosed" [requestId];
    REQUEST_NOT_ELIGIBLE: "The request awaits delivery, the one open status that FOLIO leaves out."
        => 422 "requestNotEligibleForAnonymization" [requestId];
}

/// Refuses to anonymize a request with an open status.
pub fn refuse_open_request(status: &str) -> Result<(), &'static Wording> {
    match RequestStatus::from_name(status) {
        Some(RequestStatus::AwaitingDelivery) => Err(REQUEST_NOT_ELIGIBLE),
        Some(status) if !status.is_open() => Ok(()),
        _ => Err(REQUEST_NOT_CLOSED),
    }
}

/// Upper limit for a period, which in practice never ends and which the database can still handle.
const LONGEST: i64 = 1_000_000;

/// When to anonymize something that has closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forgetting {
    /// As soon as it closes.
    Immediately,
    /// After this period; `None`, for a setting without a valid period, never ends.
    After(Option<Period>),
    /// Never.
    Never,
    /// The setting has no known value; treated as never.
    Unknown,
}

/// A period of time. Months are calendar months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    duration: i64,
    unit: &'static str,
}

impl Period {
    /// Reads a duration and an interval such as `Weeks`; unknown intervals count as minutes, as in FOLIO.
    fn read(duration: Option<i64>, interval: Option<&str>) -> Option<Self> {
        let unit = match interval? {
            "Months" => "months",
            "Weeks" => "weeks",
            "Days" => "days",
            "Hours" => "hours",
            _ => "minutes",
        };
        let duration = duration.filter(|duration| duration.abs() <= LONGEST)?;
        Some(Self { duration, unit })
    }

    /// The period as a PostgreSQL interval: `3 weeks`.
    fn in_sql(self) -> String {
        format!("{} {}", self.duration, self.unit)
    }

    /// A bound: nothing that closed after it can have completed this period by now. Allows three days for months of
    /// different lengths.
    fn latest_before(self, now: Timestamp) -> Option<Timestamp> {
        let span = match self.unit {
            "months" => Span::new().try_months(self.duration).ok()?.try_days(-4).ok(),
            "weeks" => Span::new().try_weeks(self.duration).ok(),
            "days" => Span::new().try_days(self.duration).ok(),
            "hours" => Span::new().try_hours(self.duration).ok(),
            _ => Span::new().try_minutes(self.duration).ok(),
        }?;
        let then = now.to_zoned(TimeZone::UTC).checked_sub(span).ok()?;
        Some(then.timestamp())
    }
}

impl Forgetting {
    fn read(setting: &Value, what: &str) -> Self {
        match setting["closingType"][what].as_str() {
            Some("immediately") => Self::Immediately,
            Some("interval") => {
                let duration = setting[what]["duration"].as_i64();
                Self::After(Period::read(duration, setting[what]["intervalId"].as_str()))
            }
            Some("never") => Self::Never,
            _ => Self::Unknown,
        }
    }

    fn in_sql(self) -> Value {
        match self {
            Self::Immediately => json!({"when": "immediately"}),
            Self::After(period) => {
                json!({"when": "interval", "period": period.map(Period::in_sql)})
            }
            Self::Never | Self::Unknown => json!({"when": "never"}),
        }
    }

    fn never_comes(self) -> bool {
        matches!(self, Self::Never | Self::Unknown | Self::After(None))
    }
}

/// The setting `loan_history`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoanHistory {
    /// For closed loans.
    loans: Forgetting,
    /// For closed loans with fees or fines; `None` if the library treats them like the others.
    with_fees: Option<Forgetting>,
}

impl LoanHistory {
    /// Reads the value of the setting; missing or unreadable parts mean never.
    pub fn read(setting: &Value) -> Self {
        let differently = setting["treatEnabled"].as_bool() == Some(true);
        Self {
            loans: Forgetting::read(setting, "loan"),
            with_fees: differently.then(|| Forgetting::read(setting, "feeFine")),
        }
    }

    /// Whether the library has chosen never to anonymize, so that the job can skip it.
    pub fn is_off(&self) -> bool {
        self.loans == Forgetting::Never && self.with_fees.is_none()
    }

    /// Whether no loan can ever be anonymized.
    pub fn never_comes(&self) -> bool {
        self.loans.never_comes() && self.with_fees.is_none_or(Forgetting::never_comes)
    }

    /// The rules in the form that the database statement takes.
    pub fn rules(&self) -> Value {
        let mut rules = json!({"loans": self.loans.in_sql()});
        if let Some(with_fees) = self.with_fees {
            rules["withFees"] = with_fees.in_sql();
        }
        rules
    }

    /// The stored form of a return date from which on no loan needs checking, because all such loans must keep their
    /// borrower; `None` if any loan may be due.
    pub fn nothing_from(&self, now: Timestamp) -> Option<String> {
        let Forgetting::After(Some(period)) = self.loans else {
            return None;
        };
        if !self.with_fees.is_none_or(Forgetting::never_comes) {
            return None;
        }
        Some(stored(period.latest_before(now)?).to_string())
    }
}

/// Reads the setting `requestAnonymization` as a PostgreSQL interval; `None` means never.
pub fn request_delay(setting: &Value) -> Option<String> {
    let lower = |name: &str| setting[name].as_str().unwrap_or_default().to_lowercase();
    match lower("mode").as_str() {
        "immediately" => Some("0 hours".into()),
        "delayed" => {
            let unit = match lower("delayUnit").trim_end_matches("(s)").trim_end_matches('s') {
                "minute" => "minutes",
                "day" => "days",
                "month" => "months",
                "year" => "years",
                _ => "hours",
            };
            let delay = setting["delay"].as_i64().unwrap_or(0).clamp(0, LONGEST);
            // Limits the delay to two thousand years.
            Some(format!("{} {unit}", if unit == "years" { delay.min(2_000) } else { delay.min(24_000) }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    #[test]
    fn a_setting_is_read_as_folio_reads_it() {
        let never = json!({"when": "never"});
        for (setting, rules) in [
            (json!({}), json!({"loans": never})),
            (json!({"closingType": {"loan": "never"}}), json!({"loans": never})),
            (json!({"closingType": {"loan": "Immediately"}}), json!({"loans": never})),
            (
                json!({"closingType": {"loan": "immediately"}, "treatEnabled": false}),
                json!({"loans": {"when": "immediately"}}),
            ),
            (
                json!({"closingType": {"loan": "interval", "feeFine": "immediately"}, "treatEnabled": true,
                    "loan": {"duration": 3, "intervalId": "Weeks"}}),
                json!({"loans": {"when": "interval", "period": "3 weeks"}, "withFees": {"when": "immediately"}}),
            ),
            (
                json!({"closingType": {"loan": "interval", "feeFine": "interval"}, "treatEnabled": true,
                    "loan": {"duration": 1, "intervalId": "minute"}, "feeFine": {"duration": 2, "intervalId": "Months"}}),
                json!({"loans": {"when": "interval", "period": "1 minutes"},
                    "withFees": {"when": "interval", "period": "2 months"}}),
            ),
            (
                json!({"closingType": {"loan": "interval"}, "loan": {"intervalId": "Days"}}),
                json!({"loans": {"when": "interval", "period": null}}),
            ),
            (
                json!({"closingType": {"loan": "interval"}, "loan": {"duration": 9_000_000_000i64, "intervalId": "Days"}}),
                json!({"loans": {"when": "interval", "period": null}}),
            ),
        ] {
            assert_eq!(LoanHistory::read(&setting).rules(), rules, "{setting}");
        }
    }

    #[test]
    fn a_library_that_never_forgets_is_left_alone() {
        let of = |loan: &str, fees: Option<&str>| {
            let setting = json!({"closingType": {"loan": loan, "feeFine": fees}, "treatEnabled": fees.is_some()});
            let history = LoanHistory::read(&setting);
            (history.is_off(), history.never_comes())
        };
        assert_eq!(of("never", None), (true, true));
        assert_eq!(of("never", Some("never")), (false, true));
        assert_eq!(of("never", Some("immediately")), (false, false));
        assert_eq!(of("whenever", None), (false, true));
        assert_eq!(of("immediately", None), (false, false));
    }

    #[test]
    fn loans_returned_lately_need_not_be_looked_at() {
        let now = at("2026-03-01T12:00:00Z");
        let of = |setting: Value| LoanHistory::read(&setting).nothing_from(now);
        let interval = |unit: &str, fees: &str| {
            json!({"closingType": {"loan": "interval", "feeFine": fees}, "treatEnabled": true,
                "loan": {"duration": 1, "intervalId": unit}})
        };
        assert_eq!(of(interval("Days", "never")).as_deref(), Some("2026-02-28T12:00:00.000+00:00"));
        // A month after a return on 31 January ends on 28 February.
        let months = of(interval("Months", "never")).expect("a bound");
        assert!(months.as_str() > "2026-01-31T12:00:00.000+00:00", "{months}");
        assert_eq!(of(interval("Days", "immediately")), None);
        assert_eq!(of(json!({"closingType": {"loan": "immediately"}})), None);
    }

    #[test]
    fn requests_are_forgotten_at_once_later_or_never() {
        for (setting, delay) in [
            (json!({}), None),
            (json!({"mode": "never", "delay": 1}), None),
            (json!({"mode": "IMMEDIATELY", "delay": 7}), Some("0 hours")),
            (json!({"mode": "delayed", "delay": 2, "delayUnit": "days"}), Some("2 days")),
            (json!({"mode": "delayed", "delay": 2, "delayUnit": "Month(s)"}), Some("2 months")),
            (json!({"mode": "delayed", "delay": -2, "delayUnit": "fortnights"}), Some("0 hours")),
            (json!({"mode": "delayed", "delay": i64::MAX, "delayUnit": "years"}), Some("2000 years")),
        ] {
            assert_eq!(request_delay(&setting).as_deref(), delay, "{setting}");
        }
    }
}
