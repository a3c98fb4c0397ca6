use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn visitor(name: &'static str, address: [u8; 4]) -> Visitor<'static> {
    Visitor { tenant: "diku", name, address: Some(address.into()) }
}

const HERE: [u8; 4] = [192, 0, 2, 1];
const THERE: [u8; 4] = [198, 51, 100, 1];

async fn tries(door: &Door, who: Visitor<'_>, second: i64, verdict: Verdict) -> Result<(), TurnedAway> {
    door.pass(who, at(second), async {}, |()| verdict).await
}

#[tokio::test]
async fn an_address_that_fails_too_often_is_turned_away_for_a_while() {
    let door = Door::new(Limits { of_address: 6, of_user: 100 });
    let names = ["a", "b", "c", "d", "e", "f"];
    for name in names {
        tries(&door, visitor(name, HERE), 0, Verdict::Wrong).await.unwrap();
    }
    let refused = tries(&door, visitor("g", HERE), 0, Verdict::Right).await;
    assert_eq!(refused, Err(TurnedAway::TooManyFailures));
    tries(&door, visitor("a", THERE), 0, Verdict::Right).await.unwrap();
    tries(&door, visitor("g", HERE), 11, Verdict::Right).await.unwrap();
}

#[tokio::test]
async fn guesses_at_one_user_are_limited_but_the_user_signs_in() {
    let door = Door::new(Limits { of_address: 100, of_user: 6 });
    tries(&door, visitor("Ada", HERE), 0, Verdict::Right).await.unwrap();
    for last in 1..=6 {
        let guess = visitor("ada", [198, 51, 100, last]);
        tries(&door, guess, 1, Verdict::Wrong).await.unwrap();
    }
    let refused = tries(&door, visitor("ada", [198, 51, 100, 7]), 1, Verdict::Wrong).await;
    assert_eq!(refused, Err(TurnedAway::TooManyFailures));
    tries(&door, visitor("ada", HERE), 1, Verdict::Right).await.unwrap();
}

#[tokio::test]
async fn good_log_ins_do_not_count_and_failures_that_could_not_be_checked_neither() {
    let door = Door::new(Limits { of_address: 2, of_user: 2 });
    for _ in 0..100 {
        tries(&door, visitor("ada", HERE), 0, Verdict::Right).await.unwrap();
        tries(&door, visitor("grace", HERE), 0, Verdict::Unknown).await.unwrap();
    }
}

#[tokio::test]
async fn this_machine_has_no_limit_by_address() {
    let door = Door::new(Limits { of_address: 2, of_user: 100 });
    for _ in 0..50 {
        let proxy = visitor("ada", [127, 0, 0, 1]);
        tries(&door, proxy, 0, Verdict::Wrong).await.unwrap();
    }
}

#[tokio::test]
async fn a_known_user_is_a_stranger_again_after_failures_or_a_week() {
    let door = Door::new(Limits { of_address: 100, of_user: 4 });
    let rank = |second| {
        let entered = door.enter(visitor("ada", HERE), at(second));
        entered.map(|mut inside| {
            inside.verdict = Verdict::Unknown;
            inside.rank
        })
    };
    tries(&door, visitor("ada", HERE), 0, Verdict::Right).await.unwrap();
    assert_eq!(rank(1), Ok(0));
    assert_eq!(rank(8 * 24 * 3600), Ok(1));
    for _ in 0..5 {
        tries(&door, visitor("ada", HERE), 1, Verdict::Wrong).await.unwrap();
    }
    assert_eq!(rank(1), Err(TurnedAway::TooManyFailures));
}

#[tokio::test]
async fn few_strangers_of_a_troublesome_address_are_checked_at_once() {
    let door = Door::new(Limits { of_address: 60, of_user: 60 });
    let guess = visitor("ada", HERE);
    for _ in 0..6 {
        tries(&door, guess, 0, Verdict::Wrong).await.unwrap();
    }
    let mut inside = Vec::new();
    let full = loop {
        match door.enter(guess, at(0)) {
            Ok(entered) => inside.push(entered),
            Err(turned_away) => break turned_away,
        }
    };
    assert_eq!((full, inside.len()), (TurnedAway::TooMany, 32));
    let stranger = door.enter(visitor("grace", THERE), at(0)).unwrap();
    assert!(stranger.rank < inside[0].rank);
    // A client that leaves before the answer has failed.
    let before = door.notes().failed(door.keys(guess).user, at(0));
    drop(inside);
    assert_eq!(door.notes().failed(door.keys(guess).user, at(0)), before + 32.0);
}

#[tokio::test]
async fn memory_is_bounded() {
    let door = Door::new(Limits { of_address: 100, of_user: 100 });
    for number in 0..60_000_u32 {
        let name = number.to_string();
        let address = Some(IpAddr::from(number.to_be_bytes()));
        let who = Visitor { tenant: "diku", name: &name, address };
        door.pass(who, at(0), async {}, |()| Verdict::Wrong).await.unwrap();
        door.pass(who, at(0), async {}, |()| Verdict::Right).await.unwrap();
    }
    let notes = door.notes();
    assert!(notes.failures.len() <= REMEMBERED_AT_MOST + 1);
    assert!(notes.known.len() <= REMEMBERED_AT_MOST);
}

#[test]
fn a_network_of_ipv6_counts_as_one_address() {
    let of = |text: &str| network(text.parse().unwrap());
    assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::1"));
    assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
}
