/** Parts of the pages whose files are loaded when they are first needed. */
import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../lib/i18n";
import styles from "./later.module.css";
import { RetryNotice } from "./RetryNotice";

/** Loads what must be there when the network is away. */
const atHand: (() => Promise<void>)[] = [];

/** Loads, one after the other, the parts that must be at hand. */
export async function loadWhatMustBeAtHand(): Promise<void> {
  for (const load of atHand) await load();
}

interface Options {
  isAtHand?: boolean;
  /** Whether it has the page's heading. */
  isPage?: boolean;
}

export type Later<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> };

/**
 * A component whose file is loaded when it is first drawn, or by `preload` before. If that fails, because the network is
 * away or Carrel was upgraded and has other files now, only its own place says so: scans that wait and what was typed
 * stay. React's `lazy` would throw the failure through the whole page, and again at each attempt. Parts that somebody needs
 * when the network is away are at hand: they are loaded with the first scan.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isAtHand = false, isPage = false }: Options = {},
): Later<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const loadNow = () => {
    loading ??= load()
      .then((component) => {
        Loaded = component;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };

  function Part(props: Props) {
    const [isMissing, setMissing] = useState(false);
    const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
    useEffect(() => {
      if (!Loaded && !isMissing) loadNow().then(redraw, () => setMissing(true));
    }, [isMissing]);
    if (Loaded) return <Loaded {...props} />;
    if (!isMissing) return null;
    const tryAgain = () => setMissing(false);
    if (!isPage) return <Missing onRetry={tryAgain} onClose={closingOf(props)} />;
    return (
      <main>
        <h1>{t("Not loaded")}</h1>
        <Missing onRetry={tryAgain} />
      </main>
    );
  }
  const preload = () => loadNow().catch(() => undefined);
  if (isAtHand) atHand.push(preload);
  return Object.assign(Part, { preload });
}

/** How a dialog is closed; undefined for anything else. */
function closingOf(props: object): (() => void) | undefined {
  const { onClose, onCancel } = props as { onClose?: () => void; onCancel?: () => void };
  return onClose ?? onCancel;
}

interface MissingProps {
  onRetry: () => void;
  onClose?: (() => void) | undefined;
}

/** In the place of the part; in that of a dialog, at the edge of the window. */
function Missing({ onRetry, onClose }: MissingProps): ReactNode {
  const notice = (
    <RetryNotice onRetry={onRetry} onClose={onClose}>
      <p>
        {t(
          "This could not be loaded. Check the network, then try again. If Carrel was upgraded just now, reload the page; wait until no scan waits.",
        )}
      </p>
    </RetryNotice>
  );
  if (!onClose) return notice;
  return createPortal(<div className={styles.edge}>{notice}</div>, document.body);
}
