//! Records in other formats: finding aids, MARCXML, Dublin Core, MODS, METS, EAC-CPF, labels and sheets (contract 3.5, 6).

use std::{future::Future, time::Duration};

use ::archives::{
    exports::{self, Exported, SheetKind, Told},
    finding_aid::{self, Asked},
    printing::{NotPrinted, Printer},
    records::Place,
    refusal::Refusal,
};
use axum::body::Body;
use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use http::{Method, StatusCode, header};
use metadata::Dmd;
use serde_json::json;

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::{Problem, Reply};

const VIEW: &[&str] = &["view_repository"];
const XML: &str = "application/xml";
const PDF: &str = "application/pdf";
/// A client waits this long for a printer at most.
const PATIENCE: Duration = Duration::from_secs(20);
/// A PDF is handed on in parts of so many bytes.
const PART: usize = 1 << 16;
const TSV: &str = "text/tab-separated-values";

/// The kinds of agents that have exports, and their members of paths.
const AGENTS: [(&str, &str); 3] =
    [("people", "agent_person"), ("families", "agent_family"), ("corporate_entities", "agent_corporate_entity")];

pub(super) fn routes(endpoints: &mut Endpoints) {
    let path = "/repositories/{repo_id}/resource_descriptions";
    endpoints
        .add(Method::GET, &format!("{path}/{{id}}.xml"), VIEW, ead)
        .streams()
        .asks("include_unpublished:bool include_daos:bool numbered_cs:bool include_uris:bool ead3:bool")
        .summary("Read the finding aid of a resource as EAD")
        .gives_media(XML);
    endpoints
        .add(Method::GET, &format!("{path}/{{id}}.pdf"), VIEW, pdf)
        .streams()
        .asks("include_unpublished:bool include_daos:bool numbered_cs:bool include_uris:bool print_pdf:bool ead3:bool")
        .summary("Read the finding aid of a resource as PDF")
        .gives_media(PDF)
        .refuses(&[400]);
    described(endpoints, path, VIEW, "resource", "ead");
    let path = "/repositories/{repo_id}/resources/marc21";
    endpoints
        .add(Method::GET, &format!("{path}/{{id}}.xml"), VIEW, marc)
        .asks("include_unpublished_marc:bool")
        .summary("Read a resource as MARCXML")
        .gives_media(XML);
    described(endpoints, path, VIEW, "resource", "marc21");
    let path = "/repositories/{repo_id}/resource_labels";
    endpoints
        .add(Method::GET, &format!("{path}/{{id}}.tsv"), VIEW, labels)
        .streams()
        .summary("Read the labels of the containers of a resource")
        .gives_media(TSV);
    described(endpoints, path, VIEW, "resource", "labels");
    let path = "/repositories/{repo_id}/resources/{id}/templates";
    let containers = |call| sheet(call, SheetKind::Containers);
    endpoints
        .add(Method::GET, &format!("{path}/top_container_creation.csv"), VIEW, containers)
        .streams()
        .summary("Read a table to fill in with containers")
        .gives_media("text/csv");
    let digital_objects = |call| sheet(call, SheetKind::DigitalObjects);
    endpoints
        .add(Method::GET, &format!("{path}/digital_object_creation.csv"), VIEW, digital_objects)
        .streams()
        .summary("Read a table to fill in with digital objects")
        .gives_media("text/csv");
    digital_object_routes(endpoints);
    for (member, kind) in AGENTS {
        let path = format!("/repositories/{{repo_id}}/agents/{member}/marc21");
        endpoints
            .add(Method::GET, &format!("{path}/{{id}}.xml"), VIEW, move |call| marc_of_agent(call, kind))
            .summary("Read an agent as MARCXML")
            .gives_media(XML);
        described(endpoints, &path, VIEW, kind, "marc");
        let path = format!("/repositories/{{repo_id}}/archival_contexts/{member}");
        endpoints
            .add(Method::GET, &format!("{path}/{{id}}.xml"), &[], move |call| eac(call, kind))
            .streams()
            .summary("Read an agent as EAC-CPF")
            .gives_media(XML);
        described(endpoints, &path, &[], kind, "eac");
    }
}

fn digital_object_routes(endpoints: &mut Endpoints) {
    let path = "/repositories/{repo_id}/digital_objects";
    endpoints
        .add(Method::GET, &format!("{path}/dublin_core/{{id}}.xml"), VIEW, dublin_core)
        .summary("Read a digital object as Dublin Core")
        .gives_media(XML);
    described(endpoints, &format!("{path}/dublin_core"), VIEW, "digital_object", "dc");
    endpoints
        .add(Method::GET, &format!("{path}/mods/{{id}}.xml"), VIEW, mods)
        .streams()
        .summary("Read a digital object as MODS")
        .gives_media(XML);
    described(endpoints, &format!("{path}/mods"), VIEW, "digital_object", "mods");
    endpoints
        .add(Method::GET, &format!("{path}/mets/{{id}}.xml"), VIEW, mets)
        .streams()
        .asks("dmd:text")
        .summary("Read a digital object as METS")
        .gives_media(XML);
    described(endpoints, &format!("{path}/mets"), VIEW, "digital_object", "mets");
}

/// The route that tells under which name and as what clients save an export: of a file, `{id}.{format}`.
fn described(
    endpoints: &mut Endpoints,
    path: &str,
    needs: &'static [&'static str],
    kind: &'static str,
    format: &'static str,
) {
    endpoints
        .add(Method::GET, &format!("{path}/{{file}}/metadata"), needs, move |call| description(call, kind, format))
        .summary("Read the name for the file of an export")
        .gives("filename*, mimetype*")
        .refuses(&[400, 404]);
}

async fn description(call: Call, kind: &'static str, format: &'static str) -> Answer {
    let (id, extension) = call.in_path("file").split_once('.').unwrap_or_default();
    let id = id
        .parse()
        .map_err(|_| Refusal::parameter("id", format!("Wanted type Integer but got '{}'", call.in_path("file"))))?;
    let (suffix, mime) = match format {
        "labels" => ("labels.tsv".to_owned(), TSV.to_owned()),
        "ead" => (format!("ead.{extension}"), format!("application/{extension}")),
        _ => (format!("{format}.xml"), XML.to_owned()),
    };
    let place = Place { kind, repository: call.repository.filter(|_| !kind.starts_with("agent_")) };
    let name = exports::file_name(&call.session, place, id, call.seen(), &suffix, call.now).await?;
    Ok(Reply::json(&json!({"filename": name, "mimetype": mime})))
}

impl Call {
    /// The record in the path of an export.
    fn exported(&self) -> Exported {
        Exported { repository: self.repository.unwrap_or_default(), id: self.id(), seen: self.seen() }
    }

    /// Where clients find records, before their addresses.
    fn site(&self) -> String {
        self.app.settings.archives_url.clone()
    }

    /// Answers with a document that is made in parts.
    async fn streamed<S, B>(&self, media: &'static str, parts: impl Future<Output = Result<S, Refusal>>) -> Answer
    where
        S: Stream<Item = Result<B, Refusal>> + Send + 'static,
        B: Into<Bytes> + 'static,
    {
        let body = self.app.spools.body(parts.await?.map_ok(Into::into)).await?;
        Ok(Reply::typed(media, body))
    }
}

fn whole(text: String) -> Answer {
    Ok(Reply::typed(XML, Body::from(text)))
}

async fn ead(call: Call) -> Answer {
    let flag = |name: &str, otherwise| call.parameters.boolean(name).unwrap_or(otherwise);
    let asked = Asked {
        include_unpublished: flag("include_unpublished", false),
        include_daos: flag("include_daos", false),
        numbered_cs: flag("numbered_cs", false),
        include_uris: flag("include_uris", true),
        ead3: flag("ead3", false),
    };
    call.streamed(XML, finding_aid::ead(&call.session, call.exported(), asked, call.now)).await
}

/// A printed finding aid. `numbered_cs`, `print_pdf` and `ead3` are there for clients that send them, and change nothing on paper.
async fn pdf(call: Call) -> Answer {
    let flag = |name: &str| call.parameters.boolean(name).unwrap_or(false);
    let asked = Asked {
        include_unpublished: flag("include_unpublished"),
        include_daos: flag("include_daos"),
        numbered_cs: false,
        include_uris: flag("include_uris"),
        ead3: false,
    };
    let busy = "Other finding aids are being printed; try again later, or print this one with a print_to_pdf_job";
    let busy = |_| Problem::Text(StatusCode::SERVICE_UNAVAILABLE, busy.to_owned());
    let printer = tokio::time::timeout(PATIENCE, Printer::free()).await.map_err(busy)?;
    let settings = &call.app.settings;
    let bounds = (settings.spool.directory.as_deref(), settings.most_printed_pages);
    let printed = printer.print(&call.session, call.exported(), (asked, call.now), bounds, |_| true).await;
    let printed = printed.map_err(|error| match error {
        NotPrinted::Refused(refusal) => refusal,
        other => Refusal::BadRequest(other.to_string()),
    })?;
    let pdf = Bytes::from(printed.pdf);
    let parts: Vec<_> = (0..pdf.len()).step_by(PART).map(|at| pdf.slice(at..pdf.len().min(at + PART))).collect();
    call.streamed(PDF, std::future::ready(Ok(stream::iter(parts).map(Ok)))).await
}

async fn marc(call: Call) -> Answer {
    let all = call.parameters.boolean("include_unpublished_marc").unwrap_or(false);
    whole(exports::marc_of_resource(&call.session, call.exported(), all).await?)
}

async fn labels(call: Call) -> Answer {
    call.streamed(TSV, exports::labels(&call.session, call.exported())).await
}

async fn sheet(call: Call, kind: SheetKind) -> Answer {
    let reply = call.streamed("text/csv", exports::sheet(&call.session, call.exported(), kind)).await?;
    let what = match kind {
        SheetKind::Containers => "_top_containers",
        SheetKind::DigitalObjects => "digital_objects",
    };
    let name = format!("attachment; filename=\"resource_{}{what}.csv\"", call.id());
    Ok(reply.with_header(header::CONTENT_DISPOSITION, &name))
}

async fn dublin_core(call: Call) -> Answer {
    whole(exports::dublin_core(&call.session, call.exported(), &call.site()).await?)
}

async fn mods(call: Call) -> Answer {
    call.streamed(XML, exports::mods(&call.session, call.exported())).await
}

async fn mets(call: Call) -> Answer {
    let dmd = Dmd::named(call.parameters.text("dmd"));
    call.streamed(XML, exports::mets(&call.session, call.exported(), dmd, (call.site(), call.now))).await
}

async fn marc_of_agent(call: Call, kind: &'static str) -> Answer {
    whole(exports::marc_of_agent(&call.session, kind, call.id(), &call.site()).await?)
}

/// Anybody may read agents. The titles of records that have them are for those who may read the records.
async fn eac(call: Call, kind: &'static str) -> Answer {
    let (repository, id) = (call.repository.unwrap_or_default(), call.id());
    let told = if call.rights.can("view_all_records", None) {
        Told::All
    } else if call.rights.can("view_repository", Some(repository)) {
        Told::Of(repository)
    } else {
        Told::None
    };
    call.streamed(XML, exports::eac(&call.session, kind, id, (told, call.seen()), call.site())).await
}
