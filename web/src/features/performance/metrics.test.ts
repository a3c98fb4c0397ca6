import { describe, expect, test } from "vitest";
import { figuresOf, indexFigures, parseMetrics, quantile, routeFigures, since } from "./metrics";

const ROUTE = "/circulation/check-out-by-barcode";
const TEXT = `# TYPE carrel_request_seconds histogram
carrel_request_seconds_bucket{method="POST",route="${ROUTE}",status="201",le="0.01"} 90
carrel_request_seconds_bucket{method="POST",route="${ROUTE}",status="201",le="0.025"} 99
carrel_request_seconds_bucket{method="POST",route="${ROUTE}",status="201",le="+Inf"} 100
carrel_request_seconds_count{method="POST",route="${ROUTE}",status="201"} 100
carrel_round_trips_total{route="${ROUTE}"} 250
carrel_search_documents{tenant="diku",index="instances"} 5000
carrel_search_documents_behind{tenant="diku",index="instances"} 3
carrel_search_building{tenant="diku",index="instances"} 0
process_resident_memory_bytes 121249792
`;
const SAMPLES = parseMetrics(TEXT);

describe("metrics", () => {
  test("are read with their labels", () => {
    expect(SAMPLES).toHaveLength(9);
    expect(SAMPLES.at(-1)).toEqual({
      name: "process_resident_memory_bytes",
      labels: {},
      value: 121_249_792,
    });
  });

  test("tell how fast a route answers and how often it asks the database", () => {
    expect(figuresOf(SAMPLES, ROUTE)).toEqual({
      route: ROUTE,
      requests: 100,
      p95: 0.025,
      roundTrips: 2.5,
    });
    expect(routeFigures(SAMPLES).map(({ route }) => route)).toEqual([ROUTE]);
    expect(quantile(SAMPLES, "carrel_request_seconds", { route: "/users" }, 0.95)).toBeUndefined();
  });

  test("of a while are the difference of two readings", () => {
    expect(figuresOf(since(SAMPLES, SAMPLES), ROUTE).requests).toBe(0);
    expect(figuresOf(since(undefined, SAMPLES), ROUTE).requests).toBe(100);
  });

  test("tell how the indexes stand", () => {
    expect(indexFigures(SAMPLES)).toEqual([
      { library: "diku", index: "instances", documents: 5000, behind: 3, state: "behind" },
    ]);
  });
});
