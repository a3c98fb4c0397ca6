import { expect, test } from "vitest";
import { archivesError } from "../../../api/archivesClient";
import { clashesOf } from "./clashes";

const clash = (barcode: string, id: number) =>
  `${barcode} of /repositories/2/top_containers/${id} is not the barcode of that container alone`;

test("barcodes that are in the way are named with their containers", () => {
  const error = archivesError(400, { error: { barcode: [clash("A of 1", 7), clash("B2", 8)] } });
  expect(clashesOf(error)).toEqual([
    { container: "/repositories/2/top_containers/7", barcode: "A of 1" },
    { container: "/repositories/2/top_containers/8", barcode: "B2" },
  ]);
});

test("other refusals have none", () => {
  expect(clashesOf(archivesError(400, { error: { location_id: ["Must be the id"] } }))).toEqual([]);
  expect(clashesOf(new Error("lost"))).toEqual([]);
});
