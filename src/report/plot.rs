//! Plots as SVG, in colours that the page's style chooses, light or dark.
//!
//! `plotters` writes colours into attributes. The four used here are no colours but names, which the style sheet of the
//! report maps (`svg [fill="#030303"]`): ink, grid, series and shade.

use super::escape::{Text, number};
use plotters::prelude::*;

const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);
const SERIES: RGBColor = RGBColor(3, 3, 3);
const SHADE: RGBColor = RGBColor(4, 4, 4);
/// Width and height, in units of the drawing; it is shown as wide as there is room.
const SIZE: (u32, u32) = (640, 260);
/// Points of a series that are drawn at most.
const MOST_POINTS: usize = 600;

/// What a plot is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A line from point to point.
    Line,
    /// A line from the axis up to each point.
    Needles,
    /// A bar from each point to the next one's place.
    Bars,
}

/// What a plot shows.
#[derive(Clone, Debug)]
pub(super) struct Plot<'a> {
    /// What it shows, for those who do not see it as well.
    pub(super) caption: &'a str,
    /// Names of the axes.
    pub(super) axes: [&'a str; 2],
    /// The shape.
    pub(super) shape: Shape,
    /// Where the axes end; they begin at 0.
    pub(super) ends: [f64; 2],
    /// Points by their first value.
    pub(super) points: &'a [(f64, f64)],
    /// Ranges of the first axis that are shaded.
    pub(super) shaded: &'a [(f64, f64)],
}

/// A figure with the plot in it; of many points, the highest in each place. Empty where nothing can be drawn.
pub(super) fn figure(plot: &Plot<'_>) -> String {
    let mut svg = String::new();
    if draw(plot, &mut svg).is_err() {
        return String::new();
    }
    let named = format!("<svg role=\"img\" aria-label=\"{}\" ", Text(plot.caption));
    let svg = svg.replacen("<svg ", &named, 1);
    format!("<figure>{svg}<figcaption>{}</figcaption></figure>", Text(plot.caption))
}

fn draw(plot: &Plot<'_>, svg: &mut String) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let points = thinned(plot.points, plot.ends[0]);
    let [width, height] = plot.ends.map(|end| if end.is_finite() && end > 0.0 { end } else { 1.0 });
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let mut chart = ChartBuilder::on(&root)
        .margin(8)
        // Half of the last label stands beyond the axis.
        .margin_right(32)
        .x_label_area_size(42)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..width, 0.0..height)?;
    let shade = |&(from, to): &(f64, f64)| Rectangle::new([(from, 0.0), (to, height)], SHADE.filled());
    chart.draw_series(plot.shaded.iter().map(shade))?;
    let label = ("sans-serif", 15).into_font().color(&INK);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .x_desc(plot.axes[0])
        .y_desc(plot.axes[1])
        .x_labels(8)
        .y_labels(5)
        .x_label_formatter(&|value| tick(*value))
        .y_label_formatter(&|value| tick(*value))
        .label_style(label.clone())
        .axis_desc_style(label)
        .draw()?;
    match plot.shape {
        Shape::Line => {
            chart.draw_series(LineSeries::new(points.iter().copied(), SERIES.stroke_width(2)))?;
        }
        Shape::Needles => {
            // One path down and up again: an element for each would make up a third of a page's bytes.
            let path = points.iter().filter(|point| point.1 > 0.0).flat_map(|&(x, y)| [(x, 0.0), (x, y), (x, 0.0)]);
            chart.draw_series(std::iter::once(PathElement::new(path.collect::<Vec<_>>(), SERIES)))?;
        }
        Shape::Bars => {
            let next = points.iter().skip(1).map(|point| point.0).chain([width]);
            let bar = |(&(x, y), next): (&(f64, f64), f64)| {
                Rectangle::new([(x, 0.0), (x + (next - x) * 0.9, y)], SERIES.filled())
            };
            chart.draw_series(points.iter().zip(next).map(bar))?;
        }
    }
    root.present()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of what is counted")]
fn tick(value: f64) -> String {
    if value >= 1000.0 {
        return number(value.round() as u64);
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// At most [`MOST_POINTS`] points: the highest of each of as many places.
fn thinned(points: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let mut kept: Vec<(usize, (f64, f64))> = Vec::with_capacity(MOST_POINTS);
    for &point in points {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place from 0 to MOST_POINTS")]
        let place = (point.0 / end.max(1.0) * MOST_POINTS as f64).clamp(0.0, MOST_POINTS as f64) as usize;
        match kept.last_mut().filter(|last| last.0 == place) {
            Some(last) if last.1.1 < point.1 => last.1 = point,
            Some(_) => {}
            None => kept.push((place, point)),
        }
    }
    kept.into_iter().map(|(_, point)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_are_named_and_bring_no_style_of_their_own() {
        let points: Vec<(f64, f64)> = (0..5000).map(|at| (f64::from(at), f64::from(at % 7))).collect();
        for shape in [Shape::Line, Shape::Needles, Shape::Bars] {
            let plot = Plot {
                caption: "a <b> \"c\"",
                axes: ["x", "y"],
                shape,
                ends: [5000.0, 7.0],
                points: &points,
                shaded: &[(3.0, 9.0)],
            };
            let html = figure(&plot);
            assert!(html.contains("aria-label=\"a &lt;b&gt; &quot;c&quot;\""), "{html}");
            assert!(html.contains("#030303") && html.contains("#040404") && !html.contains("style="), "{html}");
            assert!(html.len() < 200_000, "{}", html.len());
        }
        let nothing =
            Plot { caption: "", axes: ["", ""], shape: Shape::Line, ends: [0.0, f64::NAN], points: &[], shaded: &[] };
        assert!(figure(&nothing).contains("<svg"));
    }

    #[test]
    fn the_highest_of_each_place_stays() {
        let points: Vec<(f64, f64)> = (0..6000).map(|at| (f64::from(at), if at == 777 { 9.0 } else { 1.0 })).collect();
        let kept = thinned(&points, 6000.0);
        assert!(kept.len() <= MOST_POINTS + 1 && kept.contains(&(777.0, 9.0)));
    }
}
