//! The TCP connection to a terminal: answers leave at once, and a terminal that was switched off or cut off is noticed
//! within minutes, even though a working one may be silent for hours.

use std::{io, time::Duration};

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

/// Silence before the first keep-alive probe.
const TRIED_AFTER: Duration = Duration::from_secs(60);
const TRIED_EVERY: Duration = Duration::from_secs(15);
/// Unanswered probes before the terminal counts as gone.
#[cfg(not(windows))]
const TRIES: u32 = 4;
/// How long sent bytes may stay unacknowledged; keep-alive does not probe meanwhile.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(120);

/// Sets the options. The connection still works if one fails.
pub(crate) fn set_up(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let tries = TcpKeepalive::new().with_time(TRIED_AFTER).with_interval(TRIED_EVERY);
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
            let tries = socket.tcp_keepalive_interval().unwrap() * socket.tcp_keepalive_retries().unwrap();
            let noticed = socket.tcp_keepalive_time().unwrap() + tries;
            assert_eq!(noticed, UNACKNOWLEDGED);
            assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNACKNOWLEDGED));
        }
    }
}
