-- The tenant's anonymization settings, as texts: for loans the setting and the older configuration entry, and for
-- requests.
SELECT (SELECT doc->>'value' FROM circulation_settings WHERE doc->>'name' = 'loan_history' ORDER BY seq LIMIT 1) AS loans,
       (SELECT doc->>'value' FROM config_data
        WHERE doc->>'module' = 'LOAN_HISTORY' AND doc->>'configName' = 'loan_history'
          AND coalesce(doc->>'enabled', 'true') = 'true'
        ORDER BY seq LIMIT 1) AS older_loans,
       (SELECT doc->>'value' FROM circulation_settings WHERE doc->>'name' = 'requestAnonymization' ORDER BY seq LIMIT 1) AS requests
