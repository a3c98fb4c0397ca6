//! Formats other than EAD that archives exchange records in (contract 6.7, 6.8).

pub mod import;
