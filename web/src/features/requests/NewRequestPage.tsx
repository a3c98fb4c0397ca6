/** A request for an item, or for any copy of its title, on behalf of a patron. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { Form } from "react-aria-components";
import {
  getHoldings,
  type InventoryItem,
  listAllowedServicePoints,
  type RequestInput,
  type RequestType,
} from "../../api/requests";
import type { User } from "../../api/types";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { DayField } from "../../ui/DayField";
import { TextArea } from "../../ui/fields";
import { announce } from "../../ui/LiveRegion";
import { Page } from "../../ui/Page";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { SearchField } from "../../ui/SearchField";
import { PatronPicker } from "../patrons/PatronPicker";
import styles from "../patrons/Patrons.module.css";
import { useNewRecord } from "../records/newRecord";
import { useSession } from "../session/session";
import { WhyButton } from "../why/WhyButton";
import { findItem } from "./findItem";
import { requestsKey, titleLevel } from "./queries";

type Level = "Item" | "Title";

export default function NewRequestPage() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const here = useSession()?.servicePoint?.id;
  const hasTitles = useQuery(titleLevel).data ?? false;
  const made = useNewRecord("/circulation/requests");
  const [requester, setRequester] = useState<User>();
  const [barcode, setBarcode] = useState("");
  const [level, setLevel] = useState<Level>("Item");
  const [type, setType] = useState<string>();
  const [pickup, setPickup] = useState(here);
  const [expires, setExpires] = useState("");
  const found = useQuery({
    queryKey: [...requestsKey, "item", barcode],
    queryFn: () => findItemWithTitle(barcode),
    enabled: barcode !== "",
  });
  const item = found.data;
  const allowed = useAllowed(requester, item, level);
  const types = (Object.keys(allowed.data ?? {}) as RequestType[]).sort();
  // Where a copy is on the shelf, the server refuses to hold or recall any copy, though it offers all three.
  const usual = types.find((each) => each === "Page") ?? types[0];
  const chosenType = types.find((each) => each === type) ?? usual;
  const places = (chosenType && allowed.data?.[chosenType]) || [];
  const place = places.find((each) => each.id === pickup) ?? places[0];
  const [opened] = useState(() => new Date().toISOString());
  const wanted = {
    requestLevel: level,
    requestDate: opened,
    fulfillmentPreference: "Hold Shelf" as const,
    instanceId: item?.instanceId ?? "",
    ...(level === "Item" &&
      item && { itemId: item.id, holdingsRecordId: item.holdingsRecordId ?? "" }),
    // The button needs a requester and a type.
    requesterId: requester?.id ?? "",
    requestType: chosenType ?? ("Hold" as const),
    ...(place && { pickupServicePointId: place.id }),
  };
  // Of the first attempt: one whose answer was lost may have placed the request.
  const placed = useRef<string>(undefined);
  const create = useMutation({
    mutationFn: (patronComments: string) => {
      placed.current ??= new Date().toISOString();
      const body: RequestInput = {
        ...wanted,
        requestDate: placed.current,
        ...(expires && { requestExpirationDate: `${expires}T23:59:59.000Z` }),
        ...(patronComments && { patronComments }),
      };
      return made.save({ ...body });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: requestsKey });
      if (requester) void client.invalidateQueries({ queryKey: ["patrons", requester.id] });
      announce(t("The request was placed."));
      void navigate({ to: "/requests/$requestId", params: { requestId: made.id } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(String(new FormData(event.currentTarget).get("comment") ?? "").trim());
  };
  const missing = !item
    ? t("Find an item first.")
    : !requester
      ? t("Choose a requester first.")
      : !chosenType
        ? t("The circulation rules allow no request for this patron and item.")
        : undefined;
  return (
    <Page title={t("New request")} parent={{ to: "/requests", label: t("Requests") }}>
      <SearchField label={t("Item barcode")} value={barcode} onSearch={setBarcode} autoFocus />
      <ProblemNotice error={found.error} />
      {item && (
        <output>
          {[item.title, fixed("itemStatus", item.status?.name)].filter(Boolean).join(" · ")}
        </output>
      )}
      <Form className={styles.form ?? ""} onSubmit={submit}>
        <div className={styles.fields}>
          <PatronPicker label={t("Requester")} onChange={setRequester} />
          {hasTitles && (
            <SelectField
              label={t("Level")}
              options={[
                { id: "Item", label: t("This copy") },
                { id: "Title", label: t("Any copy") },
              ]}
              value={level}
              onChange={(id) => setLevel(id as Level)}
            />
          )}
          <SelectField
            label={t("Type")}
            options={types.map((each) => ({ id: each, label: fixed("requestType", each) }))}
            value={chosenType ?? null}
            onChange={setType}
          />
          <SelectField
            label={t("Pickup at")}
            options={places.map((each) => ({ id: each.id, label: each.name }))}
            value={place?.id ?? null}
            onChange={setPickup}
          />
          <DayField label={t("Expires")} value={expires} onChange={setExpires} />
          <TextArea label={t("Comment of the patron")} name="comment" rows={2} />
        </div>
        <ProblemNotice error={allowed.error} />
        <ProblemNotice error={create.error} title={t("The request was not placed.")} />
        {item && requester && (create.error || (allowed.data && !chosenType)) && (
          <p>
            {create.error ? null : missing}{" "}
            <WhyButton
              question={{ about: "request", request: wanted }}
              subject={item.title ?? barcode}
            />
          </p>
        )}
        <div className={styles.buttons}>
          <Button
            type="submit"
            look="primary"
            needs="POST /circulation/requests"
            isPending={create.isPending}
            disabledReason={missing}
          >
            {t("Place the request")}
          </Button>
        </div>
      </Form>
    </Page>
  );
}

type FoundItem = InventoryItem & { instanceId: string };

/** The item with the id of its title, which requests need. */
async function findItemWithTitle(barcode: string): Promise<FoundItem> {
  const item = await findItem(barcode);
  const holdings = await getHoldings(item.holdingsRecordId ?? "");
  return { ...item, instanceId: holdings.instanceId };
}

function useAllowed(requester: User | undefined, item: FoundItem | undefined, level: Level) {
  const requesterId = requester?.id ?? "";
  return useQuery({
    queryKey: [...requestsKey, "allowed", requesterId, item?.id, level],
    queryFn: () =>
      listAllowedServicePoints(
        level === "Item"
          ? { operation: "create", requesterId, itemId: item?.id ?? "" }
          : { operation: "create", requesterId, instanceId: item?.instanceId ?? "" },
      ),
    enabled: requester !== undefined && item !== undefined,
  });
}
