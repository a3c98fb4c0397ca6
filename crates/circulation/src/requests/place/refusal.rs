//! Everything that speaks against a request, in FOLIO's words (docs/folio/requests.md#placing-a-request).

use uuid::Uuid;

use crate::{
    blocks::{BlockKind, Granted},
    refusal::Told,
    requests::{kind::RequestKind, recall::NotRecalled},
};

/// A reason not to place, move or change a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceRefusal {
    /// Neither an item nor a title, or a title where only items can be asked for.
    LevelNotAllowed {
        /// The level, as written.
        level: Option<String>,
        /// Titles can be asked for.
        titles: bool,
    },
    /// Neither shelf nor delivery.
    FulfilmentNotAllowed(Option<String>),
    /// No title.
    NoInstanceId,
    /// No item.
    NoItemId,
    /// An item without its holdings.
    NoHoldingsRecordId,
    /// A new request for a title that names an item.
    TitleWithItem {
        /// The item.
        item: Option<Uuid>,
        /// The holdings.
        holdings: Option<String>,
    },
    /// No date.
    NoRequestDate,
    /// The title is unknown.
    NoSuchInstance(Uuid),
    /// The item is unknown.
    NoSuchItem(Option<Uuid>),
    /// No copy of the title is on the shelf and can be paged.
    NothingToPage(Option<Uuid>),
    /// None of them is at the location that the client wants.
    NothingToPageThere(String),
    /// No copy of the title can be recalled.
    NothingToRecall,
    /// Nobody has given the proxy leave.
    ProxyNotAllowed(Uuid),
    /// Patron and proxy are the same.
    ProxyForThemselves(Uuid),
    /// A request for the hold shelf that does not say of which service point.
    NoPickupServicePoint(Option<Uuid>),
    /// That service point is unknown.
    NoSuchServicePoint(Uuid),
    /// Nothing can be fetched there.
    NotAPickupLocation(Uuid),
    /// The requester is unknown.
    NoSuchRequester(Option<Uuid>),
    /// The requester belongs to no group.
    RequesterWithoutGroup,
    /// The requester may not use the library.
    RequesterInactive {
        /// The requester.
        requester: Uuid,
        /// The item.
        item: Option<Uuid>,
    },
    /// The requester waits for this already.
    AlreadyRequested(Duplicate),
    /// The message of a condition.
    BlockedAutomatically(String),
    /// The reasons of the staff.
    BlockedManually(String),
    /// An override without the permission.
    OverrideNotPermitted,
    /// Status or policy forbid the type; none for an unknown type.
    KindNotAllowed(Option<RequestKind>),
    /// The loan that is recalled has no new due date.
    LoanNotRecalled(NotRecalled),
    /// The requester has the item.
    ItemOnLoan {
        /// The item.
        item: Uuid,
        /// The requester.
        user: Uuid,
        /// The loan.
        loan: Uuid,
    },
    /// The requester has a copy of the title.
    CopyOnLoan {
        /// The copy.
        item: Uuid,
        /// The requester.
        user: Uuid,
    },
    /// The policy does not list the service point.
    ServicePointNotAllowed {
        /// The service point.
        service_point: Option<Uuid>,
        /// The type.
        kind: RequestKind,
        /// The policy.
        policy: Uuid,
    },
    /// No copy of the title may be held for the requester.
    TitleHoldNotAllowed {
        /// The requester.
        requester: Option<Uuid>,
        /// The title.
        instance: Option<Uuid>,
    },
    /// A hold or a recall of a title of which a copy can be paged.
    PageableItemFound {
        /// The copy.
        item: Uuid,
        /// The title.
        instance: Option<Uuid>,
    },
    /// The circulation rules cannot be applied to one of several copies that are tried: FOLIO's text of a 500.
    RulesFailed(String),
}

/// An open request of the same requester, as it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicate {
    /// For the item.
    Item {
        /// The requester.
        requester: Option<Uuid>,
        /// The item.
        item: Option<Uuid>,
        /// The request that is being placed.
        request: Option<Uuid>,
    },
    /// For the title.
    Title {
        /// The requester.
        requester: Option<Uuid>,
        /// The title.
        instance: Option<Uuid>,
    },
    /// For an item of the title.
    ItemOfTitle {
        /// The requester.
        requester: Option<Uuid>,
        /// The title.
        instance: Option<Uuid>,
    },
    /// A title's request moved to the item that it has.
    MovedToSameItem {
        /// The requester.
        requester: Option<Uuid>,
        /// The title.
        instance: Option<Uuid>,
    },
}

impl PlaceRefusal {
    /// The refusal as clients see it.
    pub fn told(&self, granted: &Granted) -> Told {
        match self {
            Self::LevelNotAllowed { level, titles } => level_not_allowed(level.as_ref(), *titles),
            Self::FulfilmentNotAllowed(preference) => Told::new(
                "Fulfillment preference must be one of the following: Hold Shelf, Delivery",
            )
            .code("FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED")
            .about("fulfillmentPreference", preference.clone()),
            Self::NoInstanceId => Told::new("Cannot create a request with no instance ID")
                .about("instanceId", None::<String>),
            Self::NoItemId => Told::new("Cannot create an item level request with no item ID")
                .about("itemId", None::<String>),
            Self::NoHoldingsRecordId => {
                Told::new("Cannot create a request with item ID but no holdings record ID")
                    .about("holdingsRecordId", None::<String>)
            }
            Self::TitleWithItem { item, holdings } => Told::new(
                "Cannot create a title level page request for this instance ID with no item ID",
            )
            .code("CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID")
            .about("itemId", *item)
            .about("holdingsRecordId", holdings.clone()),
            Self::NoRequestDate => Told::new("Cannot create a request with no requestDate")
                .about("requestDate", None::<String>),
            Self::NoSuchInstance(id) => {
                Told::new("Instance does not exist").about("instanceId", Some(*id))
            }
            Self::NoSuchItem(id) => Told::new("Item does not exist").about("itemId", *id),
            Self::NothingToPage(title) => Told::new(
                "Cannot create page TLR for this instance ID - no pageable available items found",
            )
            .about("instanceId", *title),
            Self::NothingToPageThere(code) => Told::new(
                "Cannot create page TLR for this instance ID - no pageable available items found \
                 in requested location",
            )
            .about("itemLocationCode", Some(code)),
            Self::RulesFailed(text) => Told::new(text),
            Self::NothingToRecall => {
                Told::new("Request has no loan or recallable item").about("loan", None::<String>)
            }
            Self::ProxyNotAllowed(id) => {
                Told::new("proxyUserId is not valid").about("proxyUserId", Some(*id))
            }
            Self::ProxyForThemselves(id) => Told::new("User cannot be proxy for themselves")
                .code("USER_CANNOT_BE_PROXY_FOR_THEMSELVES")
                .about("proxyUserId", Some(*id)),
            Self::NoPickupServicePoint(id) => {
                Told::new("Hold shelf fulfillment requests require a Pickup service point")
                    .code("HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT")
                    .about("id", *id)
            }
            Self::NoSuchServicePoint(id) => Told::new("Pickup service point does not exist")
                .about("pickupServicePointId", Some(*id)),
            Self::NotAPickupLocation(id) => Told::new("Service point is not a pickup location")
                .code("SERVICE_POINT_IS_NOT_PICKUP_LOCATION")
                .about("pickupServicePointId", Some(*id)),
            Self::NoSuchRequester(id) => {
                Told::new("A valid user and patron group are required. User is null")
                    .about("userId", *id)
            }
            Self::RequesterWithoutGroup => {
                Told::new("A valid patron group is required. PatronGroup ID is null")
                    .about("PatronGroupId", None::<String>)
            }
            Self::RequesterInactive { requester, item } => {
                Told::new("Inactive users cannot make requests")
                    .about("requesterId", Some(*requester))
                    .about("itemId", *item)
            }
            Self::AlreadyRequested(duplicate) => duplicate.told(),
            Self::BlockedAutomatically(message) => Told::new(message)
                .code("USER_IS_BLOCKED_AUTOMATICALLY")
                .block(BlockKind::Patron, granted),
            Self::BlockedManually(reason) => Told::new("Patron blocked from requesting")
                .code("USER_IS_BLOCKED_MANUALLY")
                .about("reason", Some(reason))
                .block(BlockKind::Patron, granted),
            Self::OverrideNotPermitted => Told::new("Insufficient override permissions")
                .code("INSUFFICIENT_OVERRIDE_PERMISSIONS")
                .block(BlockKind::Patron, granted),
            Self::KindNotAllowed(kind) => {
                let name = kind.map(RequestKind::name).unwrap_or_default();
                Told::new(format!(
                    "{name} requests are not allowed for this patron and item combination"
                ))
                .code("REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION")
                .about("requestType", Some(name))
            }
            Self::LoanNotRecalled(fault) => {
                fault.told().unwrap_or_else(|| Told::new(String::new()))
            }
            Self::ItemOnLoan { item, user, loan } => {
                Told::new("This requester already has this item on loan")
                    .code("REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN")
                    .about("itemId", Some(*item))
                    .about("userId", Some(*user))
                    .about("loanId", Some(*loan))
            }
            Self::CopyOnLoan { item, user } => {
                Told::new("This requester already has a loan for one of the instance's items")
                    .code("REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS")
                    .about("itemId", Some(*item))
                    .about("userId", Some(*user))
            }
            Self::ServicePointNotAllowed {
                service_point,
                kind,
                policy,
            } => Told::new("One or more Pickup locations are no longer available")
                .code("REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED")
                .about("pickupServicePointId", *service_point)
                .about("requestType", Some(kind.name()))
                .about("requestPolicyId", Some(*policy)),
            Self::TitleHoldNotAllowed {
                requester,
                instance,
            } => Told::new("Hold requests are not allowed for this patron and title combination")
                .code("REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION")
                .about("requesterId", *requester)
                .about("instanceId", *instance),
            Self::PageableItemFound { item, instance } => Told::new(
                "Hold/Recall title level request not allowed: pageable available item found for \
                 instance",
            )
            .code("HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND")
            .about("itemId", Some(*item))
            .about("instanceId", *instance),
        }
    }
}

impl Duplicate {
    fn told(self) -> Told {
        match self {
            Duplicate::Item {
                requester,
                item,
                request,
            } => Told::new("This requester already has an open request for this item")
                .code("ITEM_ALREADY_REQUESTED")
                .about("requesterId", requester)
                .about("itemId", item)
                .about("requestId", request),
            Duplicate::Title {
                requester,
                instance,
            } => Told::new("This requester already has an open request for this instance")
                .code("INSTANCE_ALREADY_REQUESTED")
                .about("requesterId", requester)
                .about("instanceId", instance),
            Duplicate::ItemOfTitle {
                requester,
                instance,
            } => Told::new(
                "This requester already has an open request for one of the instance's items",
            )
            .code("ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED")
            .about("requesterId", requester)
            .about("instanceId", instance),
            Duplicate::MovedToSameItem {
                requester,
                instance,
            } => Told::new("Not allowed to move title level page request to the same item")
                .code("MOVING_REQUEST_TO_THE_SAME_ITEM")
                .about("requesterId", requester)
                .about("instanceId", instance),
        }
    }
}

fn level_not_allowed(level: Option<&String>, titles: bool) -> Told {
    let allowed = if titles {
        "\"Item\", \"Title\""
    } else {
        "\"Item\""
    };
    Told::new(format!(
        "Request level must be one of the following: {allowed}"
    ))
    .code("REQUEST_LEVEL_IS_NOT_ALLOWED")
    .about("requestLevel", level)
}
