/** Moving rows by dragging: where they may be dropped, and what a drop does. */
import { type DragEvent, useRef, useState } from "react";
import { moveTo, type Where } from "./moves";
import { moveTitle } from "./titles";
import type { TreeWork } from "./treeWork";

export interface Dropping {
  /** Where a drop on this row would put the dragged ones. */
  placeAt: (uri: string | undefined) => Where | undefined;
  sourceProps: (uri: string) => object;
  targetProps: (uri: string) => object;
}

/** Milliseconds on a closed node until it opens. */
const OPENS_AFTER = 700;

export function useDropping(work: TreeWork): Dropping {
  const [place, setPlace] = useState<{ uri: string; where: Where }>();
  const dragged = useRef<string[]>([]);
  const hovered = useRef<{ uri: string; since: number }>({ uri: "", since: 0 });

  const begin = (uri: string, event: DragEvent) => {
    const { tree } = work.snapshot();
    dragged.current = tree.selected.has(uri) ? [...tree.selected] : [uri];
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", moveTitle(tree, dragged.current));
  };
  const over = (uri: string, event: DragEvent) => {
    const { tree } = work.snapshot();
    const where = whereOf(event, uri === tree.root);
    if (!moveTo(tree, dragged.current, uri, where)) return setPlace(undefined);
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    openWhenHovered(uri);
    if (place?.uri !== uri || place.where !== where) setPlace({ uri, where });
  };
  const openWhenHovered = (uri: string) => {
    const now = Date.now();
    if (hovered.current.uri !== uri) hovered.current = { uri, since: now };
    else if (now - hovered.current.since > OPENS_AFTER) work.change({ kind: "open", uri });
  };
  const drop = (uri: string, event: DragEvent) => {
    event.preventDefault();
    const { tree } = work.snapshot();
    const step = moveTo(tree, dragged.current, uri, whereOf(event, uri === tree.root));
    end();
    if (step) void work.move(step, moveTitle(tree, step.uris));
  };
  const end = () => {
    dragged.current = [];
    setPlace(undefined);
  };
  return {
    placeAt: (uri) => (uri !== undefined && place?.uri === uri ? place.where : undefined),
    sourceProps: (uri) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => begin(uri, event),
      onDragEnd: end,
    }),
    targetProps: (uri) => ({
      onDragOver: (event: DragEvent) => over(uri, event),
      onDrop: (event: DragEvent) => drop(uri, event),
    }),
  };
}

/** The upper and lower quarters of a row are before and after it. */
function whereOf(event: DragEvent, isRoot: boolean): Where {
  if (isRoot) return "into";
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const part = (event.clientY - top) / height;
  if (part < 0.28) return "before";
  return part > 0.72 ? "after" : "into";
}
