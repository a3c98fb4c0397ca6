-- What the library has set for forgetting, as texts: loans as settings and as older configuration entry, requests.
SELECT (SELECT doc->>'value' FROM circulation_settings WHERE doc->>'name' = 'loan_history' ORDER BY seq LIMIT 1),
       (SELECT doc->>'value' FROM config_data
        WHERE doc->>'module' = 'LOAN_HISTORY' AND doc->>'configName' = 'loan_history'
          AND coalesce(doc->>'enabled', 'true') = 'true'
        ORDER BY seq LIMIT 1),
       (SELECT doc->>'value' FROM circulation_settings WHERE doc->>'name' = 'requestAnonymization' ORDER BY seq LIMIT 1)
