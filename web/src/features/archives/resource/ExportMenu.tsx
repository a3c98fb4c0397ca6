/** The finding aid as a file, or read as one page. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { startJob } from "../../../api/archives";
import type { Query } from "../../../api/archivesClient";
import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { announce } from "../../../ui/LiveRegion";
import { MenuButton, MenuItem } from "../../../ui/Menu";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import styles from "../Archives.module.css";
import { numberOf, pageOf } from "../addresses";
import { record } from "../queries";
import { titleOf } from "../record/RecordPane";
import { useMay } from "../useRepository";
import { fetchFile, fileName, saveFile, sizeInWords } from "./download";

interface Props {
  repository: number;
  root: string;
}

export function ExportMenu({ repository, root }: Props) {
  const router = useRouter();
  const may = useMay(repository)("create_job");
  const resource = useQuery(record<Description>(root)).data;
  const [bytes, setBytes] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  const exporting = useMutation({
    mutationFn: async ({ query, suffix }: { query: Query; suffix: string }) => {
      stop.current = new AbortController();
      setBytes(0);
      const path = `/repositories/${repository}/resource_descriptions/${numberOf(root)}.xml`;
      const file = await fetchFile(path, query, setBytes, stop.current.signal);
      saveFile(file, fileName(`${resource ? titleOf(resource) : ""}${suffix}`, "xml"));
    },
    onSuccess: () => announce(t("The finding aid is in your downloads.")),
    onSettled: () => setBytes(undefined),
  });
  const printing = useMutation({
    mutationFn: () =>
      startJob(repository, {
        jsonmodel_type: "print_to_pdf_job",
        source: root,
        include_unpublished: false,
      }),
    onSuccess: ({ uri }) => void router.navigate({ href: pageOf(uri, repository) }),
  });
  const ead = (query: Query, suffix: string) => exporting.mutate({ query, suffix });
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <Link to={`${pageOf(root, repository)}/finding-aid` as never}>
          {t("Read the finding aid")}
        </Link>
        <MenuButton label={t("Export")}>
          <MenuItem onAction={() => ead({}, "")}>{t("EAD 2002")}</MenuItem>
          <MenuItem onAction={() => ead({ ead3: true }, "-ead3")}>{t("EAD3")}</MenuItem>
          <MenuItem onAction={() => ead({ include_unpublished: true }, "-all")}>
            {t("EAD 2002, also what is not published")}
          </MenuItem>
          <MenuItem
            onAction={() => printing.mutate()}
            disabledReason={may ? undefined : t("You may not start jobs here.")}
          >
            {t("PDF, as a job")}
          </MenuItem>
        </MenuButton>
      </div>
      {bytes !== undefined && (
        <div className={styles.row}>
          <output>{t("Exporting: {size}", { size: sizeInWords(bytes) })}</output>
          <Button onPress={() => stop.current?.abort()}>{t("Stop")}</Button>
        </div>
      )}
      <ProblemNotice
        error={stop.current?.signal.aborted ? undefined : exporting.error}
        title={t("The export failed.")}
      />
      <ProblemNotice error={printing.error} />
    </div>
  );
}
