import type { Description } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import controls from "../../../ui/controls.module.css";
import { TextField } from "../../../ui/fields";
import type { FormProps } from "./forms";
import { Parts } from "./Parts";
import { ValueField } from "./ValueField";

export function DateParts({ mine, set, lists }: FormProps<Description>) {
  const dates = mine.dates ?? [];
  const add = () =>
    set({
      dates: [...dates, { jsonmodel_type: "date", label: "creation", date_type: "inclusive" }],
    });
  return (
    <Parts
      name={t("Date")}
      parts={dates}
      onChange={(dates) => set({ dates })}
      adding={<Button onPress={add}>{t("Add a date")}</Button>}
    >
      {(date, change) => (
        <div className={controls.fieldRow}>
          <ValueField
            label={t("Label")}
            list={lists.date_label}
            value={date.label}
            onChange={(label) => change({ label })}
          />
          <ValueField
            label={t("Type")}
            list={lists.date_type}
            value={date.date_type}
            onChange={(date_type) => change({ date_type })}
          />
          <TextField
            label={t("Expression")}
            value={date.expression ?? ""}
            onChange={(expression) => change({ expression })}
          />
          <TextField
            label={t("Begin")}
            value={date.begin ?? ""}
            onChange={(begin) => change({ begin })}
          />
          <TextField label={t("End")} value={date.end ?? ""} onChange={(end) => change({ end })} />
        </div>
      )}
    </Parts>
  );
}

export function ExtentParts({ mine, set, lists }: FormProps<Description>) {
  const extents = mine.extents ?? [];
  const add = () => {
    const fresh = { portion: "whole", number: "", extent_type: "linear_feet" };
    set({ extents: [...extents, { jsonmodel_type: "extent", ...fresh }] });
  };
  return (
    <Parts
      name={t("Extent")}
      parts={extents}
      onChange={(extents) => set({ extents })}
      adding={<Button onPress={add}>{t("Add an extent")}</Button>}
    >
      {(extent, change) => (
        <div className={controls.fieldRow}>
          <TextField
            label={t("Number")}
            value={extent.number}
            onChange={(number) => change({ number })}
          />
          <ValueField
            label={t("Unit")}
            list={lists.extent_extent_type}
            value={extent.extent_type}
            onChange={(extent_type) => change({ extent_type })}
          />
          <ValueField
            label={t("Portion")}
            list={lists.extent_portion}
            value={extent.portion}
            onChange={(portion) => change({ portion })}
          />
          <TextField
            label={t("Container summary")}
            value={extent.container_summary ?? ""}
            onChange={(container_summary) => change({ container_summary })}
          />
        </div>
      )}
    </Parts>
  );
}
