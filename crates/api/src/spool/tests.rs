use http_body_util::BodyExt;

use super::*;

fn spools(bytes: u64, idle: u64) -> Spools {
    Spools::new(Settings { bytes, idle: Duration::from_millis(idle), ..Settings::default() })
}

/// Parts of various sizes. `held` lives as long as they do.
fn parts(held: Arc<()>, count: u32) -> impl Stream<Item = Result<Bytes, BrokenOff>> + Send {
    stream::iter(0..count).map(move |number| {
        let _held = &held;
        let length = (number as usize * 7919) % 90_000;
        Ok(Bytes::from(vec![number as u8; length]))
    })
}

/// Waits until it holds; fails with `otherwise` if it never does.
async fn until(holds: impl Fn() -> bool, otherwise: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < deadline, "{otherwise}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn let_go(held: &Arc<()>) {
    until(|| Arc::strong_count(held) == 1, "the source is still held").await;
}

/// Waits until no answer takes room on the disk.
async fn room_given_back(spools: &Spools) {
    let is_free = || spools.used.load(Ordering::Acquire) == 0;
    until(is_free, "the room is not given back").await;
}

async fn whole(count: u32) -> Bytes {
    let body = Body::from_stream(parts(Arc::default(), count));
    body.collect().await.expect("parts").to_bytes()
}

#[tokio::test]
async fn a_client_that_does_not_read_holds_no_source_and_gets_everything_later() {
    let (spools, held) = (spools(1 << 30, 60_000), Arc::new(()));
    let body = spools.spooled(parts(Arc::clone(&held), 300));
    let_go(&held).await;
    assert!(spools.used.load(Ordering::Acquire) > 1 << 20);
    let read = body.collect().await.expect("all of it").to_bytes();
    assert!(read == whole(300).await, "it differs");
    room_given_back(&spools).await;
}

#[tokio::test]
async fn an_answer_that_has_ended_may_be_asked_again() {
    let mut body = spools(1 << 30, 60_000).spooled(parts(Arc::default(), 10));
    while body.frame().await.transpose().expect("parts").is_some() {}
    assert!(body.frame().await.is_none());
}

#[tokio::test]
async fn without_room_on_the_disk_the_answer_comes_all_the_same() {
    for bytes in [0, 100_000] {
        let body = spools(bytes, 60_000).spooled(parts(Arc::default(), 100));
        let read = body.collect().await.expect("all of it").to_bytes();
        assert!(read == whole(100).await, "it differs with {bytes}");
    }
}

#[tokio::test]
async fn an_answer_that_nobody_reads_ends() {
    for bytes in [0, 1 << 30] {
        let (spools, held) = (spools(bytes, 50), Arc::new(()));
        let mut body = spools.spooled(parts(Arc::clone(&held), 300));
        body.frame().await.expect("a part").expect("a good part");
        let_go(&held).await;
        room_given_back(&spools).await;
        let broken = body.collect().await.expect_err("it broke off");
        assert!(broken.to_string().contains("nothing was read"), "{broken}");
    }
}

#[tokio::test]
async fn a_client_that_goes_away_ends_the_source() {
    let held = Arc::new(());
    let endless = parts(Arc::clone(&held), 1).chain(stream::pending());
    drop(spools(1 << 30, 60_000).spooled(endless));
    let_go(&held).await;
}

#[tokio::test]
async fn a_failure_of_the_source_reaches_the_client() {
    let failing = stream::iter([Ok(Bytes::from_static(b"x")), Err("lost")]);
    let body = spools(1 << 30, 60_000).spooled(failing);
    let broken = body.collect().await.expect_err("it broke off");
    assert!(broken.to_string().contains("lost"), "{broken}");
}
