/**
 * The field that receives every scan. It keeps the focus unless something else needs it, and takes keys typed outside
 * any field, because a scanner types wherever the focus is.
 */

import { type FormEvent, type RefObject, useEffect, useEffectEvent, useState } from "react";
import { t } from "../../lib/i18n";
import { isDialogOpen, takesText } from "../../lib/shortcuts";
import { Button } from "../../ui/Button";
import { TextField } from "../../ui/fields";
import styles from "./scanning.module.css";

interface Props {
  label: string;
  description: string;
  inputRef: RefObject<HTMLInputElement | null>;
  onScan: (barcode: string) => void;
}

export function ScanField({ label, description, inputRef, onScan }: Props) {
  const [text, setText] = useState("");
  useFocusHome(inputRef);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const barcode = inputRef.current?.value.trim();
    setText("");
    if (barcode) onScan(barcode);
    inputRef.current?.focus();
  };
  return (
    <form className={styles.scan} onSubmit={submit} data-takes-keys>
      <TextField
        label={label}
        description={description}
        inputRef={inputRef}
        value={text}
        onChange={setText}
        autoComplete="off"
        spellCheck="false"
        autoFocus
      />
      <Button type="submit" excludeFromTabOrder>
        {t("Enter")}
      </Button>
    </form>
  );
}

function useFocusHome(inputRef: RefObject<HTMLInputElement | null>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isCharacter = event.key.length === 1 && event.key !== " ";
    if (!isCharacter || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!isDialogOpen() && !takesText(event.target)) inputRef.current?.focus();
  });
  const onFocusLost = useEffectEvent(() => {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && !isDialogOpen()) inputRef.current?.focus();
    });
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("focusout", onFocusLost);
    window.addEventListener("focus", onFocusLost);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("focusout", onFocusLost);
      window.removeEventListener("focus", onFocusLost);
    };
  }, []);
}
