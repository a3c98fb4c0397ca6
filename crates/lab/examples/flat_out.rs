//! Measures the client's speed: requests per second on one core against a static answer.
//!
//! `cargo run --release -p lab --example flat_out`. The generator and the server each run in their own thread and
//! runtime; only the processor time of the generator's thread counts.

use std::time::{Duration, Instant};

use lab::client::{Failure, Target};
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::{TimeVal, TimeValLike},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    runtime::Builder,
};

const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{\"totalRecords\": 15}";
const REQUEST: &[u8] = b"GET /users?query=barcode==1 HTTP/1.1\r\nhost: 127.0.0.1\r\nx-okapi-tenant: diku\r\n\r\n";
const USERS: usize = 16;
const TIME: Duration = Duration::from_secs(5);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let target = Target::parse(&format!("http://{}", listener.local_addr()?))?;
    std::thread::spawn(move || serve(listener));
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (began, cpu) = (Instant::now(), processor_time()?);
    let done = runtime.block_on(async {
        let users = (0..USERS).map(|_| ask(target.clone(), began + TIME));
        futures_util::future::try_join_all(users).await
    })?;
    let (requests, wall) = (done.iter().sum::<u64>() as f64, began.elapsed().as_secs_f64());
    let cpu = processor_time()? - cpu;
    println!("{requests} requests in {wall:.2} s: {:.0} a second", requests / wall);
    println!("processor time {cpu:.2} s: {:.0} requests for each second of one core", requests / cpu);
    Ok(())
}

async fn ask(target: Target, end: Instant) -> Result<u64, Failure> {
    let mut connection = target.connect().await?;
    let mut requests = 0;
    while Instant::now() < end {
        connection.send(REQUEST, true).await?;
        requests += 1;
    }
    Ok(requests)
}

/// Processor time of this thread, in seconds.
fn processor_time() -> nix::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD)?;
    let seconds = |time: TimeVal| time.num_microseconds() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// Answers every request with the same bytes.
fn serve(listener: std::net::TcpListener) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async move {
        let listener = TcpListener::from_std(listener).expect("a listener");
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 1024];
                while matches!(stream.read(&mut request).await, Ok(read) if read > 0) {
                    if stream.write_all(ANSWER).await.is_err() {
                        break;
                    }
                }
            });
        }
    });
}
