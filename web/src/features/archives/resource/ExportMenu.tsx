/** The finding aid as a file, or read as one page. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import { startJob } from "../../../api/archives";
import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { MenuButton, MenuItem } from "../../../ui/Menu";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import styles from "../Archives.module.css";
import { pageOf } from "../addresses";
import { record } from "../queries";
import { titleOf } from "../record/RecordPane";
import { useMay } from "../useRepository";
import { Downloading, useDownload } from "./Downloading";
import { fileName } from "./download";

interface Props {
  repository: number;
  root: string;
}

/** What is asked of the EAD, as the job and the route name it. */
interface Ead {
  ead3?: true;
  include_unpublished?: true;
}

export function ExportMenu({ repository, root }: Props) {
  const router = useRouter();
  const may = useMay(repository)("create_job");
  const resource = useQuery(record<Description>(root)).data;
  const starting = useMutation({
    mutationFn: (job: object) => startJob(repository, { source: root, ...job }),
    onSuccess: ({ uri }) => void router.navigate({ href: pageOf(uri, repository) }),
  });
  const download = useDownload();
  const menu = useRef<HTMLDivElement>(null);
  // Whoever may not start a job may still read the finding aid, and gets it at once.
  const ead = (asked: Ead) => () =>
    may
      ? starting.mutate({ jsonmodel_type: "ead_export_job", ...asked })
      : download.begin(
          root.replace("/resources/", "/resource_descriptions/").concat(".xml"),
          { ...asked },
          fileName(resource ? titleOf(resource) : "", "xml"),
        );
  return (
    <div className={styles.stack}>
      <div className={styles.row} ref={menu}>
        <Link to={`${pageOf(root, repository)}/finding-aid` as never}>
          {t("Read the finding aid")}
        </Link>
        <MenuButton label={t("Export")}>
          <MenuItem onAction={ead({})}>{t("EAD 2002")}</MenuItem>
          <MenuItem onAction={ead({ ead3: true })}>{t("EAD3")}</MenuItem>
          <MenuItem onAction={ead({ include_unpublished: true })}>
            {t("EAD 2002, also what is not published")}
          </MenuItem>
          <MenuItem
            onAction={() =>
              starting.mutate({ jsonmodel_type: "print_to_pdf_job", include_unpublished: false })
            }
            disabledReason={may ? undefined : t("You may not start jobs here.")}
          >
            {t("PDF")}
          </MenuItem>
          <MenuItem
            onAction={() => starting.mutate({ jsonmodel_type: "container_labels_job" })}
            disabledReason={may ? undefined : t("You may not start jobs here.")}
          >
            {t("Container labels")}
          </MenuItem>
        </MenuButton>
      </div>
      <Downloading
        download={download}
        onStop={() => menu.current?.querySelector("button")?.focus()}
      />
      <ProblemNotice error={starting.error} title={t("The export was not started.")} />
    </div>
  );
}
