/** What a page keeps in its address, so that a reload, a link and the back button find it again. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";

type Raw = Record<string, unknown>;

/**
 * The state in the address, read by `read`, and a function that changes it. A change replaces the address unless it
 * `push`es, which the back button takes back.
 */
export function useAddress<State extends object>(
  read: (raw: Raw) => State,
): [State, (next: State, how?: { push: boolean }) => void] {
  const raw = useSearch({ strict: false }) as Raw;
  const navigate = useNavigate();
  const state = useMemo(() => read(raw), [read, raw]);
  const change = (next: State, how = { push: false }) =>
    void navigate({ to: ".", search: next as never, replace: !how.push });
  return [state, change];
}
