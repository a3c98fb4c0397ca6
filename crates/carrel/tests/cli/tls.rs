//! `database_url` over TLS, with a PostgreSQL and certificates made for the test.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use store::embedded::{Embedded, Settings};
use tempfile::TempDir;

/// A PostgreSQL that listens on a port of this machine; killed when the test ends.
struct Postgres {
    process: Child,
    port: u16,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Postgres {
    /// Starts the server of a cluster with these access rules.
    fn start(cluster: &Path, access: &str, settings: &[&str]) -> Self {
        let owner = cluster.metadata().expect("the cluster");
        let access_file = cluster.join("access.conf");
        std::fs::write(&access_file, access).expect("written");
        let port = free_port();
        let mut command = Command::new(program_of(cluster));
        command
            .arg("-D")
            .arg(cluster)
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"])
            .args(["-c", "unix_socket_directories=", "-c"])
            .arg(format!("hba_file={}", access_file.display()))
            .args(settings.iter().flat_map(|setting| ["-c", setting]))
            .uid(owner.uid())
            .gid(owner.gid())
            .current_dir(cluster)
            .stderr(Stdio::piped());
        let mut process = command.spawn().expect("it starts");
        let mut log = BufReader::new(process.stderr.take().expect("piped")).lines();
        let mut ready = log.by_ref().map_while(Result::ok);
        let ready = ready.any(|line| line.contains("ready to accept connections"));
        assert!(ready, "it runs");
        // The rest is not needed, but must be read so that the writer does not block.
        std::thread::spawn(move || log.for_each(drop));
        Self { process, port }
    }

    /// The result of `carrel tenant list` with a URL of this server: success, or its refusal.
    fn asked_with(&self, host: &str, parameters: &str) -> Result<(), String> {
        let url = format!("postgres://carrel@{host}:{}/carrel?{parameters}", self.port);
        let output = Command::new(env!("CARGO_BIN_EXE_carrel"))
            .args(["tenant", "list", "--database-wait-seconds=20"])
            .args(["--database-url", &url])
            .output()
            .expect("it runs");
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its address").port()
}

/// The program that last ran a cluster: PostgreSQL records the command line.
fn program_of(cluster: &Path) -> PathBuf {
    let noted = std::fs::read_to_string(cluster.join("postmaster.opts")).expect("noted");
    noted.split(' ').next().expect("a program").into()
}

/// A stopped cluster, and its folder.
fn cluster() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a directory");
    let settings = Settings { fsync: false, memory: Some(256 << 20), ..Settings::new(dir.path()) };
    drop(Embedded::start(&settings).unwrap_or_else(|error| panic!("{error}")));
    let cluster = dir.path().join("postgres");
    (dir, cluster)
}

/// A certificate authority, with its own certificate in a file.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(name: &str, file: PathBuf) -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new([]).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let certificate = params.self_signed(&key).expect("a certificate");
        std::fs::write(&file, certificate.pem()).expect("written");
        let issuer = Issuer::new(params, key);
        Self { issuer, file }
    }

    /// Gives the server of a cluster a certificate for a host name.
    fn certify(&self, cluster: &Path, host: &str) {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new([host.to_owned()]).expect("parameters");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let owner = cluster.metadata().expect("the cluster");
        for (name, text) in [("server.crt", certificate.pem()), ("server.key", key.serialize_pem())] {
            let file = cluster.join(name);
            std::fs::write(&file, text).expect("written");
            let private = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(&file, private).expect("made private");
            chown(&file, Some(owner.uid()), Some(owner.gid())).expect("given away");
        }
    }

    fn full_check(&self) -> String {
        format!("sslmode=verify-full&sslrootcert={}", self.file.display())
    }
}

#[test]
fn the_server_is_encrypted_to_and_checked_as_the_url_asks() {
    let (dir, cluster) = cluster();
    let authority = Authority::new("Authority", dir.path().join("authority.pem"));
    let stranger = Authority::new("Stranger", dir.path().join("stranger.pem"));
    authority.certify(&cluster, "localhost");
    let only_encrypted = "hostssl all all 127.0.0.1/32 trust\n";
    let postgres = Postgres::start(&cluster, only_encrypted, &["ssl=on"]);

    for (host, parameters) in
        [("127.0.0.1", "sslmode=require"), ("127.0.0.1", "sslmode=prefer"), ("localhost", &authority.full_check())]
    {
        assert_eq!(postgres.asked_with(host, parameters), Ok(()), "{parameters}");
    }
    for (host, parameters, advice) in [
        ("localhost", stranger.full_check(), "sslrootcert=FILE"),
        ("localhost", "sslmode=verify-full".into(), "sslrootcert=FILE"),
        ("127.0.0.1", authority.full_check(), "host name its certificate"),
        ("127.0.0.1", "sslmode=disable".into(), "no encryption"),
    ] {
        let refusal = postgres.asked_with(host, &parameters).expect_err(&parameters);
        let place = format!("{host}:{}", postgres.port);
        assert!(refusal.contains(advice) && refusal.contains(&place), "{parameters}: {refusal}");
    }
}

#[test]
fn a_server_without_tls_is_refused_unless_plain_text_is_allowed() {
    let (dir, cluster) = cluster();
    let authority = Authority::new("Authority", dir.path().join("authority.pem"));
    let anybody = "host all all 127.0.0.1/32 trust\n";
    let postgres = Postgres::start(&cluster, anybody, &["ssl=off"]);
    for parameters in ["sslmode=require", &authority.full_check()] {
        let refusal = postgres.asked_with("localhost", parameters);
        let refusal = refusal.expect_err(parameters);
        assert!(refusal.contains("ssl = on"), "{refusal}");
    }
    assert_eq!(postgres.asked_with("localhost", "sslmode=prefer"), Ok(()));
}
