//! Tests with servers behind TLS.

use std::sync::Arc;

use lab::client::{Failure, Target};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{RootCertStore, ServerConfig, crypto::ring, pki_types::PrivateKeyDer};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// Answers every request with two chunks, over TLS; returns its address and the trusted certificates.
async fn server() -> (String, RootCertStore) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).expect("made");
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).expect("a certificate");
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key));
    let acceptor = TlsAcceptor::from(Arc::new(config.expect("sound")));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut request = [0; 1024];
            while matches!(stream.read(&mut request).await, Ok(read) if read > 0) {
                let answer = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n";
                stream.write_all(answer).await.expect("written");
                stream.flush().await.expect("flushed");
            }
        }
    });
    (format!("https://localhost:{port}"), roots)
}

#[tokio::test]
async fn answers_come_over_one_connection() {
    let (url, roots) = server().await;
    let target = Target::parse(&url).expect("an address").trusting(roots);
    let mut connection = target.connect().await.expect("trusted");
    for _ in 0..3 {
        assert!(connection.is_open().await);
        let answer = connection.send(REQUEST, true).await.expect("an answer");
        assert_eq!((answer.status, answer.body.as_slice(), answer.bytes), (200, b"hello!".as_slice(), 6));
    }
}

#[tokio::test]
async fn a_stranger_is_not_trusted() {
    let (url, _) = server().await;
    let target = Target::parse(&url).expect("an address");
    assert!(matches!(target.connect().await, Err(Failure::Tls(_))));
    let plain = Target::parse(&url.replace("https", "http")).expect("an address");
    let mut connection = plain.connect().await.expect("the server listens");
    assert!(connection.send(REQUEST, true).await.is_err(), "TLS is not HTTP");
}
