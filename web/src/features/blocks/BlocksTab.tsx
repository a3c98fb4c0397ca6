/** What keeps a patron from borrowing, renewing and requesting. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteBlock } from "../../api/patrons";
import type { AutomatedBlock, ManualBlock } from "../../api/types";
import { formatDate } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Detail";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "../patrons/Patrons.module.css";
import { automatedStops, isPast, manualStops, STOPS, type Stop } from "../patrons/patron";
import { patronKey, storedBlocks } from "../patrons/queries";
import { useClock } from "../tenant/useClock";
import { WhyButton } from "../why/WhyButton";
import { BlockDialog } from "./BlockDialog";

export function BlocksTab({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery(storedBlocks(userId));
  const [editing, setEditing] = useState<ManualBlock | "new">();
  const [deleting, setDeleting] = useState<ManualBlock>();
  return (
    <div className={styles.form}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      <Section
        title={t("Blocks by staff")}
        actions={
          <Button needs="POST /manualblocks" onPress={() => setEditing("new")}>
            {t("Add a block…")}
          </Button>
        }
      >
        {data?.manual.length === 0 && <p>{t("No blocks by staff.")}</p>}
        <ul className={styles.list} aria-label={t("Blocks by staff")}>
          {data?.manual.map((block) => (
            <Manual
              key={block.id}
              block={block}
              onEdit={() => setEditing(block)}
              onDelete={() => setDeleting(block)}
            />
          ))}
        </ul>
      </Section>
      <Section title={t("Automated blocks")}>
        {data?.automated.length === 0 && <p>{t("No limit is passed.")}</p>}
        <ul className={styles.list} aria-label={t("Automated blocks")}>
          {data?.automated.map((block) => (
            <Automated key={block.patronBlockConditionId} userId={userId} block={block} />
          ))}
        </ul>
      </Section>
      {editing && (
        <BlockDialog
          userId={userId}
          block={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <DeleteDialog userId={userId} block={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </div>
  );
}

interface ManualProps {
  block: ManualBlock;
  onEdit: () => void;
  onDelete: () => void;
}

function Manual({ block, onEdit, onDelete }: ManualProps) {
  const clock = useClock();
  const { desc, staffInformation, patronMessage, expirationDate } = block;
  const isOver = isPast(expirationDate, new Date());
  return (
    <li className={styles.entry}>
      <div>
        <strong>{desc}</strong> {isOver && <Badge>{t("Expired")}</Badge>}
        <div>{stopped(manualStops(block))}</div>
        {staffInformation && <div>{t("For staff: {text}", { text: staffInformation })}</div>}
        {patronMessage && <div>{t("For the patron: {text}", { text: patronMessage })}</div>}
        {expirationDate && (
          <div className={styles.muted}>
            {t("until {day}", { day: formatDate(expirationDate, clock) })}
          </div>
        )}
      </div>
      <div className={styles.buttons}>
        <Button
          look="quiet"
          needs="PUT /manualblocks/{id}"
          onPress={onEdit}
          aria-label={t("Change the block {desc}", { desc })}
        >
          {t("Change…")}
        </Button>
        <Button
          look="quiet"
          needs="DELETE /manualblocks/{id}"
          onPress={onDelete}
          aria-label={t("Delete the block {desc}", { desc })}
        >
          {t("Delete…")}
        </Button>
      </div>
    </li>
  );
}

function Automated({ userId, block }: { userId: string; block: AutomatedBlock }) {
  const { message, patronBlockConditionId: conditionId } = block;
  return (
    <li className={styles.entry}>
      <div>
        <strong>{message}</strong>
        <div>{stopped(automatedStops(block))}</div>
      </div>
      <div className={styles.buttons}>
        <WhyButton question={{ about: "block", userId, conditionId }} subject={message} />
      </div>
    </li>
  );
}

const stopped = (stops: readonly Stop[]) =>
  stops.length === 0
    ? t("Stops nothing")
    : t("Stops {what}", { what: stops.map((stop) => t(STOPS[stop])).join(", ") });

interface DeleteProps {
  userId: string;
  block: ManualBlock;
  onClose: () => void;
}

function DeleteDialog({ userId, block, onClose }: DeleteProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteBlock(block.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: patronKey(userId) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t("Delete this block?")}
      confirmLabel={t("Delete the block")}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <p>{block.desc}</p>
      <p>{t("This cannot be undone.")}</p>
    </ConfirmDialog>
  );
}
