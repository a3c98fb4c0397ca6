/** Imports finding aids and other files as a job. */
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { Checkbox, SelectField } from "../../../ui/choices";
import controls from "../../../ui/controls.module.css";
import { Section } from "../../../ui/Detail";
import { Notice } from "../../../ui/Notice";
import { Page } from "../../../ui/Page";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import styles from "../Archives.module.css";
import { ArchivesNav, RepositoryField } from "../ArchivesNav";
import { numberOf, pageOf } from "../addresses";
import { sizeInWords } from "../resource/download";
import { repositoryName, useChosenRepository } from "../useRepository";
import { IMPORT_TYPES } from "./importTypes";
import { Progress } from "./Progress";
import { startImport } from "./upload";

export default function ImportPage() {
  const { current } = useChosenRepository();
  return (
    <Page
      title={t("Import")}
      subtitle={current && repositoryName(current)}
      parent={{ to: "/archives/jobs", label: t("Imports and jobs") }}
    >
      <ArchivesNav open="jobs" />
      <RepositoryField />
      {current && <ImportForm repository={numberOf(current.uri)} />}
    </Page>
  );
}

function ImportForm({ repository }: { repository: number }) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [type, setType] = useState("ead_xml");
  const [isTolerant, setTolerant] = useState(true);
  const [part, setPart] = useState(0);
  const [isMissing, setMissing] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => startImport({ repository, type, isTolerant, files }, setPart),
    onSuccess: ({ uri }) => void router.navigate({ href: pageOf(uri, repository) }),
  });
  const start = () => {
    setMissing(files.length === 0);
    if (files.length > 0) mutate();
    else input.current?.focus();
  };
  return (
    <Form
      className={controls.form ?? ""}
      aria-label={t("Import")}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <Section title={t("Files")}>
        <SelectField
          label={t("Kind of file")}
          options={IMPORT_TYPES.map(({ id, label }) => ({ id, label: t(label) }))}
          value={type}
          onChange={setType}
        />
        <FileField inputRef={input} files={files} onFiles={setFiles} />
        {isMissing && files.length === 0 && (
          <Notice look="danger" role="alert">
            {t("Choose the files to import first.")}
          </Notice>
        )}
        {type === "ead_xml" && (
          <Checkbox
            label={t("Put right what breaks a rule, and list it in the log")}
            isSelected={isTolerant}
            onChange={setTolerant}
          />
        )}
        <ProblemNotice error={error} title={t("The import was not started.")} onRetry={start} />
        {isPending && <Progress label={t("Sending the files")} part={part} />}
        <div>
          <Button type="submit" look="primary" isPending={isPending}>
            {t("Import")}
          </Button>
        </div>
      </Section>
    </Form>
  );
}

interface FieldProps {
  inputRef: React.RefObject<HTMLInputElement | null>;
  files: readonly File[];
  onFiles: (files: File[]) => void;
}

function FileField({ inputRef, files, onFiles }: FieldProps) {
  const id = useId();
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <div className={controls.field}>
      <label htmlFor={id} className={controls.label}>
        {t("Files")}
      </label>
      <input
        ref={inputRef}
        id={id}
        type="file"
        multiple
        className={styles.file}
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
      />
      <span className={styles.muted}>
        {t("All files are imported, or none. Larger ones than the server takes: carrel load ead.")}
        {files.length > 0 &&
          ` ${t("{count, plural, one {# file} other {# files}}, {size}.", { count: files.length, size: sizeInWords(size) })}`}
      </span>
    </div>
  );
}
