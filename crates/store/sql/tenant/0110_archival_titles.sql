-- What earlier migrations of the same transaction wrote is checked now: PostgreSQL indexes no table that waits for checks.
SET CONSTRAINTS ALL IMMEDIATE;

-- Agents and subjects by their whole titles, which may be longer than what other indexes take.
CREATE INDEX archival_authority_title ON archival_record USING hash ((doc->>'title'))
  WHERE kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'subject');
