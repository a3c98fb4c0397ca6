import { useRef, useState } from "react";

/** Changes of a list; the focus goes to what was added, and to the button after something was removed. */
export function useList<T>(list: readonly T[], onChange: (list: T[]) => void) {
  const adder = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState<number>();
  const [keys, setKeys] = useState<number[]>([]);
  const next = useRef(list.length);
  const known = list.map((_, n) => keys[n] ?? n);
  return {
    items: list,
    adder,
    keyOf: (n: number) => known[n],
    isNew: (n: number) => n === added,
    add: (value: T) => {
      setKeys([...known, ++next.current + list.length]);
      setAdded(list.length);
      onChange([...list, value]);
    },
    replace: (n: number, value: T) => onChange(list.map((old, at) => (at === n ? value : old))),
    remove: (n: number) => {
      setKeys(known.filter((_, at) => at !== n));
      setAdded(undefined);
      onChange(list.filter((_, at) => at !== n));
      adder.current?.querySelector("button")?.focus();
    },
  };
}
