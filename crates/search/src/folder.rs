//! Folders of indexes. They belong to whoever owns the folder around them: a service that was started once by hand as root would
//! otherwise find folders where it cannot write, and never search again.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt, lchown},
    path::Path,
};

/// Makes a folder, and those above it that are missing.
///
/// # Errors
/// The folder cannot be made.
pub fn make(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty()) {
        make(above)?;
    }
    match fs::create_dir(folder) {
        // Somebody else was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made.map(|()| hand_over(folder)),
    }
}

/// Gives what was made to the owner of the folder around it.
pub fn hand_over(path: &Path) {
    let around = path.parent().and_then(|around| around.metadata().ok());
    if let (Some(around), Ok(made)) = (around, path.symlink_metadata())
        && around.uid() != made.uid()
    {
        // Only root may; for all others, a folder of somebody else where they can write is a choice.
        let _ = lchown(path, Some(around.uid()), Some(around.gid()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_root_makes_belongs_to_the_owner_of_the_folder_around() {
        let around = tempfile::tempdir().expect("a folder");
        let folder = around.path().join("search/catalogue/1");
        let is_root = lchown(around.path(), Some(12_345), Some(12_346)).is_ok();
        make(&folder).expect("made");
        make(&folder).expect("it is there");
        let file = folder.join("lock");
        fs::write(&file, "").expect("written");
        hand_over(&file);
        let own = around.path().metadata().expect("its owner");
        for path in [around.path().join("search"), folder, file] {
            let found = path.metadata().expect("it is there");
            assert_eq!((found.uid(), found.gid()), (own.uid(), own.gid()), "{}", path.display());
            assert!(!is_root || found.uid() == 12_345);
        }
    }
}
