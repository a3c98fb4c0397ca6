/** Shortcuts that work wherever the focus is, except while a dialog is open. */
import { useEffect, useEffectEvent } from "react";

/** Runs `action` on Alt and a digit, identified by the key's position, since Alt can change the character. */
export function useAltDigit(digit: number, action: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== `Digit${digit}`) return;
    event.preventDefault();
    if (!isDialogOpen()) action();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

export function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog]") !== null;
}
