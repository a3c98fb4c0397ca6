-- Which members of a changed record records below it may inherit: 1 the title, 2 the dates, 4 conditions of access.
ALTER TABLE archival_change ADD COLUMN heirs smallint NOT NULL DEFAULT 0;
