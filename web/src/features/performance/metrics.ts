/** Reads figures from metrics in the text format of Prometheus. */

export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function parseMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    if (!name) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = "", text = ""]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** What happened between two readings; without the earlier one, since the server was started. */
export function since(earlier: readonly Sample[] | undefined, now: readonly Sample[]): Sample[] {
  if (!earlier) return [...now];
  const before = new Map(earlier.map((sample) => [keyOf(sample), sample.value]));
  return now.map((sample) => ({
    ...sample,
    value: sample.value - (before.get(keyOf(sample)) ?? 0),
  }));
}

const keyOf = ({ name, labels }: Sample) => name + JSON.stringify(labels);

/** The sum of the values with this name and these labels. */
export function total(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return select(samples, name, labels).reduce((sum, { value }) => sum + value, 0);
}

function select(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>>,
): Sample[] {
  return samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
}

/** The upper bound, in seconds, of the bucket in which this share of a histogram's values ends; none without values. */
export function quantile(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>>,
  share: number,
): number | undefined {
  const counts = new Map<number, number>();
  for (const { labels: of, value } of select(samples, `${name}_bucket`, labels)) {
    const bound = of.le === "+Inf" ? Infinity : Number(of.le);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  const all = counts.get(Infinity) ?? 0;
  if (all === 0) return undefined;
  const bounds = [...counts].sort(([one], [other]) => one - other);
  return bounds.find(([, count]) => count >= share * all)?.[0];
}

export interface RouteFigures {
  route: string;
  requests: number;
  p95: number | undefined;
  roundTrips: number;
}

/** The figures of each route that answered something, the busiest first. */
export function routeFigures(samples: readonly Sample[]): RouteFigures[] {
  const counted = samples.filter(({ name }) => name === "carrel_request_seconds_count");
  const routes = [...new Set(counted.map(({ labels }) => labels.route ?? ""))];
  return routes
    .map((route) => figuresOf(samples, route))
    .filter(({ requests }) => requests > 0)
    .sort((one, other) => other.requests - one.requests);
}

export function figuresOf(samples: readonly Sample[], route: string): RouteFigures {
  const requests = total(samples, "carrel_request_seconds_count", { route });
  return {
    route,
    requests,
    p95: quantile(samples, "carrel_request_seconds", { route }, 0.95),
    roundTrips: requests > 0 ? total(samples, "carrel_round_trips_total", { route }) / requests : 0,
  };
}

export interface IndexFigures {
  library: string;
  index: string;
  documents: number;
  behind: number;
  state: "current" | "behind" | "building" | "failing";
}

export function indexFigures(samples: readonly Sample[]): IndexFigures[] {
  return samples
    .filter(({ name }) => name === "carrel_search_documents")
    .map(({ labels, value }) => {
      const of = (name: string) => total(samples, `carrel_search_${name}`, labels);
      const behind = of("documents_behind");
      return {
        library: labels.tenant ?? "",
        index: labels.index ?? "",
        documents: value,
        behind,
        state: stateOf(of("failing") > 0, of("building") > 0, behind > 0),
      };
    });
}

function stateOf(isFailing: boolean, isBuilding: boolean, isBehind: boolean) {
  if (isFailing) return "failing";
  if (isBuilding) return "building";
  return isBehind ? "behind" : "current";
}
