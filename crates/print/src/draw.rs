//! Pages as PDF.

use krilla::{
    Document,
    action::{Action, LinkAction},
    annotation::{Annotation, LinkAnnotation, Target},
    color::rgb,
    destination::XyzDestination,
    geom::{PathBuilder, Point, Rect},
    metadata::Metadata,
    num::NormalizedF32,
    outline::{Outline, OutlineNode},
    page::PageSettings,
    paint::{Fill, FillRule, Stroke},
};

use crate::{
    PrintError,
    block::{Front, Span},
    lines::one_line,
    page::{Command, MARGIN, Mark, PAGE, WIDTH, cut, place},
    shape::Shaper,
};

/// The size of running heads and page numbers.
const RUNNING: f32 = 8.0;
const BLACK: (u8, u8, u8) = (20, 20, 20);
const GREY: (u8, u8, u8) = (110, 110, 110);

/// What is drawn in one colour.
type Layer = ((u8, u8, u8), Vec<Command>);

/// A place on a page that leads to another one.
pub(crate) struct Jump {
    pub(crate) rect: Rect,
    /// Of the whole, from 0.
    pub(crate) page: usize,
    pub(crate) y: f32,
}

/// A PDF that is drawn.
pub(crate) struct Drawing {
    document: Document,
    front: Front,
    total: usize,
    drawn: usize,
}

fn fill((red, green, blue): (u8, u8, u8)) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), opacity: NormalizedF32::ONE, rule: FillRule::default() }
}

impl Drawing {
    /// An empty one that will have so many pages.
    pub(crate) fn new(front: &Front, total: usize) -> Self {
        Self { document: Document::new(), front: front.clone(), total, drawn: 0 }
    }

    /// Draws a page with its head and number.
    pub(crate) fn page(&mut self, shaper: &mut Shaper, commands: Vec<Command>) {
        self.page_with(shaper, commands, Vec::new());
    }

    /// Draws a page with places that lead elsewhere.
    pub(crate) fn page_with(&mut self, shaper: &mut Shaper, commands: Vec<Command>, jumps: Vec<Jump>) {
        let mut running = Vec::new();
        let line = cut(shaper, &self.front.title, RUNNING, WIDTH - 130.0);
        place(&mut running, line, MARGIN, MARGIN - 22.0, RUNNING);
        let (line, width) = one_line(shaper, &[Span::plain(self.front.identifier.as_str())], RUNNING);
        place(&mut running, line, MARGIN + WIDTH - width.min(120.0), MARGIN - 22.0, RUNNING);
        let number = format!("Page {} of {}", self.drawn + 1, self.total);
        let (line, width) = one_line(shaper, &[Span::plain(number)], RUNNING);
        place(&mut running, line, MARGIN + (WIDTH - width) / 2.0, PAGE.1 - MARGIN + 30.0, RUNNING);
        self.raw_page(&[(GREY, running), (BLACK, commands)], jumps);
    }

    /// Draws a page without head and number.
    pub(crate) fn plain_page(&mut self, commands: Vec<Command>) {
        self.raw_page(&[(BLACK, commands)], Vec::new());
    }

    fn raw_page(&mut self, layers: &[Layer], jumps: Vec<Jump>) {
        self.drawn += 1;
        let Some(settings) = PageSettings::from_wh(PAGE.0, PAGE.1) else { return };
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        let mut links = Vec::new();
        for (color, commands) in layers {
            surface.set_fill(Some(fill(*color)));
            for command in commands {
                match command {
                    Command::Word { x, y, size, shaped, link } => {
                        let mut at = *x;
                        for run in &shaped.runs {
                            let start = Point::from_xy(at, *y);
                            surface.draw_glyphs(start, &run.glyphs, run.font.clone(), &run.text, *size, false);
                            at += run.width * size;
                        }
                        if let Some((target, width)) = link {
                            links.push((target.to_string(), *x, *y, *width, *size));
                        }
                    }
                    Command::Rule { y } => {
                        let mut path = PathBuilder::new();
                        path.move_to(MARGIN, *y);
                        path.line_to(MARGIN + WIDTH, *y);
                        if let Some(path) = path.finish() {
                            surface.set_fill(None);
                            let (red, green, blue) = GREY;
                            let paint = rgb::Color::new(red, green, blue).into();
                            surface.set_stroke(Some(Stroke { paint, width: 0.6, ..Stroke::default() }));
                            surface.draw_path(&path);
                            surface.set_stroke(None);
                            surface.set_fill(Some(fill(*color)));
                        }
                    }
                }
            }
        }
        surface.finish();
        for (target, x, y, width, size) in links {
            if let Some(rect) = Rect::from_xywh(x, y - size, width, size * 1.25) {
                let target = Target::Action(Action::Link(LinkAction::new(target)));
                page.add_annotation(Annotation::new_link(LinkAnnotation::new(rect, target), None));
            }
        }
        for jump in jumps {
            let target = XyzDestination::new(jump.page, Point::from_xy(0.0, jump.y));
            let target = Target::Destination(target.into());
            page.add_annotation(Annotation::new_link(LinkAnnotation::new(jump.rect, target), None));
        }
        page.finish();
    }

    /// The PDF, with an outline beside its pages; marks count pages from the first of the description.
    pub(crate) fn finish(mut self, marks: &[Mark], first_page: usize) -> Result<Vec<u8>, PrintError> {
        let mut outline = Outline::new();
        for node in nodes(marks, first_page) {
            outline.push_child(node);
        }
        self.document.set_outline(outline);
        let mut metadata = Metadata::new().title(self.front.title.clone()).creator("Carrel".to_owned());
        if !self.front.author.is_empty() {
            metadata = metadata.authors(vec![self.front.author.clone()]);
        }
        if !self.front.language.is_empty() {
            metadata = metadata.language(self.front.language.clone());
        }
        self.document.set_metadata(metadata);
        self.document.finish().map_err(|error| PrintError::Pdf(format!("{error:?}")))
    }
}

/// The outline's nodes: marks below the mark of a lower level before them.
fn nodes(marks: &[Mark], first_page: usize) -> Vec<OutlineNode> {
    let mut all = Vec::new();
    let mut rest = marks;
    while let Some((mark, after)) = rest.split_first() {
        let below = after.iter().take_while(|next| next.level > mark.level).count();
        let target = XyzDestination::new(first_page + mark.page, Point::from_xy(0.0, mark.y));
        let mut node = OutlineNode::new(mark.text.clone(), target);
        for child in nodes(&after[..below], first_page) {
            node.push_child(child);
        }
        all.push(node);
        rest = &after[below..];
    }
    all
}
