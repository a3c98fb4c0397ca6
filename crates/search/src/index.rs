//! The index on disk.

use std::{borrow::Cow, path::Path, sync::Arc};

use serde_json::Value;
use tantivy::{
    Index as Files, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, Term,
    indexer::{IndexWriterOptions, NoMergePolicy},
};

use crate::{
    SearchError, analysis,
    columns::Columns,
    document::{Document, Shown},
    entry::Entry,
    fields::Fields,
    folder,
    known::Terms,
    merging::Merges,
    steady::SteadyDirectory,
    tally::Tallies,
};

/// Memory for documents that are not written to disk yet, in bytes: of an index that is searched and of one that is built. The
/// more documents are written at once, the fewer files have to be merged; but what is gathered of more does not fit into the processor's
/// caches, and takes longer.
const MEMORY: usize = 30_000_000;
const MEMORY_TO_BUILD: usize = 50_000_000;

/// What the names of threads that merge files begin with.
pub const MERGING: &str = "merge_thread";
/// What the names of threads that write documents begin with. Each commit starts others.
pub const WRITING: &str = "thrd-tantivy";

/// Reads an index; cheap to copy.
#[derive(Clone)]
pub struct Reader {
    reader: IndexReader,
    fields: Arc<Fields>,
    pub(crate) tallies: Arc<Tallies>,
    pub(crate) columns: Arc<Columns>,
    pub(crate) terms: Arc<Terms>,
}

impl Reader {
    pub(crate) fn searcher(&self) -> Searcher {
        let searcher = self.reader.searcher();
        self.columns.keep(&searcher);
        searcher
    }

    /// Its fields.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// How many documents it has.
    pub fn documents(&self) -> u64 {
        self.searcher().num_docs()
    }

    /// How many segments it has: a search looks into each.
    pub fn segments(&self) -> usize {
        self.reader.searcher().segment_readers().len()
    }
}

/// Writes an index. There is one for a directory.
pub struct Writer {
    writer: IndexWriter<Entry>,
    reader: Reader,
    position: Option<String>,
    is_changed: bool,
    is_older: bool,
    merges: Merges,
}

impl Writer {
    /// Opens the index in a directory, or begins one in an empty or missing directory. Not all of it is read: [`Self::check`]
    /// does that. Files are merged when [`Self::tend`] is called, by threads whose names begin with [`MERGING`].
    ///
    /// # Errors
    /// [`SearchError::Unusable`] if what is there is plainly damaged, or no index of this crate.
    pub fn open(directory: &Path, fields: Arc<Fields>) -> Result<Self, SearchError> {
        Self::with(directory, fields, MEMORY)
    }

    /// Opens it to add many documents. Files should not be merged meanwhile: they would be merged again with those that follow.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub fn build(directory: &Path, fields: Arc<Fields>) -> Result<Self, SearchError> {
        Self::with(directory, fields, MEMORY_TO_BUILD)
    }

    fn with(directory: &Path, fields: Arc<Fields>, memory: usize) -> Result<Self, SearchError> {
        let failed = |error: &dyn std::fmt::Display| SearchError::Failed(format!("{}: {error}", directory.display()));
        folder::make(directory).map_err(|error| failed(&error))?;
        let files = SteadyDirectory::open(directory).map_err(|error| failed(&error))?;
        let mut files = if Files::exists(&files).map_err(|error| failed(&error))? {
            Files::open(files)?
        } else {
            Files::create(files, fields.schema.clone(), IndexSettings::default())?
        };
        let is_older = files.schema() != fields.schema;
        let fields = if is_older { Arc::new(older(&files, &fields)?) } else { fields };
        files.set_tokenizers(analysis::tokenizers());
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .memory_budget_per_thread(memory)
            .num_merge_threads(1)
            .build();
        let writer = files.writer_with_options(options)?;
        // What tantivy would merge by itself, while something is added, is soon deleted (module `merging`).
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let reader = files.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(8);
        let (tallies, columns, terms) = <(Arc<Tallies>, Arc<Columns>, Arc<Terms>)>::default();
        let reader = Reader { reader: reader.try_into()?, fields, tallies, columns, terms };
        Ok(Self {
            writer,
            reader,
            position: files.load_metas()?.payload,
            is_changed: false,
            is_older,
            merges: Merges::default(),
        })
    }

    /// Whether the index was made for other fields: those that it lacks find nothing.
    pub fn is_older(&self) -> bool {
        self.is_older
    }

    /// Reads all of the index, to find damage.
    ///
    /// # Errors
    /// [`SearchError::Unusable`] if it is damaged.
    pub fn check(&self) -> Result<(), SearchError> {
        whole(self.writer.index())
    }

    /// Reads what is committed.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// The position of the last commit; `None` for an index that has just been begun.
    pub fn position(&self) -> Option<&str> {
        self.position.as_deref()
    }

    /// Deletes the documents of a source.
    pub fn delete(&mut self, source: &str) {
        self.is_changed = true;
        self.writer.delete_term(Term::from_field_text(self.reader.fields.source, source));
    }

    /// Adds a document.
    ///
    /// # Errors
    /// [`SearchError`] if the disk is full, for example.
    pub fn add(&mut self, document: &Document) -> Result<(), SearchError> {
        priority::give_way();
        self.is_changed = true;
        let fields = &self.reader.fields;
        let hidden = &document.hidden;
        let mut entry = Entry::with_capacity(hidden.len() + 3, hidden.bytes() + document.bytes());
        entry.add(fields.id, &document.id);
        entry.add(fields.source, &document.source);
        match &document.shown {
            Shown::Text(text) => entry.add(fields.stored, text),
            Shown::Members(members) | Shown::MembersOf(members, _) => {
                let text = serde_json::to_string(members).map_err(|error| SearchError::Failed(error.to_string()))?;
                entry.add(fields.stored, &text);
                for (name, member) in members {
                    texts(member).for_each(|value| fields.add(&mut entry, name, &value));
                }
            }
        }
        if let (Shown::MembersOf(_, record), Some(column)) = (&document.shown, fields.record) {
            entry.add(column, record);
        }
        hidden.iter().for_each(|(name, value)| fields.add(&mut entry, name, value));
        self.writer.add_document(entry.sorted())?;
        Ok(())
    }

    /// Writes what was added and deleted, with the position that it brings the index to; readers see it. Does nothing if
    /// neither has changed.
    ///
    /// # Errors
    /// [`SearchError`]; the index then is as it was at the commit before.
    pub fn commit(&mut self, position: &str) -> Result<(), SearchError> {
        if !self.is_changed && self.position.as_deref() == Some(position) {
            return Ok(());
        }
        let mut commit = self.writer.prepare_commit()?;
        commit.set_payload(position);
        commit.commit()?;
        self.reader.reader.reload()?;
        self.position = Some(position.to_owned());
        self.is_changed = false;
        Ok(())
    }

    /// Begins to merge files of which there are many, and reads those that were merged since the last commit. To be called now and
    /// then; most calls do little.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn tend(&mut self) -> Result<(), SearchError> {
        let segments = self.writer.index().searchable_segment_metas()?;
        if segments.len() < self.reader.segments() && !self.is_changed {
            self.reader.reader.reload()?;
        }
        self.merges.begin(&mut self.writer, segments);
        Ok(())
    }

    /// Ends all work on the index in the background.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn close(self) -> Result<(), SearchError> {
        Ok(self.writer.wait_merging_threads()?)
    }
}

/// The fields that an index has of those that are wanted.
pub(crate) fn older(files: &Files, wanted: &Fields) -> Result<Fields, SearchError> {
    wanted.within(&files.schema()).ok_or_else(|| SearchError::Unusable("it has other fields".to_owned()))
}

/// Compares all files with their check sums.
pub(crate) fn whole(files: &Files) -> Result<(), SearchError> {
    match files.validate_checksum()?.iter().next() {
        Some(file) => Err(SearchError::Unusable(format!("{} is damaged", file.display()))),
        None => Ok(()),
    }
}

/// The texts of a value: of a list, those of its entries.
fn texts(value: &Value) -> Box<dyn Iterator<Item = Cow<'_, str>> + '_> {
    match value {
        Value::String(text) => Box::new(std::iter::once(Cow::Borrowed(text.as_str()))),
        Value::Array(entries) => Box::new(entries.iter().flat_map(texts)),
        Value::Bool(_) | Value::Number(_) => Box::new(std::iter::once(Cow::Owned(value.to_string()))),
        Value::Null | Value::Object(_) => Box::new(std::iter::empty()),
    }
}
