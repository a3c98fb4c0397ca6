-- In which order call numbers and classification numbers are browsed, and of which types; without types, of every type.
CREATE TABLE browse_config (
  kind      text NOT NULL,
  option    text NOT NULL,
  algorithm text NOT NULL,
  type_ids  uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (kind, option)
);
INSERT INTO browse_config (kind, option, algorithm) VALUES
  ('instance-call-number', 'all', 'default'),
  ('instance-call-number', 'lc', 'lc'),
  ('instance-call-number', 'dewey', 'dewey'),
  ('instance-call-number', 'nlm', 'nlm'),
  ('instance-call-number', 'sudoc', 'sudoc'),
  ('instance-call-number', 'other', 'default'),
  ('instance-classification', 'all', 'default'),
  ('instance-classification', 'lc', 'lc'),
  ('instance-classification', 'dewey', 'dewey');
