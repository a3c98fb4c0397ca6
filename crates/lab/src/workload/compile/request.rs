//! Requests: what to send, extract and check.

use toml::Spanned;

use super::{
    super::{
        Request, Workload,
        answer::{Check, Expected, Wanted, as_text},
        place::{Source, WorkloadError},
        source,
        template::{Escape, Template},
    },
    kind, pointer,
    scope::Scope,
};

/// Compiles one request; its extracted values are added to `new`.
pub(super) fn compile(
    source: &Source,
    read: &source::Request,
    scope: &mut Scope,
    new: &mut Vec<(String, usize)>,
    workload: &mut Workload,
) -> Result<Request, WorkloadError> {
    let template = |text: &Spanned<String>, escape| {
        let parsed = Template::parse(text.get_ref(), escape, |name| scope.slot(name));
        parsed.map_err(|(_, message)| source.error(&text.span(), message))
    };
    if !read.path.get_ref().starts_with('/') && !read.path.get_ref().starts_with("{{") {
        return Err(source.error(&read.path.span(), "a path starts with a slash"));
    }
    let path = template(&read.path, Escape::Url)?;
    let body = read.body.as_ref().map(|body| {
        let escaped = template(body, escape(&read.content_type))?;
        Ok((escaped, read.content_type.clone()))
    });
    let body = body.transpose()?;
    let mut wanted = Wanted::default();
    let checks = checks(source, read, &mut wanted, template)?;
    let records = read.records.as_ref().map(|at| Ok(wanted.add(pointer(source, at)?))).transpose()?;
    let extracts = read.extract.iter().map(|(name, at)| {
        let place = wanted.add(pointer(source, at)?);
        Ok((place, scope.variable(name, new)))
    });
    let extracts = extracts.collect::<Result<_, _>>()?;
    Ok(Request {
        kind: kind(source, workload, read)?,
        method: method(source, &read.method)?,
        path,
        body,
        statuses: statuses(source, read)?,
        wanted,
        checks,
        extracts,
        records,
        acts_on: acted_on(source, read, scope)?,
        optional: read.optional,
        since: read.since.clone(),
    })
}

fn escape(content_type: &str) -> Escape {
    match content_type {
        "application/x-www-form-urlencoded" => Escape::Form,
        text if text.contains("json") => Escape::Json,
        _ => Escape::None,
    }
}

fn method(source: &Source, method: &Spanned<String>) -> Result<String, WorkloadError> {
    const KNOWN: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];
    if KNOWN.contains(&method.get_ref().as_str()) {
        return Ok(method.get_ref().clone());
    }
    let message = format!("no method is called {:?}; known are {}", method.get_ref(), KNOWN.join(", "));
    Err(source.error(&method.span(), message))
}

fn statuses(source: &Source, read: &source::Request) -> Result<Vec<u16>, WorkloadError> {
    let status = |status: &Spanned<u16>| match *status.get_ref() {
        sound @ 200..=599 => Ok(sound),
        _ => Err(source.error(&status.span(), "a status is a number from 200 to 599")),
    };
    read.status.iter().map(status).collect()
}

fn acted_on(source: &Source, read: &source::Request, scope: &Scope) -> Result<Vec<usize>, WorkloadError> {
    let row = |name: &Spanned<String>| {
        let row = scope.row(name.get_ref());
        row.ok_or_else(|| source.error(&name.span(), format!("the transaction has no row {:?}", name.get_ref())))
    };
    read.acts_on.iter().map(row).collect()
}

fn checks(
    source: &Source,
    read: &source::Request,
    wanted: &mut Wanted,
    template: impl Fn(&Spanned<String>, Escape) -> Result<Template, WorkloadError>,
) -> Result<Vec<Check>, WorkloadError> {
    let mut checks = Vec::new();
    for check in &read.checks {
        let place = wanted.add(pointer(source, &check.at)?);
        let expected = match (&check.equals, check.exists, check.at_least) {
            (Some(value), None, None) => {
                let text = as_text(value.get_ref());
                let text = text.ok_or_else(|| source.error(&value.span(), "a text, a number, or true or false"))?;
                Expected::Equals(template(&Spanned::new(value.span(), text), Escape::None)?)
            }
            (None, Some(exists), None) => Expected::Exists(exists),
            (None, None, Some(least)) => Expected::AtLeast(least),
            _ => {
                return Err(source.error(&check.at.span(), "a check has one of equals, exists, at_least"));
            }
        };
        checks.push(Check { at: check.at.get_ref().clone(), place, expected });
    }
    Ok(checks)
}
