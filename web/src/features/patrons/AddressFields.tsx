import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { t } from "../../lib/i18n";
import { newId } from "../../lib/newId";
import { Button } from "../../ui/Button";
import { Checkbox, SelectField } from "../../ui/choices";
import { TextField } from "../../ui/fields";
import { Notice } from "../../ui/Notice";
import styles from "./Patrons.module.css";
import type { AddressDraft } from "./patronDraft";
import { addressTypes } from "./queries";

interface Props {
  addresses: readonly AddressDraft[];
  error: string | undefined;
  onChange: (addresses: AddressDraft[]) => void;
}

export function AddressFields({ addresses, error, onChange }: Props) {
  const types = useQuery(addressTypes).data ?? [];
  const free = types.filter(({ id }) => !addresses.some((a) => a.addressTypeId === id));
  const change = (key: string, changes: Partial<AddressDraft>) =>
    onChange(addresses.map((a) => (a.key === key ? { ...a, ...changes } : a)));
  const makePrimary = (key: string, isPrimary: boolean) =>
    onChange(addresses.map((a) => ({ ...a, primaryAddress: isPrimary && a.key === key })));
  const adder = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState<string>();
  const add = () => {
    const address = newAddress(free[0]?.id ?? "", addresses.length === 0);
    setAdded(address.key);
    onChange([...addresses, address]);
  };
  const remove = (removed: string) => {
    onChange(addresses.filter(({ key }) => key !== removed));
    adder.current?.querySelector("button")?.focus();
  };
  return (
    <>
      {error && (
        <Notice look="danger" role="alert">
          {error}
        </Notice>
      )}
      {addresses.map((address, n) => {
        const place = { n: n + 1 };
        const line = (
          name: "addressLine1" | "addressLine2" | "city" | "region" | "postalCode" | "countryId",
          label: string,
        ) => (
          <TextField
            label={label}
            value={address[name]}
            onChange={(value) => change(address.key, { [name]: value })}
            autoComplete="off"
          />
        );
        return (
          <fieldset key={address.key} className={styles.fieldset}>
            <legend>{t("Address {n}", place)}</legend>
            <div className={styles.fields}>
              <SelectField
                label={t("Address type")}
                options={types.map(({ id, addressType }) => ({ id, label: addressType }))}
                value={address.addressTypeId || null}
                isRequired
                autoFocus={address.key === added}
                onChange={(addressTypeId) => change(address.key, { addressTypeId })}
              />
              {line("addressLine1", t("Address line 1"))}
              {line("addressLine2", t("Address line 2"))}
              {line("city", t("City"))}
              {line("region", t("Region"))}
              {line("postalCode", t("Postal code"))}
              {line("countryId", t("Country"))}
            </div>
            <div className={styles.buttons}>
              <Checkbox
                label={t("Primary address")}
                isSelected={address.primaryAddress}
                onChange={(isPrimary) => makePrimary(address.key, isPrimary)}
              />
              <Button look="quiet" onPress={() => remove(address.key)}>
                {t("Remove address {n}", place)}
              </Button>
            </div>
          </fieldset>
        );
      })}
      <div ref={adder}>
        <Button
          onPress={add}
          disabledReason={
            types.length > 0 && free.length === 0
              ? t("There is an address of each type already.")
              : undefined
          }
        >
          {t("Add an address")}
        </Button>
      </div>
    </>
  );
}

const newAddress = (addressTypeId: string, primaryAddress: boolean): AddressDraft => ({
  key: newId(),
  addressTypeId,
  addressLine1: "",
  addressLine2: "",
  city: "",
  region: "",
  postalCode: "",
  countryId: "",
  primaryAddress,
});
