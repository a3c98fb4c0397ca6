//! A self-check at a freshly installed Carrel: the supertenant, one library, default settings.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    time::Duration,
};

use super::support::{Carrel, carrel, data_dir};

#[test]
fn a_terminal_of_the_only_library_signs_in_without_naming_it() {
    let dir = data_dir();
    let made = carrel(dir.path(), &["tenant", "create", "lib1"]);
    let made = String::from_utf8_lossy(&made.stdout).into_owned();
    let password = made.lines().find_map(|line| line.strip_prefix("Password:")).expect("a password").trim();
    let running = Carrel::start(dir.path());
    let stream = TcpStream::connect(&running.sip2).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("patience");
    let mut answers = BufReader::new(&stream);
    let mut ask = |line: &str| {
        (&stream).write_all(format!("{line}\r\n").as_bytes()).expect("sent");
        let mut answer = Vec::new();
        answers.read_until(b'\n', &mut answer).expect("an answer");
        String::from_utf8(answer).expect("UTF-8")
    };
    let login = format!("9300CNlib1_admin|CO{password}|CPCirc Desk 1|");
    assert_eq!(ask(&login), "941\r\n");
    let status = ask("9900802.00");
    assert!(status.contains("AOlib1|") && status.contains("BXYYYYYYYYYYYNYYYY|"), "{status}");
}
