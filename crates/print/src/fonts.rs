//! The fonts: those that the program brings, and those of the machine for other scripts.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

use krilla::text::Font;
use rustybuzz::ttf_parser;

use crate::block::Face;

const REGULAR: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/NotoSans-Bold.ttf");
const ITALIC: &[u8] = include_bytes!("../fonts/NotoSans-Italic.ttf");
const HEBREW: &[u8] = include_bytes!("../fonts/NotoSansHebrew.ttf");
const ARABIC: &[u8] = include_bytes!("../fonts/NotoNaskhArabic.ttf");
/// Where machines keep fonts.
const FOLDERS: [&str; 3] = ["/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts"];
/// Larger files are no fonts that a finding aid needs.
const LARGEST: u64 = 64 * 1024 * 1024;
/// How many files are looked at.
const MOST: usize = 4000;

/// A font, and what it takes to shape text with it.
#[derive(Clone)]
pub(crate) struct Typeface {
    pub(crate) font: Font,
    data: Data,
    index: u32,
}

#[derive(Clone)]
enum Data {
    BuiltIn(&'static [u8]),
    Found(Arc<Vec<u8>>),
}

impl Typeface {
    fn built_in(data: &'static [u8]) -> Option<Self> {
        Some(Self { font: Font::new(data.into(), 0)?, data: Data::BuiltIn(data), index: 0 })
    }

    fn bytes(&self) -> &[u8] {
        match &self.data {
            Data::BuiltIn(data) => data,
            Data::Found(data) => data,
        }
    }

    /// The font as its shaper needs it.
    pub(crate) fn shaping(&self) -> Option<rustybuzz::Face<'_>> {
        rustybuzz::Face::from_slice(self.bytes(), self.index)
    }

    fn has(&self, character: char) -> bool {
        has_character(self.bytes(), self.index, character)
    }
}

fn has_character(data: &[u8], index: u32, character: char) -> bool {
    let face = ttf_parser::Face::parse(data, index);
    face.is_ok_and(|face| face.glyph_index(character).is_some())
}

/// All fonts; those of the machine are read when a character needs them.
pub(crate) struct Fonts {
    faces: Vec<Typeface>,
    /// Which font has a character; `None` for no font.
    known: HashMap<(char, Face), Option<usize>>,
    /// Blocks of 256 characters for which the machine's fonts were searched, with what they had.
    searched: HashSet<u32>,
    files: Option<Vec<PathBuf>>,
}

impl Fonts {
    pub(crate) fn built_in() -> Self {
        let faces = [REGULAR, BOLD, ITALIC, HEBREW, ARABIC].into_iter().filter_map(Typeface::built_in).collect();
        Self { faces, known: HashMap::new(), searched: HashSet::new(), files: None }
    }

    pub(crate) fn get(&self, place: usize) -> &Typeface {
        &self.faces[place]
    }

    /// The font for a character in a look; `None` if no font of this machine has it.
    pub(crate) fn for_character(&mut self, character: char, face: Face) -> Option<usize> {
        if let Some(known) = self.known.get(&(character, face)) {
            return *known;
        }
        let first = match face {
            Face::Regular => 0,
            Face::Bold => 1,
            Face::Italic => 2,
        };
        let all = std::iter::once(first).chain(0..self.faces.len());
        let found = all.into_iter().find(|place| self.faces[*place].has(character));
        let found = found.or_else(|| self.search(character));
        self.known.insert((character, face), found);
        found
    }

    fn search(&mut self, character: char) -> Option<usize> {
        if !self.searched.insert(u32::from(character) >> 8) {
            return None;
        }
        let files = self.files.get_or_insert_with(files);
        let found = files.iter().find_map(|path| {
            let data = Arc::new(std::fs::read(path).ok()?);
            let count = ttf_parser::fonts_in_collection(&data).unwrap_or(1);
            let has = |index: &u32| has_character(&data, *index, character);
            let index = (0..count).find(has)?;
            let font = Font::new(Arc::clone(&data).into(), index)?;
            Some(Typeface { font, data: Data::Found(Arc::clone(&data)), index })
        })?;
        self.faces.push(found);
        Some(self.faces.len() - 1)
    }
}

/// The fonts of this machine, regular ones first.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(PathBuf::from).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, data) = (entry.path(), entry.metadata());
            let Ok(data) = data else { continue };
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
            if data.is_dir() {
                folders.push(path);
            } else if ["ttf", "otf", "ttc"].contains(&ending.as_str()) && data.len() <= LARGEST && found.len() < MOST {
                found.push(path);
            }
        }
    }
    found.sort_by_key(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let is_special = ["bold", "italic", "oblique", "light", "mono", "condensed", "awesome", "emoji"]
            .iter()
            .any(|word| name.contains(word));
        (is_special, path.clone())
    });
    found
}
