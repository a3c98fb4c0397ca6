//! Webhook signatures after standardwebhooks.com: a receiver that knows the secret can verify that an event is genuine,
//! complete and recent.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// Prefix of secrets written in base64.
const ENCODED: &str = "whsec_";

/// The header `webhook-signature` of an event sent at `seconds` since 1970.
pub fn sign(secret: &str, id: Uuid, seconds: i64, body: &str) -> String {
    let key = secret
        .strip_prefix(ENCODED)
        .and_then(|encoded| STANDARD.decode(encoded).ok())
        .unwrap_or_else(|| secret.as_bytes().to_vec());
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else {
        unreachable!("a key of any length is one");
    };
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_standard() {
        let id = Uuid::nil();
        // printf '00000000-0000-0000-0000-000000000000.1614265330.{"test": 2432232314}' | openssl dgst -sha256 -hmac key
        let plain = sign("key", id, 1_614_265_330, "{\"test\": 2432232314}");
        let encoded = sign("whsec_a2V5", id, 1_614_265_330, "{\"test\": 2432232314}");
        assert_eq!(plain, encoded);
        assert_eq!(plain, "v1,uwscUTHG/QkvAEv7vmr10QQEpX/m/XC57eCQjMUoyzY=");
        assert_ne!(plain, sign("key", id, 1_614_265_331, "{\"test\": 2432232314}"));
    }
}
