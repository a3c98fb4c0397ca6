/** The page of an accession, digital object, top container, agent or subject. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import type { AnyRecord } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { useSeen } from "../../../lib/seen";
import { Page } from "../../../ui/Page";
import { ArchivesNav } from "../ArchivesNav";
import { addressOfPage, kindOf, pageOf } from "../addresses";
import { KINDS, type KindName } from "../lists/kinds";
import { ARCHIVES_KEY, record } from "../queries";
import { usePageRepository } from "../useRepository";
import { RecordActions } from "./RecordActions";
import { RecordPane, titleOf } from "./RecordPane";

export default function RecordPage() {
  const repository = usePageRepository();
  const client = useQueryClient();
  const router = useRouter();
  const { _splat: rest = "" } = useParams({ strict: false }) as { _splat?: string };
  const uri = addressOfPage(repository, rest);
  const kind = kindOf(uri);
  const read = useQuery(record<AnyRecord>(uri)).data;
  useSeen(pageOf(uri, repository), read && titleOf(read));
  const label = Object.hasOwn(KINDS, kind) ? t(KINDS[kind as KindName].label) : t("Archives");
  const leave = () => {
    void client.invalidateQueries({ queryKey: ARCHIVES_KEY });
    void router.navigate({ href: `/archives?kind=${kind}` });
  };
  return (
    <Page title={read ? titleOf(read) : label} subtitle={label}>
      <ArchivesNav open={kind} />
      <RecordPane
        uri={uri}
        repository={repository}
        actions={(record) => (
          <RecordActions record={record} repository={repository} onDeleted={leave} />
        )}
      />
    </Page>
  );
}
