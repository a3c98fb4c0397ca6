/** Shortcuts that work wherever the focus is, except while a dialog is open. */
import { useEffect, useEffectEvent } from "react";

/** The part of a key press that decides. */
export type Press = Pick<
  KeyboardEvent,
  "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "code" | "key"
>;

/**
 * Whether the press is this shortcut: `Alt+Shift+2`, `F2`, `?`. With Alt, the key's position decides, since Alt
 * can change the character.
 */
export function isPress(press: Press, keys: string): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  if (press.ctrlKey || press.metaKey || press.altKey !== parts.includes("Alt")) return false;
  if (!press.altKey) return press.key === key;
  return press.shiftKey === parts.includes("Shift") && press.code === codeOf(key);
}

function codeOf(key: string): string {
  return /^\d$/.test(key) ? `Digit${key}` : `Key${key}`;
}

/** Runs `action` on these keys. */
export function useShortcut(keys: string | undefined, action: () => void): void {
  useShortcuts(keys ? [{ keys, run: action }] : []);
}

interface Shortcut {
  keys: string;
  run: () => void;
  duringDialogs?: boolean;
}

/** Several shortcuts; the first that fits runs. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = shortcuts.find(({ keys }) => isPress(event, keys));
    if (!shortcut || (isCharacter(shortcut.keys) && isTyping(event.target))) return;
    event.preventDefault();
    if (shortcut.duringDialogs || !isDialogOpen()) shortcut.run();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isCharacter(keys: string): boolean {
  return keys.length === 1;
}

/** Whether a character belongs to a field: one that has the focus, or a scan field, which takes what is typed anywhere. */
function isTyping(target: EventTarget | null): boolean {
  return takesText(target) || document.querySelector("[data-takes-keys]") !== null;
}

export function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [role=spinbutton], [contenteditable=true]") !== null
  );
}

export function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog]") !== null;
}
