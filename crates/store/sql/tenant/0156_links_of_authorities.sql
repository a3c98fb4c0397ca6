-- Which fields of a bibliographic record are linked to which of an authority, and which subfields then follow it (contract
-- 10.3).
CREATE TABLE linking_rule (
  id              integer PRIMARY KEY,
  bib_field       text NOT NULL,
  authority_field text NOT NULL,
  subfields       text NOT NULL,
  -- Subfields that are another one in the bibliographic record: [{source, target}].
  modifications   jsonb,
  -- Subfields that the authority must have (true) or must not have: {subfield: bool}.
  existence       jsonb,
  auto_linking    boolean NOT NULL DEFAULT true
);
INSERT INTO linking_rule (id, bib_field, authority_field, subfields, modifications, existence) VALUES
  (1, '100', '100', 'abcdjq', NULL, '{"t": false}'),
  (2, '110', '110', 'abcdgn', NULL, '{"t": false}'),
  (3, '111', '111', 'aceqdgn', NULL, '{"t": false}'),
  (4, '130', '130', 'adfghklmnoprst', NULL, NULL),
  (5, '240', '100', 'fghklmnoprst', '[{"source": "t", "target": "a"}]', '{"t": true}'),
  (6, '240', '110', 'dfghklmnoprst', '[{"source": "t", "target": "a"}]', '{"t": true}'),
  (7, '240', '111', 'dfghklnpst', '[{"source": "t", "target": "a"}]', '{"t": true}'),
  (8, '600', '100', 'abcdgjqfhklmnoprst', NULL, NULL),
  (9, '610', '110', 'abcdgfhklmnoprst', NULL, NULL),
  (10, '611', '111', 'aceqfhklpstdgn', NULL, NULL),
  (11, '630', '130', 'adfghklmnoprst', NULL, NULL),
  (12, '650', '150', 'abg', NULL, NULL),
  (13, '651', '151', 'ag', NULL, NULL),
  (14, '655', '155', 'a', NULL, NULL),
  (15, '700', '100', 'abcdjqfhklmnoprstg', NULL, NULL),
  (16, '710', '110', 'abcfhklmoprstdgn', NULL, NULL),
  (17, '711', '111', 'aceqfhklpstdgn', NULL, NULL),
  (18, '730', '130', 'adfghklmnoprst', NULL, NULL),
  (19, '800', '100', 'abcdjqfhklmnoprstg', NULL, NULL),
  (20, '810', '110', 'abcfhklmoprstdgn', NULL, NULL),
  (21, '811', '111', 'aceqfhklpstdgn', NULL, NULL),
  (22, '830', '130', 'adfghklmnoprst', NULL, NULL);

-- Links of instances to authorities, by the rule that made them.
CREATE TABLE authority_link (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance  uuid NOT NULL,
  authority uuid NOT NULL,
  rule      integer NOT NULL REFERENCES linking_rule (id),
  -- ACTUAL or ERROR, with the cause.
  status    text NOT NULL DEFAULT 'ACTUAL',
  cause     text,
  changed   timestamptz NOT NULL,
  UNIQUE (instance, authority, rule)
);
CREATE INDEX authority_link_authority ON authority_link (authority);
CREATE INDEX authority_link_changed ON authority_link (changed);

-- What has changed in authorities of what links depend on, whether there are links or not.
CREATE TABLE authority_stat (
  id          uuid PRIMARY KEY DEFAULT carrel.new_id(),
  authority   uuid NOT NULL,
  -- UPDATE_HEADING, UPDATE_NATURAL_ID or DELETE.
  action      text NOT NULL,
  before      jsonb NOT NULL,
  after       jsonb NOT NULL,
  -- Instances that had links then.
  links       bigint NOT NULL,
  started     timestamptz NOT NULL,
  started_by  uuid
);
CREATE INDEX authority_stat_started ON authority_stat (action, started);
