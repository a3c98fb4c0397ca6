import { useQuery } from "@tanstack/react-query";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import styles from "./Patrons.module.css";
import { addressTypes } from "./queries";

type Address = NonNullable<NonNullable<User["personal"]>["addresses"]>[number];

export function AddressList({ addresses }: { addresses: readonly Address[] }) {
  const types = useQuery(addressTypes).data;
  if (addresses.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t("Addresses")}>
      {addresses.map((address) => (
        <li key={address.addressTypeId} className={styles.entry}>
          <div>
            <strong>{types?.find(({ id }) => id === address.addressTypeId)?.addressType}</strong>
            <br />
            {linesOf(address).join(", ")}
          </div>
          {address.primaryAddress && <Badge>{t("Primary")}</Badge>}
        </li>
      ))}
    </ul>
  );
}

function linesOf(address: Address): string[] {
  const { addressLine1, addressLine2, city, region, postalCode, countryId } = address;
  const place = [city, region, postalCode].filter(Boolean).join(" ");
  return [addressLine1, addressLine2, place, countryId].filter((line) => line !== undefined);
}
