//! The messages of SIP2, and the fixed-length parts that each begins with.

macro_rules! kinds {
    ($( $(#[doc = $doc:literal])+ $name:ident = $code:literal $(-> $answer:ident)? [$($part:ident)*]; )+) => {
        /// The kind of a message.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind { $( $(#[doc = $doc])+ $name, )+ }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$name),+];

            /// The two digits a message of this kind begins with.
            pub fn code(self) -> &'static str {
                match self { $( Kind::$name => $code ),+ }
            }

            /// The fixed-length parts, in order.
            pub fn parts(self) -> &'static [Part] {
                match self { $( Kind::$name => &[$(Part::$part),*] ),+ }
            }

            /// The kind of the answer to a message that a terminal sends.
            pub fn answer(self) -> Option<Kind> {
                match self { $( Kind::$name => [$(Some(Kind::$answer),)? None][0] ),+ }
            }

            /// The kind of a message that begins with these bytes.
            pub fn of(code: &[u8]) -> Option<Kind> {
                $( if code == $code.as_bytes() { return Some(Kind::$name); } )+
                None
            }
        }
    };
}

kinds! {
    /// Blocks a patron's card.
    BlockPatron = "01" -> PatronStatusResponse [CardRetained Date];
    /// Checks in an item.
    CheckIn = "09" -> CheckInResponse [NoBlock Date ReturnDate];
    /// Answer to a check-in.
    CheckInResponse = "10" [Ok Resensitize MagneticMedia Alert Date];
    /// Checks out an item.
    CheckOut = "11" -> CheckOutResponse [RenewalPolicy NoBlock Date NoBlockDueDate];
    /// Answer to a check-out.
    CheckOutResponse = "12" [Ok RenewalOk MagneticMedia Desensitize Date];
    /// Places, changes or cancels a hold.
    Hold = "15" -> HoldResponse [HoldMode Date];
    /// Answer to a hold.
    HoldResponse = "16" [Ok Available Date];
    /// Asks about an item.
    ItemInformation = "17" -> ItemInformationResponse [Date];
    /// Answer with an item.
    ItemInformationResponse = "18" [CirculationStatus SecurityMarker FeeType Date];
    /// Reports the properties of an item.
    ItemStatusUpdate = "19" -> ItemStatusUpdateResponse [Date];
    /// Answer to an item status update.
    ItemStatusUpdateResponse = "20" [Ok Date];
    /// Asks whether a patron may use the terminal.
    PatronStatus = "23" -> PatronStatusResponse [Language Date];
    /// Answer with a patron's status.
    PatronStatusResponse = "24" [PatronStatus Language Date];
    /// Lifts the block of a patron.
    PatronEnable = "25" -> PatronEnableResponse [Date];
    /// Answer to lifting a block.
    PatronEnableResponse = "26" [PatronStatus Language Date];
    /// Renews a loan.
    Renew = "29" -> RenewResponse [ThirdPartyAllowed NoBlock Date NoBlockDueDate];
    /// Answer to a renewal.
    RenewResponse = "30" [Ok RenewalOk MagneticMedia Desensitize Date];
    /// Ends a patron's session.
    EndSession = "35" -> EndSessionResponse [Date];
    /// Answer to the end of a session.
    EndSessionResponse = "36" [SessionEnded Date];
    /// Reports a payment.
    FeePaid = "37" -> FeePaidResponse [Date PaidFeeType PaymentType Currency];
    /// Answer to a payment.
    FeePaidResponse = "38" [PaymentAccepted Date];
    /// Asks for everything about a patron.
    PatronInformation = "63" -> PatronInformationResponse [Language Date Summary];
    /// Answer with everything about a patron.
    PatronInformationResponse = "64" [PatronStatus Language Date HoldCount OverdueCount ChargedCount
        FineCount RecallCount UnavailableHoldCount];
    /// Renews all loans of a patron.
    RenewAll = "65" -> RenewAllResponse [Date];
    /// Answer to the renewal of all loans.
    RenewAllResponse = "66" [Ok RenewedCount UnrenewedCount Date];
    /// Signs the terminal in.
    Login = "93" -> LoginResponse [UserAlgorithm PasswordAlgorithm];
    /// Answer to a log-in.
    LoginResponse = "94" [Ok];
    /// The library system could not read a message and asks for it again.
    RequestTerminalResend = "96" [];
    /// The terminal could not read an answer and asks for it again.
    RequestResend = "97" [];
    /// What the library system supports.
    SystemStatus = "98" [Online CheckInOk CheckOutOk RenewalOkHere StatusUpdateOk OfflineOk Timeout
        Retries Date ProtocolVersion];
    /// The terminal's status.
    TerminalStatus = "99" -> SystemStatus [StatusCode PrintWidth ProtocolVersion];
}

macro_rules! parts {
    ($( $(#[doc = $doc:literal])+ $name:ident: $width:literal; )+) => {
        /// A fixed-length part at the beginning of a message.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Part { $( $(#[doc = $doc])+ $name, )+ }

        impl Part {
            /// Its width in characters.
            pub const fn width(self) -> usize {
                match self { $( Part::$name => $width ),+ }
            }
        }
    };
}

parts! {
    /// `1` if it was done, else `0`.
    Ok: 1;
    /// `Y` if a loan was renewed.
    RenewalOk: 1;
    /// `Y`, `N`, or `U` for unknown.
    MagneticMedia: 1;
    /// `Y` to deactivate the security tag.
    Desensitize: 1;
    /// `Y` to activate the security tag.
    Resensitize: 1;
    /// `Y` to set the item aside.
    Alert: 1;
    /// `Y` if an item for the hold is available.
    Available: 1;
    /// The time, by the sender's clock.
    Date: 18;
    /// When the item was returned.
    ReturnDate: 18;
    /// The due date that the terminal gave the patron while it was offline.
    NoBlockDueDate: 18;
    /// `Y` if the terminal kept the card.
    CardRetained: 1;
    /// `Y` if the transaction already happened offline and cannot be refused.
    NoBlock: 1;
    /// `Y` if a check-out may renew a loan.
    RenewalPolicy: 1;
    /// `Y` if third parties may renew a loan.
    ThirdPartyAllowed: 1;
    /// `+`, `-` or `*`.
    HoldMode: 1;
    /// Circulation status of an item: `03` available, …
    CirculationStatus: 2;
    /// Security marker of an item.
    SecurityMarker: 2;
    /// Fee type of borrowing an item.
    FeeType: 2;
    /// Language; `000` is unknown, `001` English.
    Language: 3;
    /// Fourteen flags, `Y` or blank.
    PatronStatus: 14;
    /// `Y` if the session has ended.
    SessionEnded: 1;
    /// Fee type of a payment.
    PaidFeeType: 2;
    /// `00` cash, `01` VISA, `02` credit card.
    PaymentType: 2;
    /// Currency, ISO 4217.
    Currency: 3;
    /// `Y` if a payment was accepted.
    PaymentAccepted: 1;
    /// Which list to include: a `Y` at its position.
    Summary: 10;
    /// Number of holds.
    HoldCount: 4;
    /// Number of overdue items.
    OverdueCount: 4;
    /// Number of charged items.
    ChargedCount: 4;
    /// Number of fees.
    FineCount: 4;
    /// Number of recalled items.
    RecallCount: 4;
    /// Number of holds that are not yet available.
    UnavailableHoldCount: 4;
    /// Number of renewed loans.
    RenewedCount: 4;
    /// Number of loans that were not renewed.
    UnrenewedCount: 4;
    /// How the user name is encrypted; `0` for plain text.
    UserAlgorithm: 1;
    /// How the password is encrypted; `0` for plain text.
    PasswordAlgorithm: 1;
    /// `Y` if the library system is on line.
    Online: 1;
    /// `Y` if the terminal may check items in.
    CheckInOk: 1;
    /// `Y` if the terminal may check items out.
    CheckOutOk: 1;
    /// `Y` if the terminal may renew loans.
    RenewalOkHere: 1;
    /// `Y` if the terminal may block patrons and update items.
    StatusUpdateOk: 1;
    /// `Y` if the terminal may work offline and send transactions later.
    OfflineOk: 1;
    /// The terminal's timeout for an answer, in tenths of a second.
    Timeout: 3;
    /// How often the terminal repeats a message.
    Retries: 3;
    /// Protocol version, `2.00`.
    ProtocolVersion: 4;
    /// `0` fine, `1` out of paper, `2` shutting down.
    StatusCode: 1;
    /// Width of the printer in characters.
    PrintWidth: 3;
}

impl Kind {
    /// Total width of the fixed-length parts.
    pub fn fixed_width(self) -> usize {
        self.parts().iter().map(|part| part.width()).sum()
    }
}
