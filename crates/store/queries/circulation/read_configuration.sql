-- The circulation configuration as one JSON object, its version, and whether anybody listens to events.
SELECT v.version, EXISTS (SELECT FROM event_interest) AS has_listeners, json_build_object(
  'rules', (SELECT doc->>'rulesAsText' FROM circulation_rules ORDER BY seq LIMIT 1),
  'loanPolicies', (SELECT json_agg(doc) FROM loan_policy),
  'schedules', (SELECT json_agg(doc) FROM fixed_due_date_schedule),
  'requestPolicies', (SELECT json_agg(doc) FROM request_policy),
  'noticePolicies', (SELECT json_agg(doc) FROM patron_notice_policy),
  'overdueFinePolicies', (SELECT json_agg(doc) FROM overdue_fine_policy),
  'lostItemPolicies', (SELECT json_agg(doc) FROM lost_item_fee_policy),
  'feeOwners', (SELECT json_agg(doc ORDER BY seq) FROM owners),
  'servicePoints', (SELECT json_agg(doc) FROM service_point),
  'locations', (SELECT json_agg(doc) FROM location),
  'institutions', (SELECT json_agg(doc) FROM locinstitution),
  'campuses', (SELECT json_agg(doc) FROM loccampus),
  'libraries', (SELECT json_agg(doc) FROM loclibrary),
  'calendars', (SELECT json_agg(doc) FROM calendars),
  'patronGroups', (SELECT json_agg(doc) FROM groups),
  'materialTypes', (SELECT json_agg(doc) FROM material_type),
  'loanTypes', (SELECT json_agg(doc) FROM loan_type),
  'identifierTypes', (SELECT json_agg(doc) FROM identifier_type),
  'departments', (SELECT json_agg(doc) FROM departments),
  'addressTypes', (SELECT json_agg(doc) FROM addresstype),
  'blockConditions', (SELECT json_agg(doc) FROM patron_block_conditions),
  'blockLimits', (SELECT json_agg(doc ORDER BY seq) FROM patron_block_limits),
  'locale', (SELECT doc FROM locale ORDER BY seq LIMIT 1),
  -- Sunflower's pages write the settings of title-level requests as entries of the scope `circulation`; they come first.
  'circulationSettings',
    (SELECT json_agg(json_build_object('name', s.name, 'value', s.value) ORDER BY s.place, s.seq) FROM (
       SELECT 1 AS place, doc->>'key' AS name, doc->'value' AS value, seq FROM settings
       WHERE doc->>'scope' = 'circulation' AND doc->>'key' IN ('generalTlr', 'regularTlr') AND doc->>'userId' IS NULL
       UNION ALL
       SELECT 2, doc->>'name', doc->'value', seq FROM circulation_settings
       WHERE doc->>'name' IN ('TLR', 'generalTlr', 'regularTlr', 'PRINT_HOLD_REQUESTS', 'noticesLimit', 'other_settings')) s),
  'checkOutLock',
    (SELECT doc->'value' FROM settings WHERE doc->>'scope' = 'mod-circulation' AND doc->>'key' = 'checkoutLockFeature'
     ORDER BY seq LIMIT 1),
  'selfChecks',
    (SELECT json_object_agg(doc->>'key', doc->'value' ORDER BY seq DESC) FROM settings
     WHERE doc->>'scope' = 'edge-sip2.config.manage' AND doc->>'userId' IS NULL),
  'olderSelfChecks',
    (SELECT json_object_agg(doc->>'configName', doc->>'value' ORDER BY seq DESC) FROM config_data
     WHERE doc->>'module' = 'edge-sip2' AND coalesce(doc->>'enabled', 'true') = 'true'),
  'configurationEntries',
    (SELECT json_agg(doc ORDER BY seq) FROM config_data
     WHERE (doc->>'module', doc->>'configName') IN (('SETTINGS', 'TLR'), ('SETTINGS', 'PRINT_HOLD_REQUESTS'), ('ORG', 'localeSettings'),
       ('CHECKOUT', 'other_settings'), ('NOTIFICATION_SCHEDULER', 'noticesLimit'))
       AND coalesce(doc->>'enabled', 'true') = 'true')
) AS records
FROM configuration_version v
