-- The numbers of the ARKs that jobs give to records of the archives.
CREATE SEQUENCE archival_ark_number;
