/** Archives start with a repository. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Form } from "react-aria-components";
import { createRepository } from "../../../api/archives";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { Section } from "../../../ui/Detail";
import { TextField } from "../../../ui/fields";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import styles from "../Archives.module.css";
import { ARCHIVES_KEY } from "../queries";

export function FirstRepository() {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) =>
      createRepository(String(form.get("code")).trim(), String(form.get("name")).trim()),
    onSuccess: () => client.invalidateQueries({ queryKey: ARCHIVES_KEY }),
  });
  return (
    <Section title={t("A first repository")}>
      <p>{t("The library has no repository yet. Resources and accessions belong to one.")}</p>
      <Form
        className={styles.row ?? ""}
        onSubmit={(event) => {
          event.preventDefault();
          mutate(new FormData(event.currentTarget));
        }}
      >
        <TextField label={t("Short name")} name="code" isRequired />
        <TextField label={t("Name")} name="name" isRequired />
        <Button type="submit" look="primary" isPending={isPending}>
          {t("Add the repository")}
        </Button>
      </Form>
      <ProblemNotice error={error} />
    </Section>
  );
}
