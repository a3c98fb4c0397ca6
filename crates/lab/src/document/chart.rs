//! Line charts as SVG, in placeholder colours that the page's style replaces, so that one drawing suits light, dark and
//! print.

use std::ops::Range;

use plotters::{
    coord::{
        Shift,
        combinators::IntoLogRange,
        ranged1d::{Ranged, ValueFormatter},
    },
    prelude::*,
};
use serde::Serialize;

use super::number;

/// The most lines that can be distinguished in a chart.
pub(crate) const MOST_LINES: usize = 6;
const SIZE: (u32, u32) = (960, 280);
const INK: RGBColor = RGBColor(0, 0, 1);
const RULE: RGBColor = RGBColor(0, 0, 2);

#[derive(Debug, Clone, Serialize)]
pub struct Chart {
    /// What it shows, with the unit.
    pub title: String,
    /// A sentence with the extremes, for readers who cannot see it.
    pub words: String,
    /// Names of its lines.
    pub legend: Vec<String>,
    pub svg: String,
}

/// A named line; gaps where there is no value.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, Option<f64>)>,
}

/// The horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Across {
    /// Seconds of the run, up to this one.
    Seconds(f64),
    /// One in this many requests is slower, on a logarithmic axis: 2 is the median, 100 the 99th percentile.
    OneIn(f64),
}

/// Draws lines; the drawing is empty if there are no values.
pub(crate) fn draw(title: &str, across: Across, unit: Unit, lines: &[Line]) -> Chart {
    let lines = &lines[..lines.len().min(MOST_LINES)];
    let most = values(lines).fold(0.0, f64::max);
    let svg = if values(lines).next().is_none() {
        String::new()
    } else {
        // Drawing into a String fails only for coordinates that are not numbers.
        drawn(across, unit, most, lines).unwrap_or_default()
    };
    let sentences = lines.iter().filter_map(|line| in_words(line, unit));
    Chart {
        title: title.to_owned(),
        words: format!("{title}. {}", sentences.collect::<Vec<_>>().join(" ")),
        legend: lines.iter().map(|line| line.name.clone()).collect(),
        svg,
    }
}

/// The unit of a chart's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Number,
    Millis,
    Bytes,
    /// A fraction of 1.
    Share,
}

impl Unit {
    /// Formats a value.
    pub fn write(self, value: f64) -> String {
        match self {
            _ if value == 0.0 => "0".to_owned(),
            Self::Number if value.fract().abs() < 1e-9 => number::number(value, 0),
            Self::Number => number::number(value, if value.abs() < 10.0 { 2 } else { 1 }),
            Self::Millis => number::latency(value),
            Self::Bytes => number::bytes(value),
            Self::Share => number::share(value),
        }
    }
}

fn values(lines: &[Line]) -> impl Iterator<Item = f64> {
    let points = lines.iter().flat_map(|line| &line.points);
    points.filter_map(|(_, value)| value.filter(|value| value.is_finite()))
}

fn in_words(line: &Line, unit: Unit) -> Option<String> {
    let values: Vec<f64> = line.points.iter().filter_map(|point| point.1).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let [first, last, most] = [first, last, most].map(|value| unit.write(value));
    Some(format!("{}: from {first} to {last}, at most {most}.", line.name))
}

fn drawn(across: Across, unit: Unit, most: f64, lines: &[Line]) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let up = 0.0..(most * 1.08).max(f64::MIN_POSITIVE * 1e30);
        match across {
            Across::Seconds(end) => {
                let label = |second: &f64| time(*second);
                plot(&area, 0.0..end.max(1.0), &label, ("time of the run", 9), up, unit, lines)?;
            }
            Across::OneIn(end) => {
                let label = |one_in: &f64| format!("{}", 100.0 - 100.0 / one_in);
                let range = (1.0..end.max(10.0)).log_scale();
                plot(&area, range, &label, ("percentile", 8), up, unit, lines)?;
            }
        }
        area.present()?;
    }
    Ok(svg)
}

fn plot<X>(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    across: impl plotters::coord::ranged1d::AsRangedCoord<CoordDescType = X, Value = f64>,
    label: &dyn Fn(&f64) -> String,
    (name, labels): (&str, usize),
    up: Range<f64>,
    unit: Unit,
    lines: &[Line],
) -> Result<(), Box<dyn std::error::Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut builder = ChartBuilder::on(area);
    let mut chart = builder
        .margin(8)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d(across, up)?;
    let text = || ("sans-serif", 14).into_font().color(&INK);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RULE)
        .axis_style(INK)
        .label_style(text())
        .axis_desc_style(text())
        .x_desc(name)
        .x_labels(labels)
        .y_labels(6)
        .x_label_formatter(label)
        .y_label_formatter(&|value| unit.write(*value))
        .draw()?;
    for (number, line) in lines.iter().enumerate() {
        let colour = RGBColor(0, 0, 0x11 + u8::try_from(number)?);
        for stretch in stretches(line) {
            if let [alone] = stretch.as_slice() {
                chart.draw_series([Circle::new(*alone, 2, colour.filled())])?;
            } else {
                chart.draw_series(LineSeries::new(stretch, colour.stroke_width(2)))?;
            }
        }
    }
    Ok(())
}

/// The contiguous stretches of points between gaps.
fn stretches(line: &Line) -> Vec<Vec<(f64, f64)>> {
    let pieces = line.points.split(|(_, value)| value.is_none());
    let pieces = pieces.map(|piece| {
        let points = piece.iter().filter_map(|&(at, value)| Some((at, value?)));
        points.collect::<Vec<_>>()
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}

/// A time of the run: `0:30`, `1:02:00`.
fn time(seconds: f64) -> String {
    let whole = seconds.round().max(0.0) as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[Option<f64>]) -> Line {
        let points = values.iter().enumerate();
        Line { name: "Check-in".to_owned(), points: points.map(|(at, value)| (at as f64, *value)).collect() }
    }

    #[test]
    fn gaps_are_not_drawn_over() {
        let gap = line(&[Some(1.0), Some(2.0), None, Some(3.0), None, None]);
        let lengths: Vec<usize> = stretches(&gap).iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 1]);
        let chart = draw("p95", Across::Seconds(6.0), Unit::Millis, &[gap]);
        assert!(chart.svg.starts_with("<svg"), "{}", chart.svg);
        assert_eq!(chart.svg.matches("#000011").count(), 2, "{}", chart.svg);
        assert_eq!(chart.words, "p95. Check-in: from 1.0 ms to 3.0 ms, at most 3.0 ms.");
    }

    #[test]
    fn nothing_to_draw_is_an_empty_drawing() {
        for values in [&[][..], &[None, None], &[Some(f64::NAN)]] {
            let chart = draw("p95", Across::Seconds(2.0), Unit::Number, &[line(values)]);
            assert_eq!(chart.svg, "", "{values:?}");
        }
    }

    #[test]
    fn only_zeros_can_be_drawn() {
        let zeros = line(&[Some(0.0), Some(0.0)]);
        let chart = draw("waits", Across::Seconds(2.0), Unit::Number, &[zeros]);
        assert!(chart.svg.contains("polyline"), "{}", chart.svg);
    }

    #[test]
    fn times_of_a_run_are_formatted_like_a_clock() {
        let times = [0.0, 59.6, 600.0, 57_600.0].map(time);
        assert_eq!(times, ["0:00", "1:00", "10:00", "16:00:00"]);
    }
}
