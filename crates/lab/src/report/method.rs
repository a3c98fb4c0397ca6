//! Explains how latency was measured.

use crate::{
    compare::pages,
    document::{Block, number},
    results::model::{Correction, Results},
};

pub(super) fn blocks(results: &Results, compared: bool) -> Vec<Block> {
    let mut sentences = vec![counted(results)];
    sentences.push(
        "A transaction is everything between the first request of a session and its last answer, pauses left out. Failed \
         transactions and requests are counted as errors and have no latency."
            .to_owned(),
    );
    sentences.push(format!(
        "The first {} of each load (ramp-up and warm-up) are in the charts over time and in nothing else.",
        number::duration(results.workload.warm_up_seconds)
    ));
    sentences.push(
        "Percentiles are from HDR histograms with three exact digits: a figure is off by at most a thousandth. The 95th \
         percentile is the time that 95 of 100 did not exceed."
            .to_owned(),
    );
    sentences.push(
        "Each load says whether the generator was itself the limit: its own processors busy, or sessions that began late \
         because of it."
            .to_owned(),
    );
    if compared {
        sentences.extend(pages::method());
    }
    vec![Block::List(sentences)]
}

fn counted(results: &Results) -> String {
    match results.stages.first().map(|stage| stage.correction) {
        Some(Correction::IntendedStart) => {
            "Latency is counted from when a session was meant to begin, not from when its first request left: if the \
             server stalls, the wait of those who could not begin counts."
        }
        Some(Correction::ExpectedInterval { .. }) => {
            "Each user waits for an answer before it goes on, so that a server which stalls is asked less often, and a \
             plain count would hide the stall. Latency is therefore counted from the intended start: for an answer that \
             took longer than users usually leave between two such requests, the requests that were held up meanwhile \
             are added (HdrHistogram's rule for an expected interval). results.json has the plain count, too, as \
             `measured`."
        }
        Some(Correction::AsRecorded) => {
            "Another tool recorded the samples. Latency is counted from when each request was sent; what a stall kept \
             from being sent is missing, so that the high percentiles are lower than users would have seen."
        }
        None => "Nothing was measured.",
    }
    .to_owned()
}
