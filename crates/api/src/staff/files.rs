//! The files of the staff web application. They are in the program, and packed once.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use axum::body::{Body, Bytes};
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use rust_embed::RustEmbed;

use super::text;
use crate::{
    connection::COMPRESS_ABOVE,
    packing::{Effort, accepts_gzip, packed},
};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Web;

/// What a page on this port may load and do. Slips are the library's own HTML, with styles and pictures from anywhere.
/// They are printed from a frame that is subject to this policy and to its own, which forbids scripts.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: https: http:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the web application. Unknown paths without an extension get its index page, which routes them.
pub(super) fn serve(path: &str, asking: &HeaderMap) -> Response<Body> {
    let known = Web::get(path).map(|file| (path, file));
    let page = if path.contains('.') { None } else { Web::get("index.html") };
    let Some((path, file)) = known.or(page.map(|file| ("index.html", file))) else {
        return text(StatusCode::NOT_FOUND, "There is no such page\n");
    };
    let accepted = asking.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = Some(path).filter(|_| accepts_gzip(accepted)).and_then(|path| packed_file(path, &file.data));
    let is_packed = packed.is_some();
    let body = packed.unwrap_or_else(|| match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    });
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    let forever = path.starts_with("assets/");
    let caching = if forever { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// The file as gzip, if that is shorter. Only files of the program are kept, so that there are never more than it has.
fn packed_file(path: &str, data: &[u8]) -> Option<Bytes> {
    static PACKED: LazyLock<Mutex<HashMap<String, Option<Bytes>>>> = LazyLock::new(Mutex::default);
    if data.len() <= COMPRESS_ABOVE.into() {
        return None;
    }
    let known = PACKED.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
    known.unwrap_or_else(|| {
        let made = packed(data, Effort::Most);
        PACKED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), made.clone());
        made
    })
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn a_file_is_packed_once_and_unpacks_to_itself() {
        let data = "a scan field, ".repeat(1000);
        let packed = packed_file("a test", data.as_bytes()).expect("it is shorter");
        let mut unpacked = String::new();
        GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).expect("gzip");
        assert_eq!(unpacked, data);
        let again = packed_file("a test", data.as_bytes()).expect("it is kept");
        assert_eq!(again.as_ptr(), packed.as_ptr());
        assert_eq!(packed_file("another test", b"short"), None);
    }
}
