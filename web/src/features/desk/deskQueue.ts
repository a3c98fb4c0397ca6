/** The one queue of the desk. Whatever is scanned is answered in the order of scanning, across a change of mode. */
import { takeBack } from "../check-in/checkIn";
import { lend } from "../check-out/checkOut";
import { ScanQueue } from "../scanning/scanQueue";
import { type DeskAnswer, type DeskOptions, isLending, type ReturnScan } from "./scan";

export const createDeskQueue = () =>
  new ScanQueue<DeskAnswer, DeskOptions>((scan, before) =>
    isLending(scan) ? lend(scan, before) : takeBack(scan as ReturnScan),
  );
