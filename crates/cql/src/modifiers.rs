//! The modifiers FOLIO knows, on relations and sort keys.

use crate::{Error, Modifier, Relation};

/// The options in a list of modifiers; a later modifier overrides an earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// `/number`: compare as numbers.
    pub number: bool,
    /// `/sort.descending`
    pub descending: bool,
    /// `/respectCase`; used only for sorting.
    pub respect_case: bool,
    /// `/respectAccents`; used only for sorting.
    pub respect_accents: bool,
    /// `/@name` and `/@name=value`: members of the elements of an array.
    pub subfields: Vec<Subfield<'a>>,
}

/// One `/@name` or `/@name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subfield<'a> {
    /// In lower case, without the `@`.
    pub name: &'a str,
    pub value: Option<&'a str>,
}

impl<'a> Options<'a> {
    /// Reads the modifiers.
    ///
    /// # Errors
    /// `CQL: Unsupported modifier x`, and for a member compared by anything but `=`
    /// `CQL: Unsupported comparison for relation modifier @x`.
    pub fn read(modifiers: &'a [Modifier]) -> Result<Self, Error> {
        let mut options = Self::default();
        for modifier in modifiers {
            options.set(modifier)?;
        }
        Ok(options)
    }

    fn set(&mut self, modifier: &'a Modifier) -> Result<(), Error> {
        match modifier.name() {
            "ignorecase" => self.respect_case = false,
            "respectcase" => self.respect_case = true,
            "ignoreaccents" => self.respect_accents = false,
            "respectaccents" => self.respect_accents = true,
            "string" => self.number = false,
            "number" => self.number = true,
            "masked" => {}
            "sort.descending" => self.descending = true,
            "sort.ascending" => self.descending = false,
            name => match name.strip_prefix('@') {
                Some(member) => self.subfields.push(subfield(member, modifier)?),
                None => {
                    let text = format!("CQL: Unsupported modifier {name}");
                    return Err(Error::unsupported(text));
                }
            },
        }
        Ok(())
    }
}

fn subfield<'a>(name: &'a str, modifier: &'a Modifier) -> Result<Subfield<'a>, Error> {
    match modifier.value() {
        None => Ok(Subfield { name, value: None }),
        Some((Relation::Equal, value)) => Ok(Subfield { name, value: Some(value) }),
        Some(_) => Err(Error::invalid(format!("CQL: Unsupported comparison for relation modifier @{name}"))),
    }
}
