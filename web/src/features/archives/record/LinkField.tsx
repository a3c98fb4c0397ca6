import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { search } from "../../../api/archives";
import { ComboField } from "../../../ui/choices";
import { ARCHIVES_KEY } from "../queries";
import { plainText } from "../values";

interface Props {
  label: string;
  repository: number;
  /** The index's types to search. */
  types: readonly string[];
  /** What is linked now, with its title. */
  value?: { ref: string; title: string } | undefined;
  onChange: (ref: string, title: string) => void;
  description?: string;
}

const SHOWN = 20;

/** Finds another record by words and links it. */
export function LinkField({ label, repository, types, value, onChange, description }: Props) {
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed === value?.title ? "" : typed);
  const { data, isLoading, isPlaceholderData } = useQuery({
    queryKey: [...ARCHIVES_KEY, "links", repository, types, text],
    queryFn: () =>
      search(repository, {
        q: wordsBeginning(text),
        type: types,
        page: 1,
        page_size: SHOWN,
        fields: ["title"],
        sort: text ? undefined : "title_sort asc",
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const found = (data?.results ?? []).map(({ uri, title }) => ({
    id: uri,
    label: plainText(title),
  }));
  const isLinkedFound = found.some(({ id }) => id === value?.ref);
  const linked = value && !isLinkedFound ? [{ id: value.ref, label: value.title }] : [];
  const options = [...linked, ...found];
  return (
    <ComboField
      label={label}
      options={options}
      value={value?.ref ?? null}
      onSearch={setTyped}
      isSearching={isLoading || isPlaceholderData}
      onChange={(ref) => {
        if (ref) onChange(ref, options.find(({ id }) => id === ref)?.label ?? "");
      }}
      {...(description && { description })}
    />
  );
}

/** The last word may be unfinished. */
function wordsBeginning(text: string): string {
  const words = text.replace(/[^\p{L}\p{N}\s]/gu, " ").trim();
  return words ? `${words}*` : "";
}
