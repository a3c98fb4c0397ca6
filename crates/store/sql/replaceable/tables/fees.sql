-- Whether a movement is the charge of its fee. As in mod-feesfines that is one which names no payment method and is not
-- called as an action on a fee is; the name of the fee's type does not matter.
CREATE OR REPLACE FUNCTION is_charge(movement jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN movement->>'paymentMethod' IS NULL AND coalesce(movement->>'typeAction', '') !~* (
    '^((Paid|Waived|Transferred|Refunded|Credited) (partially|fully)|Staff info only'
    '|Cancelled (as error|item returned|item renewed|item declared lost))$');
END $$;

-- Reports find fee actions by their date and by where they were made.
CREATE INDEX IF NOT EXISTS feefineactions_by_date ON feefineactions ((coalesce(doc->>'dateAction', '') COLLATE "C"));
CREATE INDEX IF NOT EXISTS feefineactions_payments ON feefineactions ((doc->>'createdAt'), (doc->>'source'))
  WHERE doc->>'typeAction' IN ('Paid partially', 'Paid fully');

-- For reports on a service point.
CREATE INDEX IF NOT EXISTS feefineactions_by_service_point ON feefineactions ((doc->>'createdAt'));

-- What a patron owes, whatever the patron has paid; and open accounts of all patrons.
CREATE INDEX IF NOT EXISTS accounts_open_by_user ON accounts (userid) WHERE status_name_fold = 'open';

-- Open actual cost records by expiry.
CREATE INDEX IF NOT EXISTS actual_cost_record_open ON actual_cost_record (((doc->>'expirationDate') COLLATE "C"))
  WHERE doc->>'status' = 'Open';
