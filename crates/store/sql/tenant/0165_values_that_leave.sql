-- Values that leave their list, with where records of each type have values of that list, as paths of JSON. Who saves a record
-- with one of them after it left is refused (tables/archival_leaving_values.sql), whatever list they checked it against.
CREATE TABLE archival_leaving_value (
  list  text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  kind  text COLLATE "C" NOT NULL,
  path  text COLLATE "C" NOT NULL,
  at    timestamptz NOT NULL,
  PRIMARY KEY (list, value, kind, path)
);
