/** A download that tells how far it is and can be stopped. */
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Query } from "../../../api/archivesClient";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { announce } from "../../../ui/LiveRegion";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import styles from "../Archives.module.css";
import { fetchFile, saveFile, sizeInWords } from "./download";

interface Download {
  /** `name` is that of the file. */
  begin: (path: string, query: Query, name: string) => void;
  stop: () => void;
  /** How much has come; nothing while none is under way. */
  bytes: number | undefined;
  error: unknown;
}

export function useDownload(): Download {
  const [bytes, setBytes] = useState(0);
  const stopped = useRef<AbortController>(undefined);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ path, query, name }: { path: string; query: Query; name: string }) => {
      stopped.current = new AbortController();
      setBytes(0);
      const file = await fetchFile(path, query, setBytes, stopped.current.signal);
      saveFile(file, name);
    },
    onSuccess: () => announce(t("The file is in your downloads.")),
  });
  return {
    begin: (path, query, name) => mutate({ path, query, name }),
    stop: () => stopped.current?.abort(),
    bytes: isPending ? bytes : undefined,
    error: stopped.current?.signal.aborted ? undefined : error,
  };
}

interface Props {
  download: Download;
  /** The button that had the focus goes. */
  onStop: () => void;
}

export function Downloading({ download: { bytes, stop, error }, onStop }: Props) {
  return (
    <>
      {bytes !== undefined && (
        <div className={styles.row}>
          <output>
            {bytes > 0 ? t("Exporting: {size}", { size: sizeInWords(bytes) }) : t("Exporting…")}
          </output>
          <Button
            onPress={() => {
              stop();
              onStop();
            }}
          >
            {t("Stop")}
          </Button>
        </div>
      )}
      <ProblemNotice error={error} title={t("The export failed.")} />
    </>
  );
}
