//! Which messages there are, and the parts of fixed length that each begins with.

macro_rules! kinds {
    ($( $(#[doc = $doc:literal])+ $name:ident = $code:literal [$($part:ident)*]; )+) => {
        /// What a message is for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind { $( $(#[doc = $doc])+ $name, )+ }

        impl Kind {
            /// Every kind.
            pub const ALL: &[Kind] = &[$(Kind::$name),+];

            /// The two digits a message of this kind begins with.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $( Kind::$name => $code ),+ }
            }

            /// The parts of fixed length, in order.
            #[must_use]
            pub fn parts(self) -> &'static [Part] {
                match self { $( Kind::$name => &[$(Part::$part),*] ),+ }
            }

            /// The kind of a message that begins so.
            #[must_use]
            pub fn of(code: &[u8]) -> Option<Kind> {
                $( if code == $code.as_bytes() { return Some(Kind::$name); } )+
                None
            }
        }
    };
}

kinds! {
    /// A patron's card is to be blocked.
    BlockPatron = "01" [CardRetained Date];
    /// An item is brought back.
    CheckIn = "09" [NoBlock Date ReturnDate];
    /// Answer to a check-in.
    CheckInResponse = "10" [Ok Resensitize MagneticMedia Alert Date];
    /// An item is borrowed.
    CheckOut = "11" [RenewalPolicy NoBlock Date NoBlockDueDate];
    /// Answer to a check-out.
    CheckOutResponse = "12" [Ok RenewalOk MagneticMedia Desensitize Date];
    /// A hold is placed, changed or taken away.
    Hold = "15" [HoldMode Date];
    /// Answer to a hold.
    HoldResponse = "16" [Ok Available Date];
    /// What is known of an item?
    ItemInformation = "17" [Date];
    /// Answer about an item.
    ItemInformationResponse = "18" [CirculationStatus SecurityMarker FeeType Date];
    /// The terminal tells the properties of an item.
    ItemStatusUpdate = "19" [Date];
    /// Answer to the properties of an item.
    ItemStatusUpdateResponse = "20" [Ok Date];
    /// May a patron use the terminal?
    PatronStatus = "23" [Language Date];
    /// Answer about a patron.
    PatronStatusResponse = "24" [PatronStatus Language Date];
    /// A blocked patron may use the library again.
    PatronEnable = "25" [Date];
    /// Answer to the lifting of a block.
    PatronEnableResponse = "26" [PatronStatus Language Date];
    /// A loan is prolonged.
    Renew = "29" [ThirdPartyAllowed NoBlock Date NoBlockDueDate];
    /// Answer to a renewal.
    RenewResponse = "30" [Ok RenewalOk MagneticMedia Desensitize Date];
    /// A patron has finished.
    EndSession = "35" [Date];
    /// Answer to the end of a session.
    EndSessionResponse = "36" [SessionEnded Date];
    /// A patron has paid.
    FeePaid = "37" [Date PaidFeeType PaymentType Currency];
    /// Answer to a payment.
    FeePaidResponse = "38" [PaymentAccepted Date];
    /// Everything about a patron?
    PatronInformation = "63" [Language Date Summary];
    /// Answer with everything about a patron.
    PatronInformationResponse = "64" [PatronStatus Language Date HoldCount OverdueCount ChargedCount
        FineCount RecallCount UnavailableHoldCount];
    /// All loans of a patron are prolonged.
    RenewAll = "65" [Date];
    /// Answer to the renewal of all loans.
    RenewAllResponse = "66" [Ok RenewedCount UnrenewedCount Date];
    /// The terminal signs in.
    Login = "93" [UserAlgorithm PasswordAlgorithm];
    /// Answer to a log-in.
    LoginResponse = "94" [Ok];
    /// The library system could not read a message and asks for it once more.
    RequestTerminalResend = "96" [];
    /// The terminal could not read an answer and asks for it once more.
    RequestResend = "97" [];
    /// What the library system can do.
    SystemStatus = "98" [Online CheckInOk CheckOutOk RenewalOkHere StatusUpdateOk OfflineOk Timeout
        Retries Date ProtocolVersion];
    /// How the terminal is.
    TerminalStatus = "99" [StatusCode PrintWidth ProtocolVersion];
}

macro_rules! parts {
    ($( $(#[doc = $doc:literal])+ $name:ident: $width:literal; )+) => {
        /// A part of fixed length at the beginning of a message.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Part { $( $(#[doc = $doc])+ $name, )+ }

        impl Part {
            /// How many characters it has.
            #[must_use]
            pub const fn width(self) -> usize {
                match self { $( Part::$name => $width ),+ }
            }
        }
    };
}

parts! {
    /// `1` when it was done, else `0`.
    Ok: 1;
    /// `Y` when a loan was prolonged.
    RenewalOk: 1;
    /// `Y`, `N`, or `U` for unknown.
    MagneticMedia: 1;
    /// `Y` when the security tag is to be switched off.
    Desensitize: 1;
    /// `Y` when the security tag is to be switched on.
    Resensitize: 1;
    /// `Y` when the item is to be set aside.
    Alert: 1;
    /// `Y` when an item for a hold is at hand.
    Available: 1;
    /// When, by the clock of who speaks.
    Date: 18;
    /// When the item was brought back.
    ReturnDate: 18;
    /// The due date the terminal told a patron while it was off line.
    NoBlockDueDate: 18;
    /// `Y` when the card was kept.
    CardRetained: 1;
    /// `Y` when the patron has the item already and it cannot be refused.
    NoBlock: 1;
    /// `Y` when a check-out may prolong a loan.
    RenewalPolicy: 1;
    /// `Y` when others may prolong a loan.
    ThirdPartyAllowed: 1;
    /// `+`, `-` or `*`.
    HoldMode: 1;
    /// Where an item is: `03` available, …
    CirculationStatus: 2;
    /// How an item is secured.
    SecurityMarker: 2;
    /// What kind of fee borrowing it costs.
    FeeType: 2;
    /// Language; `000` is unknown, `001` English.
    Language: 3;
    /// Fourteen flags, `Y` or blank.
    PatronStatus: 14;
    /// `Y` when the session has ended.
    SessionEnded: 1;
    /// What kind of fee is paid.
    PaidFeeType: 2;
    /// `00` cash, `01` VISA, `02` credit card.
    PaymentType: 2;
    /// Currency, ISO 4217.
    Currency: 3;
    /// `Y` when a payment was taken.
    PaymentAccepted: 1;
    /// Which list is asked for: a `Y` at its place.
    Summary: 10;
    /// Holds.
    HoldCount: 4;
    /// Overdue items.
    OverdueCount: 4;
    /// Charged items.
    ChargedCount: 4;
    /// Fees.
    FineCount: 4;
    /// Recalled items.
    RecallCount: 4;
    /// Holds that are not there yet.
    UnavailableHoldCount: 4;
    /// Loans that were prolonged.
    RenewedCount: 4;
    /// Loans that were not.
    UnrenewedCount: 4;
    /// How the user name is encrypted; `0` not.
    UserAlgorithm: 1;
    /// How the password is encrypted; `0` not.
    PasswordAlgorithm: 1;
    /// `Y` when the library system works.
    Online: 1;
    /// `Y` when the terminal may take items back.
    CheckInOk: 1;
    /// `Y` when the terminal may lend.
    CheckOutOk: 1;
    /// `Y` when the terminal may prolong loans.
    RenewalOkHere: 1;
    /// `Y` when the terminal may block patrons and change items.
    StatusUpdateOk: 1;
    /// `Y` when transactions may be sent later.
    OfflineOk: 1;
    /// Tenths of a second until the terminal gives up on an answer.
    Timeout: 3;
    /// How often the terminal sends a message again.
    Retries: 3;
    /// `2.00`.
    ProtocolVersion: 4;
    /// `0` fine, `1` out of paper, `2` shutting down.
    StatusCode: 1;
    /// Width of the printer.
    PrintWidth: 3;
}

impl Kind {
    /// How many characters the parts of fixed length have.
    #[must_use]
    pub fn fixed_width(self) -> usize {
        self.parts().iter().map(|part| part.width()).sum()
    }
}
