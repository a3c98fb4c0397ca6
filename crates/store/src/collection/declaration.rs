//! How a collection is declared: its members, and then one call for each thing that differs from the usual.

use super::*;

impl Collection {
    /// Declares a collection; `members` is in the notation of [`crate::record`].
    ///
    /// # Panics
    /// On a mistake in the declaration.
    pub fn new(path: &'static str, list: &'static str, table: &'static str, members: &str) -> Self {
        Self {
            path,
            list,
            table,
            schema: Schema::declare(&format!("id:uuid, {members}, metadata~:Metadata")),
            indexes: Vec::new(),
            uniques: Vec::new(),
            constraints: Vec::new(),
            references: Vec::new(),
            virtuals: Vec::new(),
            aliases: Vec::new(),
            names: Vec::new(),
            entity: None,
            members: Vec::new(),
            style: Style::Rmb,
            result_info: false,
            versioned: false,
            metadata: true,
            upsert: false,
            volatile: &[],
            uncommon: None,
            told_apart: None,
            flags: Vec::new(),
            plain: false,
            composed: false,
            unsequenced: false,
            keys: Vec::new(),
            columns: Vec::new(),
            compact: Vec::new(),
            written_as: None,
            configuration: false,
            near_static: false,
            id_of_path: false,
            database_words: false,
            truncated: false,
            unsearchable: &[],
            check: None,
            without: &[],
            not_found: None,
            not_found_at_read: None,
            refused_in_general: None,
            kept: None,
            represented: None,
            default_limit: 10,
            created_status: 201,
        }
    }

    /// Makes the combination of fields unique, ignoring case and accents.
    #[must_use]
    pub fn unique(self, fields: &'static [&'static str]) -> Self {
        self.unique_as(fields, IndexKind::Folded, None)
    }

    /// Adds a unique with its own kind or words.
    pub fn unique_as(
        mut self,
        fields: &'static [&'static str],
        kind: IndexKind,
        wording: impl Into<Option<&'static Wording>>,
    ) -> Self {
        self.uniques.push(Unique { fields, kind, wording: wording.into() });
        self
    }

    /// Adds a constraint defined in `sql/replaceable/` and FOLIO's words for violating it.
    pub fn constraint(mut self, name: &'static str, wording: &'static Wording) -> Self {
        self.constraints.push(Constraint { name, wording });
        self
    }

    /// The words for what is unique and for other constraints.
    pub fn wordings(&self) -> impl Iterator<Item = &'static Wording> {
        let uniques = self.uniques.iter().filter_map(|unique| unique.wording);
        let constraints = self.constraints.iter().map(|constraint| constraint.wording);
        uniques.chain(constraints)
    }

    /// Declares a field with the id of a record in `table`.
    #[must_use]
    pub fn reference(mut self, field: &'static str, table: &'static str) -> Self {
        self.references.push(Reference { field, table: Some(table), covered: false, few: false });
        self
    }

    /// Declares a field with the id of a record to which [few](Reference::few) others refer.
    #[must_use]
    pub fn narrow_reference(mut self, field: &'static str, table: &'static str) -> Self {
        self.references.push(Reference { field, table: Some(table), covered: false, few: true });
        self
    }

    /// Declares a field with an id that is indexed but not checked, and that many records may have.
    #[must_use]
    pub fn broad_loose_reference(mut self, field: &'static str) -> Self {
        self.references.push(Reference { field, table: None, covered: false, few: false });
        self
    }

    /// Declares a field with an id that is indexed but not checked.
    #[must_use]
    pub fn loose_reference(mut self, field: &'static str) -> Self {
        self.references.push(Reference { field, table: None, covered: false, few: true });
        self
    }

    /// Declares a field with an id that is not checked; a constraint or index in `sql/replaceable/` begins with its
    /// column.
    #[must_use]
    pub fn covered_reference(mut self, field: &'static str) -> Self {
        self.references.push(Reference { field, table: None, covered: true, few: true });
        self
    }

    /// Adds indexes of that kind on the fields.
    #[must_use]
    pub fn index(mut self, kind: &IndexKind, fields: &[&'static str]) -> Self {
        self.indexes.extend(fields.iter().map(|field| Index { field, kind: kind.clone() }));
        self
    }

    /// Indexes the fields as folded text.
    #[must_use]
    pub fn folded(self, fields: &[&'static str]) -> Self {
        self.index(&IndexKind::Folded, fields)
    }

    /// Indexes the words of the fields.
    #[must_use]
    pub fn words(self, fields: &[&'static str]) -> Self {
        self.index(&IndexKind::Words, fields)
    }

    /// Adds a computed searchable field.
    #[must_use]
    pub fn virtual_field(mut self, name: &'static str, sql: &'static str) -> Self {
        self.virtuals.push(Virtual { name, sql, digits: false });
        self
    }

    /// Adds a computed searchable field with identifiers, compared without hyphens and spaces.
    #[must_use]
    pub fn digits_field(mut self, name: &'static str, sql: &'static str) -> Self {
        self.virtuals.push(Virtual { name, sql, digits: true });
        self
    }

    /// Makes fields of another collection searchable with a prefix.
    pub fn alias(mut self, name: &'static str, steps: &'static [(&'static str, &'static str, &'static str)]) -> Self {
        self.aliases.push(Alias { name, steps });
        self
    }

    /// Lets queries call members by further names: pairs of a name and a member.
    #[must_use]
    pub fn called(mut self, names: &[(&'static str, &'static str)]) -> Self {
        self.names.extend_from_slice(names);
        self
    }

    /// Names FOLIO's [class](Self::entity) of the records: queries on unknown fields are refused.
    #[must_use]
    pub fn entity(mut self, class: &'static str) -> Self {
        self.entity = Some(class);
        self
    }

    /// Makes a member of the objects in a list searchable by a name of its own: one of them has it as it is spelled.
    #[must_use]
    pub fn member(mut self, name: &'static str, list: &'static str, member: &'static str) -> Self {
        self.members.push(Member { name, list, member });
        self
    }

    /// Adds `_version` and optimistic locking.
    #[must_use]
    pub fn versioned(mut self) -> Self {
        self.versioned = true;
        self.schema = self.schema.with_version();
        self
    }

    /// Lists end with `resultInfo`.
    #[must_use]
    pub fn with_result_info(mut self) -> Self {
        self.result_info = true;
        self
    }

    /// Accepts only UUIDs of versions 1 to 5 (docs/folio/circulation.md#stored-records).
    #[must_use]
    pub fn with_versioned_ids(mut self) -> Self {
        self.schema = self.schema.with_versioned_ids();
        self
    }

    #[must_use]
    pub fn without_metadata(mut self) -> Self {
        self.metadata = false;
        self.schema = self.schema.without("metadata");
        self
    }

    /// Requires POST and PUT to include the id.
    #[must_use]
    pub fn with_required_id(mut self) -> Self {
        self.schema = self.schema.require("id");
        self
    }

    /// Lets PUT with an unknown id create the record.
    #[must_use]
    pub fn upserting(mut self) -> Self {
        self.upsert = true;
        self
    }

    /// Declares [volatile](Self::volatile) members.
    #[must_use]
    pub fn volatile(mut self, members: &'static [&'static str]) -> Self {
        self.volatile = members;
        self
    }

    /// Keeps rare values of a field in a separate table; see [`Uncommon`].
    #[must_use]
    pub fn uncommon(mut self, uncommon: Uncommon) -> Self {
        self.uncommon = Some(uncommon);
        self
    }

    /// Declares common values of a field; see [`told_apart`](Self::told_apart).
    #[must_use]
    pub fn told_apart(mut self, field: &'static str, values: &'static [&'static str]) -> Self {
        self.told_apart = Some((field, values));
        self
    }

    /// Indexes the records for which one of these [flags](Self::flags) is true.
    #[must_use]
    pub fn flags(mut self, fields: &[&'static str]) -> Self {
        self.flags.extend_from_slice(fields);
        self
    }

    /// Gives it [plain](Self::plain) columns.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Reads its records from a [view](Self::composed).
    #[must_use]
    pub fn composed(mut self) -> Self {
        self.composed = true;
        self
    }

    /// Keeps members in columns instead of a document: their paths between commas, each with `:uuid` or `:int` if it is no text, or
    /// with `=` and the column of its exact key if it has one. What is stored is in these columns: a member can be added to the
    /// declaration, but only a migration can take one out or give it another column.
    #[must_use]
    pub fn compact(mut self, members: &'static str) -> Self {
        self.plain = true;
        self.compact.extend(members.split(',').map(|member| {
            let (member, key) =
                member.split_once('=').map_or((member, None), |(member, key)| (member, Some(key.trim())));
            let (path, kind) = member.trim().split_once(':').unwrap_or((member.trim(), ""));
            let kind = match kind {
                "uuid" => KeptKind::Uuid,
                "int" => KeptKind::Int,
                _ => KeptKind::Text,
            };
            Kept { path, kind, key }
        }));
        self
    }

    /// Leaves out the index by the order of insertion.
    #[must_use]
    pub fn unsequenced(mut self) -> Self {
        self.unsequenced = true;
        self
    }

    /// Adds plain columns with the comparison keys of the fields, without indexes.
    #[must_use]
    pub fn keys(mut self, kind: &IndexKind, fields: &[&'static str]) -> Self {
        self.keys.extend(fields.iter().map(|field| Index { field, kind: kind.clone() }));
        self
    }

    /// Adds a plain column: its name, its SQL type and the SQL of its value over `doc`.
    #[must_use]
    pub fn column(mut self, name: &str, kind: &'static str, value: &str) -> Self {
        self.columns.push(Column { name: name.to_owned(), kind, value: value.to_owned() });
        self
    }

    /// Names the SQL functions that write the records: see [`Self::written_as`].
    #[must_use]
    pub fn written_as(mut self, plural: &'static str) -> Self {
        self.written_as = Some(plural);
        self
    }

    /// Makes each change raise the configuration version.
    #[must_use]
    pub fn configuration(mut self) -> Self {
        self.configuration = true;
        self
    }

    /// Keeps answers with these records in memory, because clients ask for them again and again and they hardly change.
    #[must_use]
    pub fn near_static(mut self) -> Self {
        self.near_static = true;
        self
    }

    /// Lets a PUT take the id of its path, whatever the record says: in FOLIO's schema an id is any text.
    #[must_use]
    pub fn with_id_of_path(mut self) -> Self {
        self.id_of_path = true;
        self
    }

    /// Refuses what must be unique in the database's own words, as 400 text also to a POST.
    #[must_use]
    pub fn in_database_words(mut self) -> Self {
        self.database_words = true;
        self
    }

    /// Lets a DELETE whose query matches everything truncate the table. No other table may have a foreign key to it.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        self.truncated = true;
        self
    }

    /// Adds validation beyond the declaration.
    #[must_use]
    pub fn checked(mut self, check: Check) -> Self {
        self.check = Some(check);
        self
    }

    /// Uses the error format of Spring modules.
    #[must_use]
    pub fn spring(mut self) -> Self {
        self.style = Style::Spring;
        self
    }

    /// Removes the standard routes for these methods of `list get post put delete`.
    #[must_use]
    pub fn without(mut self, methods: &'static [&'static str]) -> Self {
        self.without = methods;
        self
    }

    /// Removes all standard routes.
    #[must_use]
    pub fn without_routes(self) -> Self {
        self.without(&["list", "get", "post", "put", "delete"])
    }

    /// Sets the text of a 404.
    #[must_use]
    pub fn not_found(mut self, text: &'static str) -> Self {
        self.not_found = Some(text);
        self
    }

    /// Sets a separate text for a 404 to GET.
    #[must_use]
    pub fn not_found_at_read(mut self, text: &'static str) -> Self {
        self.not_found_at_read = Some(text);
        self
    }

    /// Sets the words for any POST that the database refuses.
    #[must_use]
    pub fn refused_in_general(mut self, wording: &'static Wording) -> Self {
        self.refused_in_general = Some(wording);
        self
    }

    /// Sets the words for a DELETE of a record that others name.
    #[must_use]
    pub fn kept_as(mut self, wording: &'static Wording) -> Self {
        self.kept = Some(wording);
        self
    }

    /// Adds members computed at read time: a JSON expression over a table row `r`, such as `r.doc ||
    /// jsonb_build_object('usageNumber', (SELECT ...))`.
    #[must_use]
    pub fn represented(mut self, sql: impl Into<Cow<'static, str>>) -> Self {
        self.represented = Some(sql.into());
        self
    }

    /// A read-only view of the same records at another path: `sql` is a JSON expression over a table row `r`. Queries
    /// work as on the original.
    #[must_use]
    pub fn shown_as(mut self, path: &'static str, list: &'static str, sql: String) -> Self {
        (self.path, self.list) = (path, list);
        self.represented = Some(sql.into());
        self.result_info = false;
        self
    }

    /// Makes queries treat these members as undeclared.
    #[must_use]
    pub fn unsearchable(mut self, members: &'static [&'static str]) -> Self {
        self.unsearchable = members;
        self
    }

    /// Sets the default `limit` of a list.
    #[must_use]
    pub fn default_limit(mut self, limit: i64) -> Self {
        self.default_limit = limit;
        self
    }

    /// Sets the status of a successful POST.
    #[must_use]
    pub fn created_status(mut self, status: u16) -> Self {
        self.created_status = status;
        self
    }
}
