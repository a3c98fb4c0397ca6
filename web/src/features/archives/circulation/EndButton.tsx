import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { endCirculation } from "../../../api/archives";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { announce } from "../../../ui/LiveRegion";

interface Props {
  repository: number;
  disabledReason: string | undefined;
  onEnded: () => Promise<void>;
}

/** Ends the circulation of a repository's boxes, after a question. */
export function EndButton({ repository, disabledReason, onEnded }: Props) {
  const [isAsking, setAsking] = useState(false);
  const ending = useMutation({
    mutationFn: () => endCirculation(repository),
    onSuccess: async () => {
      setAsking(false);
      announce(t("The boxes no longer circulate."));
      await onEnded();
    },
  });
  return (
    <>
      <Button onPress={() => setAsking(true)} disabledReason={disabledReason}>
        {t("End the circulation…")}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t("End the circulation of these boxes?")}
          confirmLabel={t("End the circulation")}
          isBusy={ending.isPending}
          error={ending.error}
          onConfirm={() => ending.mutate()}
          onCancel={() => {
            ending.reset();
            setAsking(false);
          }}
        >
          <p>
            {t(
              "The items of the boxes go, with the titles and holdings that were made for them. The records of the archives stay. Boxes that are on loan or requested have to be settled first.",
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
