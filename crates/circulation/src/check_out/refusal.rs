//! Everything that speaks against a loan, in FOLIO's words (docs/folio/check-out.md#checks).

use uuid::Uuid;

use super::CheckOutCommand;
use crate::{blocks::BlockKind, due_dates::NoDueDate, refusal::Told, rules::AppliedRuleConditions};

/// A reason not to lend an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutRefusal {
    /// Nobody says where.
    NoServicePoint,
    /// No patron has that barcode.
    PatronNotFound,
    /// Staff have blocked the patron, with the reasons.
    BlockedManually(String),
    /// A condition blocks the patron, with its message.
    BlockedAutomatically(String),
    /// No proxy has that barcode.
    ProxyNotFound,
    /// The patron may not use the library.
    PatronInactive,
    /// The record of the patron does not say.
    PatronStatusUnknown,
    /// The proxy may not use the library.
    ProxyInactive,
    /// The record of the proxy does not say.
    ProxyStatusUnknown,
    /// Patron and proxy are the same, with that id.
    ProxyForThemselves(Uuid),
    /// The patron gave the proxy no leave.
    ProxyNotAllowed,
    /// No item has that barcode.
    ItemNotFound,
    /// The item is out.
    AlreadyCheckedOut,
    /// The item is lost, claimed returned, or stands for others.
    StatusForbids {
        /// Title of the item.
        title: String,
        /// Name of its material type.
        material_type: String,
        /// Its barcode.
        barcode: String,
        /// Its status.
        status: String,
    },
    /// The item has an open loan.
    HasOpenLoan,
    /// Somebody else waits for the item.
    RequestedByAnotherPatron {
        /// Title of the item.
        title: String,
        /// Its barcode.
        barcode: String,
        /// Name of the patron at the desk.
        patron: String,
    },
    /// The patron has as many items of the kind as the policy allows.
    ItemLimit {
        /// How many are allowed.
        limit: i64,
        /// Of what.
        kind: Limit,
    },
    /// The policy does not lend the item.
    NotLoanable {
        /// Loan policy.
        id: Uuid,
        /// Its name; none for a forced policy that does not exist.
        name: Option<String>,
    },
    /// The caller lacks the permission to override.
    OverrideNotPermitted(BlockKind),
    /// An override without a comment.
    OverrideWithoutComment,
    /// A loan against the policy without a due date.
    OverrideWithoutDueDate,
    /// A loan against the policy that ends before it begins.
    DueDateNotAfterLoanDate(Option<String>),
    /// A client has locked the patron (docs/folio/check-out.md#locked-patron).
    PatronLocked,
    /// No due date could be found (docs/folio/due-dates.md).
    NoDueDate {
        /// Why.
        cause: NoDueDate,
        /// Loan policy.
        policy_id: Uuid,
        /// Its name.
        policy_name: String,
    },
}

/// What a limit of items counts: the criteria that the winning rule tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Patron group, material type and loan type.
    GroupMaterialLoan,
    /// Patron group and material type.
    GroupMaterial,
    /// Patron group and loan type.
    GroupLoan,
    /// Material type and loan type.
    MaterialLoan,
    /// Material type.
    Material,
    /// Loan type.
    Loan,
}

impl Limit {
    /// The limit of a rule with these conditions; none when it tests neither material nor loan type.
    pub fn of(conditions: AppliedRuleConditions) -> Option<Limit> {
        let AppliedRuleConditions {
            material_type,
            loan_type,
            patron_group,
        } = conditions;
        Some(match (patron_group, material_type, loan_type) {
            (true, true, true) => Limit::GroupMaterialLoan,
            (true, true, false) => Limit::GroupMaterial,
            (true, false, true) => Limit::GroupLoan,
            (false, true, true) => Limit::MaterialLoan,
            (false, true, false) => Limit::Material,
            (false, false, true) => Limit::Loan,
            (_, false, false) => return None,
        })
    }

    fn code_and_tail(self) -> (&'static str, &'static str) {
        match self {
            Limit::GroupMaterialLoan => (
                "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE",
                "combination of patron group, material type and loan type",
            ),
            Limit::GroupMaterial => (
                "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE",
                "combination of patron group and material type",
            ),
            Limit::GroupLoan => (
                "ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE",
                "combination of patron group and loan type",
            ),
            Limit::MaterialLoan => (
                "ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE",
                "combination of material type and loan type",
            ),
            Limit::Material => ("ITEM_LIMIT_MATERIAL_TYPE", "material type"),
            Limit::Loan => ("ITEM_LIMIT_LOAN_TYPE", "loan type"),
        }
    }
}

impl CheckOutRefusal {
    /// The refusal as clients see it.
    pub fn told(&self, command: &CheckOutCommand) -> Told {
        let item = command.item_barcode.clone();
        let user = command.user_barcode.clone();
        let proxy = command.proxy_barcode.clone();
        let item_text = item.as_deref().unwrap_or("null");
        match self {
            Self::NoServicePoint => Told::new("Check out must be performed at a service point")
                .about("servicePointId", None::<String>),
            Self::PatronNotFound => no_such_patron("userBarcode", user),
            Self::ProxyNotFound => no_such_patron("proxyUserBarcode", proxy),
            Self::BlockedManually(reason) => Told::new("Patron blocked from borrowing")
                .code("USER_IS_BLOCKED_MANUALLY")
                .about("reason", Some(reason))
                .block(BlockKind::Patron, &command.granted),
            Self::BlockedAutomatically(message) => Told::new(message)
                .code("USER_IS_BLOCKED_AUTOMATICALLY")
                .block(BlockKind::Patron, &command.granted),
            Self::PatronInactive => {
                Told::new("Cannot check out to inactive user").about("userBarcode", user)
            }
            Self::PatronStatusUnknown => {
                Told::new("Cannot determine if user is active or not").about("userBarcode", user)
            }
            Self::ProxyInactive => Told::new("Cannot check out via inactive proxying user")
                .about("proxyUserBarcode", proxy),
            Self::ProxyStatusUnknown => {
                Told::new("Cannot determine if proxying user is active or not")
                    .about("proxyUserBarcode", proxy)
            }
            Self::ProxyForThemselves(id) => Told::new("User cannot be proxy for themselves")
                .code("USER_CANNOT_BE_PROXY_FOR_THEMSELVES")
                .about("proxyUserId", Some(*id)),
            Self::ProxyNotAllowed => {
                Told::new("Cannot check out item via proxy when relationship is invalid")
                    .about("proxyUserBarcode", proxy)
            }
            Self::ItemNotFound => {
                Told::new(format!("No item with barcode {item_text} could be found"))
                    .about("itemBarcode", item)
            }
            Self::AlreadyCheckedOut => {
                Told::new("Item is already checked out").about("itemBarcode", item)
            }
            Self::StatusForbids {
                title,
                material_type,
                barcode,
                status,
            } => Told::new(format!(
                "{title} ({material_type}) (Barcode: {barcode}) has the item status {status} \
                 and cannot be checked out"
            ))
            .about("itemBarcode", Some(barcode)),
            Self::HasOpenLoan => Told::new("Cannot check out item that already has an open loan")
                .code("ITEM_HAS_OPEN_LOAN")
                .about("itemBarcode", item),
            Self::RequestedByAnotherPatron {
                title,
                barcode,
                patron,
            } => Told::new(format!(
                "{title} (Barcode: {barcode}) cannot be checked out to user {patron} \
                 because it has been requested by another patron"
            ))
            .about("userBarcode", user),
            Self::ItemLimit { limit, kind } => {
                item_limit(*limit, *kind, item).block(BlockKind::ItemLimit, &command.granted)
            }
            Self::NotLoanable { id, name } => Told::new("Item is not loanable")
                .code("ITEM_NOT_LOANABLE")
                .about("itemBarcode", item)
                .about("loanPolicyId", Some(*id))
                .about("loanPolicyName", name.clone())
                .block(BlockKind::ItemNotLoanable, &command.granted),
            Self::OverrideNotPermitted(kind) => Told::new("Insufficient override permissions")
                .code("INSUFFICIENT_OVERRIDE_PERMISSIONS")
                .block(*kind, &command.granted),
            Self::OverrideWithoutComment => {
                Told::new("Override should be performed with the comment specified")
                    .about("comment", None::<String>)
            }
            Self::OverrideWithoutDueDate => {
                Told::new("Override should be performed with due date specified")
                    .about("dueDate", None::<String>)
            }
            Self::DueDateNotAfterLoanDate(text) => {
                Told::new("Due date should be later than loan date").about("dueDate", text.clone())
            }
            Self::PatronLocked => Told::new("unable to acquire lock").about("", Some("")),
            Self::NoDueDate {
                cause,
                policy_id,
                policy_name,
            } => cause.told(*policy_id, policy_name),
        }
    }
}

fn no_such_patron(key: &'static str, barcode: Option<String>) -> Told {
    Told::new("Could not find user with matching barcode")
        .code("USER_BARCODE_NOT_FOUND")
        .about(key, barcode)
}

fn item_limit(limit: i64, kind: Limit, barcode: Option<String>) -> Told {
    let (code, tail) = kind.code_and_tail();
    Told::new(format!(
        "Patron has reached maximum limit of {limit} items for {tail}"
    ))
    .code(code)
    .about("itemBarcode", barcode)
    .about("itemLimit", Some(limit.to_string()))
}
