//! The line to a terminal: answers leave at once, and a terminal that was switched off or cut off is noticed within
//! minutes, however long a good one may be silent.

use std::{io, time::Duration};

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

/// A line that is silent for so long is tried.
const TRIED_AFTER: Duration = Duration::from_secs(60);
/// It is tried so often.
const TRIED_EVERY: Duration = Duration::from_secs(15);
/// So many tries without an answer, and the terminal is gone.
#[cfg(not(windows))]
const TRIES: u32 = 4;
/// Bytes that a terminal does not acknowledge for so long mean that it is gone, too; nothing is tried meanwhile.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(120);

/// Sets a line up.
///
/// # Errors
/// Those of the system; the line can be used nevertheless.
pub fn set_up(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let tries = TcpKeepalive::new()
        .with_time(TRIED_AFTER)
        .with_interval(TRIED_EVERY);
    #[cfg(not(windows))]
    let tries = tries.with_retries(TRIES);
    socket.set_tcp_keepalive(&tries)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_dead_terminal_is_noticed_in_two_minutes() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (called, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (_terminal, (stream, _)) = (called.unwrap(), accepted.unwrap());
        set_up(&stream).unwrap();
        assert!(stream.nodelay().unwrap());
        let socket = SockRef::from(&stream);
        assert!(socket.keepalive().unwrap());
        #[cfg(target_os = "linux")]
        {
            let tries =
                socket.tcp_keepalive_interval().unwrap() * socket.tcp_keepalive_retries().unwrap();
            let noticed = socket.tcp_keepalive_time().unwrap() + tries;
            assert_eq!(noticed, UNACKNOWLEDGED);
            assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNACKNOWLEDGED));
        }
    }
}
