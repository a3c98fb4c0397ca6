import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type InventoryItem, markItem } from "../../api/catalogue";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { announce } from "../../ui/LiveRegion";
import { MenuButton, MenuItem } from "../../ui/Menu";
import { type Move, movesFrom } from "./itemStatus";
import { CATALOGUE } from "./queries";

/** Moves an item to another status, after a question. */
export function StatusMenu({ item }: { item: InventoryItem }) {
  const [move, setMove] = useState<Move>();
  const client = useQueryClient();
  const status = fixed("itemStatus", item.status.name);
  const marking = useMutation({
    mutationFn: ({ mark }: Move) => markItem(item.id, mark),
    onSuccess: async (_, { status }) => {
      setMove(undefined);
      announce(t("The item is now: {status}.", { status: fixed("itemStatus", status) }));
      await client.invalidateQueries({ queryKey: CATALOGUE });
    },
  });
  return (
    <>
      <MenuButton label={t("Change status")}>
        {movesFrom(item.status.name).map((move) => (
          <MenuItem
            key={move.mark}
            needs={`POST /inventory/items/{id}/${move.mark}`}
            onAction={() => {
              marking.reset();
              setMove(move);
            }}
            disabledReason={
              move.isAllowed ? undefined : t("Not from the status {status}.", { status })
            }
          >
            {t(move.label)}
          </MenuItem>
        ))}
      </MenuButton>
      {move && (
        <ConfirmDialog
          title={`${t(move.label)}?`}
          confirmLabel={t(move.label)}
          isBusy={marking.isPending}
          error={marking.error}
          onConfirm={() => marking.mutate(move)}
          onCancel={() => setMove(undefined)}
        >
          <p>
            {t("{title}, {barcode}: from {from} to {to}.", {
              title: item.title ?? "",
              barcode: item.barcode ?? t("No barcode"),
              from: status,
              to: fixed("itemStatus", move.status),
            })}
          </p>
          <p>{t("A request that the item was set aside for goes back into the queue.")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
