/** A field that finds a patron by anything that is typed. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { listUsers } from "../../api/patrons";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { ComboField } from "../../ui/choices";
import { nameOf } from "./patron";
import { patronQuery } from "./patronSearch";

/** With fewer letters nobody is looked for. */
const LEAST = 2;

interface Props {
  label: string;
  onChange: (patron: User | undefined) => void;
  description?: string;
  autoFocus?: boolean;
}

export function PatronPicker({ label, onChange, description, autoFocus = false }: Props) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<User>();
  const typed = useDeferredValue(text.trim());
  const isName = chosen !== undefined && typed === labelOf(chosen);
  const { data, isLoading, isPlaceholderData } = useQuery({
    queryKey: ["patron-picker", typed],
    queryFn: () =>
      listUsers({ query: patronQuery({ q: typed, active: "yes" }), limit: 20 }).then(
        ({ users }) => users,
      ),
    enabled: typed.length >= LEAST && !isName,
    // Who is shown can be chosen while the next letters are looked for.
    placeholderData: keepPreviousData,
  });
  const found = (typed.length >= LEAST && data) || [];
  const known = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  const choose = (id: string) => {
    const patron = known.find((user) => user.id === id);
    setChosen(patron);
    onChange(patron);
  };
  return (
    <ComboField
      label={label}
      options={known.map((user) => ({ id: user.id, label: labelOf(user) }))}
      onSearch={setText}
      isSearching={isLoading || isPlaceholderData}
      empty={typed.length < LEAST ? t("Type a name or a barcode.") : undefined}
      onChange={choose}
      isRequired
      autoFocus={autoFocus}
      {...(description && { description })}
    />
  );
}

const labelOf = (user: User) => [nameOf(user), user.barcode].filter(Boolean).join(" · ");
