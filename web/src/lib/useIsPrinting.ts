import { useSyncExternalStore } from "react";

let isPrinting = false;

/** Whether the browser prints the page, which must then have what is not drawn on the screen. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(follow, () => isPrinting);
}

function follow(listener: () => void): () => void {
  const turn = ({ type }: Event) => {
    isPrinting = type === "beforeprint";
    listener();
  };
  window.addEventListener("beforeprint", turn);
  window.addEventListener("afterprint", turn);
  return () => {
    window.removeEventListener("beforeprint", turn);
    window.removeEventListener("afterprint", turn);
  };
}
