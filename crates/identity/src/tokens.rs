//! Access tokens: JSON web tokens signed with HMAC-SHA-256, verified in process (docs/folio/log-in.md#tokens).

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Expires.
    Access,
    /// From the older log-in; never expires.
    LegacyAccess,
    /// In a reset link: belongs to no user, so only routes that look for it accept it.
    PasswordReset,
}

/// The content of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// User name.
    pub sub: String,
    pub user_id: Uuid,
    pub tenant: String,
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Time of creation, in seconds since 1970.
    pub iat: i64,
    /// Expiry, in seconds since 1970; `None` for a token that never expires.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exp: Option<i64>,
    /// The generation of the user's tokens at its creation; 0 is omitted.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub generation: i32,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

impl Claims {
    /// Claims of a token that expires `seconds` after `now`.
    pub fn expiring(username: &str, user_id: Uuid, tenant: &str, now: Timestamp, seconds: i64) -> Self {
        let iat = now.as_second();
        Self {
            sub: username.to_owned(),
            user_id,
            tenant: tenant.to_owned(),
            kind: Kind::Access,
            iat,
            exp: Some(iat + seconds),
            generation: 0,
        }
    }

    /// Claims of the token in a reset link, valid until `end`. Its id is the reset action's instead of a user's.
    pub fn of_reset(action: Uuid, tenant: &str, now: Timestamp, end: Timestamp) -> Self {
        Self {
            sub: format!("UNDEFINED_USER__RESET_PASSWORD_{action}"),
            user_id: action,
            tenant: tenant.to_owned(),
            kind: Kind::PasswordReset,
            iat: now.as_second(),
            exp: Some(end.as_second()),
            generation: 0,
        }
    }

    /// Sets the generation.
    #[must_use]
    pub fn of_generation(self, generation: i32) -> Self {
        Self { generation, ..self }
    }

    /// Claims of a token of the older log-in, without expiry.
    pub fn lasting(username: &str, user_id: Uuid, tenant: &str, now: Timestamp) -> Self {
        Self { kind: Kind::LegacyAccess, exp: None, ..Self::expiring(username, user_id, tenant, now, 0) }
    }
}

/// Why a token is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not a token; the text follows `Invalid Token: ` in Okapi's answer.
    #[error("{0}")]
    Unparsable(String),
    /// Not signed here, or changed since.
    #[error("the signature is wrong")]
    BadSignature,
    #[error("the token has expired")]
    Expired,
}

/// Tokens whose signature need not be computed again, at most; with more than that, all are forgotten.
const VERIFIED_AT_MOST: usize = 4_096;
/// Carrel's own tokens are shorter, unless a user name is very long. In bytes.
const LONGEST_VERIFIED: usize = 1_024;

/// The keys that sign and verify tokens.
pub struct Keys {
    sign: EncodingKey,
    verify: DecodingKey,
    rules: Validation,
    /// The content of tokens whose signature was right. A client sends the same one with each request.
    verified: RwLock<HashMap<Box<str>, Claims>>,
}

impl Keys {
    /// Keys derived from one secret.
    pub fn new(secret: &[u8]) -> Self {
        let mut rules = Validation::new(Algorithm::HS256);
        // The expiry is compared with the time of the request, not with the machine's clock.
        rules.validate_exp = false;
        rules.validate_aud = false;
        rules.required_spec_claims.clear();
        let (sign, verify) = (EncodingKey::from_secret(secret), DecodingKey::from_secret(secret));
        Self { sign, verify, rules, verified: RwLock::default() }
    }

    /// Signs a token.
    ///
    /// # Panics
    /// Never: claims are plain texts and numbers, and the key fits the algorithm.
    pub fn sign(&self, claims: &Claims) -> String {
        jsonwebtoken::encode(&Header::default(), claims, &self.sign)
            .expect("claims are plain JSON and the key is an HMAC key")
    }

    /// Parses a token and checks its signature and expiry.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Claims, TokenError> {
        let claims = self.signed(token)?;
        match claims.exp {
            Some(end) if end <= now.as_second() => Err(TokenError::Expired),
            _ => Ok(claims),
        }
    }

    /// The content of a token, if it was signed with this key.
    fn signed(&self, token: &str) -> Result<Claims, TokenError> {
        let known = self.verified.read().unwrap_or_else(PoisonError::into_inner).get(token).cloned();
        if let Some(claims) = known {
            return Ok(claims);
        }
        payload(token).ok_or_else(|| unparsable(token))?;
        let decoded = jsonwebtoken::decode::<Claims>(token, &self.verify, &self.rules);
        let claims = decoded.map_err(|_| TokenError::BadSignature)?.claims;
        if token.len() <= LONGEST_VERIFIED {
            let mut verified = self.verified.write().unwrap_or_else(PoisonError::into_inner);
            if verified.len() >= VERIFIED_AT_MOST {
                verified.clear();
            }
            verified.insert(token.into(), claims.clone());
        }
        Ok(claims)
    }
}

/// The tenant named in a token, unverified: enough to find the key, users and permissions.
pub fn peek_tenant(token: &str) -> Option<String> {
    payload(token)?.get("tenant")?.as_str().map(ToOwned::to_owned)
}

/// The middle part of a token, if it is a JSON object.
fn payload(token: &str) -> Option<serde_json::Map<String, serde_json::Value>> {
    let mut parts = token.split('.');
    let (_, middle, _) = (parts.next()?, parts.next()?, parts.next()?);
    let json = BASE64_URL_SAFE_NO_PAD.decode(middle).ok()?;
    serde_json::from_slice(&json).ok()
}

fn unparsable(token: &str) -> TokenError {
    let shown: String = token.chars().take_while(|c| c.is_ascii_alphanumeric()).take(20).collect();
    TokenError::Unparsable(format!("Failed to decode:Unrecognized token '{shown}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn claims() -> Claims {
        Claims::expiring("reader", Uuid::from_u128(7), "lib1", at(1_000), 600)
    }

    #[test]
    fn a_token_seen_before_is_refused_when_it_has_expired_or_was_changed() {
        let keys = Keys::new(b"secret");
        let token = keys.sign(&claims());
        assert_eq!(keys.verify(&token, at(1_000)), Ok(claims()));
        assert_eq!(keys.verify(&token, at(1_600)), Err(TokenError::Expired));
        let (signed, _) = token.rsplit_once('.').unwrap();
        assert_eq!(keys.verify(&format!("{signed}.AAAA"), at(1_000)), Err(TokenError::BadSignature));
        assert_eq!(Keys::new(b"other").verify(&token, at(1_000)), Err(TokenError::BadSignature));
    }

    #[test]
    fn only_so_many_tokens_are_remembered() {
        let keys = Keys::new(b"secret");
        for user in 0..5_000 {
            let claims = Claims { user_id: Uuid::from_u128(user), ..claims() };
            let token = keys.sign(&claims);
            assert_eq!(keys.verify(&token, at(1_000)), Ok(claims));
        }
        assert!(keys.verified.read().unwrap().len() <= VERIFIED_AT_MOST);
    }

    #[test]
    fn a_token_keeps_its_claims_until_it_expires() {
        let keys = Keys::new(b"secret");
        let token = keys.sign(&claims());
        assert_eq!(keys.verify(&token, at(1_000)), Ok(claims()));
        assert_eq!(keys.verify(&token, at(1_599)), Ok(claims()));
        assert_eq!(keys.verify(&token, at(1_600)), Err(TokenError::Expired));
        assert_eq!(peek_tenant(&token).as_deref(), Some("lib1"));
    }

    #[test]
    fn a_lasting_token_never_expires() {
        let keys = Keys::new(b"secret");
        let lasting = Claims::lasting("reader", Uuid::from_u128(7), "lib1", at(1_000));
        let token = keys.sign(&lasting);
        assert_eq!(keys.verify(&token, at(9_999_999_999)), Ok(lasting));
    }

    #[test]
    fn claims_are_named_as_clients_decode_them() {
        let json = serde_json::to_value(claims()).unwrap();
        assert_eq!(json["type"], "access");
        assert_eq!(json["sub"], "reader");
        assert_eq!(json["exp"], 1_600);
        let lasting = Claims::lasting("reader", Uuid::nil(), "lib1", at(1_000));
        let json = serde_json::to_value(lasting).unwrap();
        assert_eq!(json["type"], "legacy-access");
        assert!(json.get("exp").is_none());
    }

    #[test]
    fn forged_tokens_are_refused() {
        let keys = Keys::new(b"secret");
        let token = keys.sign(&claims());
        let parts: Vec<_> = token.split('.').collect();
        let other = Claims { tenant: "lib2".into(), ..claims() };
        let swapped = keys.sign(&other);
        let middle = swapped.split('.').nth(1).unwrap();
        let no_algorithm = BASE64_URL_SAFE_NO_PAD.encode(br#"{"typ":"JWT","alg":"none"}"#);
        for forged in [
            Keys::new(b"another").sign(&claims()),
            format!("{}.{middle}.{}", parts[0], parts[2]),
            format!("{}.{}.", parts[0], parts[1]),
            format!("{no_algorithm}.{}.", parts[1]),
            format!("{}.{}.{}x", parts[0], parts[1], parts[2]),
            format!("x.{}.{}", parts[1], parts[2]),
        ] {
            assert_eq!(keys.verify(&forged, at(1_000)), Err(TokenError::BadSignature), "{forged}");
        }
    }

    #[test]
    fn invalid_tokens_are_distinguished() {
        let keys = Keys::new(b"secret");
        for text in ["", "x", "a.b", "a.b.c", "a.é.c", "..", "eyJ.W10.x"] {
            let Err(TokenError::Unparsable(message)) = keys.verify(text, at(0)) else {
                panic!("{text} was parsed");
            };
            assert!(message.starts_with("Failed to decode:Unrecognized token"));
            assert_eq!(peek_tenant(text), None, "{text}");
        }
    }
}
