/** What can be added to a list. */
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { LinkButton } from "../../../ui/LinkButton";
import { useMay } from "../useRepository";
import type { KindName } from "./kinds";
import { NewRecord } from "./NewRecord";
import { type Addition, NEW_RECORDS } from "./newRecords";

export function ListActions({ repository, kind }: { repository: number; kind: KindName }) {
  const router = useRouter();
  const may = useMay(repository);
  const [adding, setAdding] = useState<Addition>();
  const forbidden = t("You may not do this here. Whoever manages users can allow it.");
  return (
    <>
      {kind === "resources" && (
        <Button
          onPress={() => void router.navigate({ href: "/archives/import" })}
          disabledReason={may("create_job") ? undefined : forbidden}
        >
          {t("Import a finding aid…")}
        </Button>
      )}
      {kind === "top_containers" && (
        <LinkButton href="/archives/circulation">{t("Circulation of boxes")}</LinkButton>
      )}
      {NEW_RECORDS[kind]?.map((addition) => (
        <Button
          key={addition.label}
          onPress={() => setAdding(addition)}
          disabledReason={may(addition.permission) ? undefined : forbidden}
        >
          {t(addition.label)}
        </Button>
      ))}
      {adding && (
        <NewRecord repository={repository} addition={adding} onClose={() => setAdding(undefined)} />
      )}
    </>
  );
}
