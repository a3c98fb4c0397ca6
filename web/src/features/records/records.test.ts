import { describe, expect, test } from "vitest";
import { RefusedError } from "../../api/errors";
import { INSTANCE_SECTIONS } from "../catalogue/forms/instance";
import { ITEM_SECTIONS } from "../catalogue/forms/item";
import { KIND_GROUPS } from "../settings/kinds";
import { LOAN_POLICIES } from "../settings/kinds/loanPolicies";
import { LOCATIONS } from "../settings/kinds/places";
import { REQUEST_POLICIES } from "../settings/kinds/requestPolicies";
import { fits } from "./ChoiceInput";
import { faultsOf } from "./faults";
import { fieldsOf, type Section } from "./kind";
import { merge } from "./merge";
import { tidy } from "./tidy";
import { isSame, valueAt, withValue } from "./values";

describe("values at paths", () => {
  test("are read, set and taken away, with members that become empty", () => {
    const record = withValue({ name: "x" }, "loansPolicy.period", { duration: 1 });
    expect(record).toEqual({ name: "x", loansPolicy: { period: { duration: 1 } } });
    expect(valueAt(record, "loansPolicy.period.duration")).toBe(1);
    expect(withValue(record, "loansPolicy.period", undefined)).toEqual({ name: "x" });
  });

  test.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: [] }, {}, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: false }, {}, false],
  ])("%o and %o: the same is %s", (one, other, same) => {
    expect(isSame(one, other)).toBe(same);
  });
});

describe("changes here and there", () => {
  const base = { _version: 1, title: "A", editions: [], hrid: "in1" };

  test("are both kept", () => {
    const mine = { ...base, title: "B" };
    const latest = { ...base, _version: 2, editions: ["2nd"] };
    expect(merge(base, mine, latest)).toEqual({
      record: { ...latest, title: "B" },
      theirs: ["editions"],
      both: [],
    });
  });

  test("of the same member are named, and those from here stay", () => {
    const { record, both } = merge(base, { ...base, title: "B" }, { ...base, title: "C" });
    expect(record.title).toBe("B");
    expect(both).toEqual(["title"]);
  });

  test("a member that was emptied here stays empty", () => {
    const { title: _, ...mine } = base;
    expect(merge(base, mine, base).record).toEqual(mine);
  });
});

describe("what is sent", () => {
  test("has no values of fields that do not apply", () => {
    const policy = { ...LOAN_POLICIES.blank, name: " x ", loanable: false };
    expect(tidy(LOAN_POLICIES.sections, policy)).toEqual({
      name: "x",
      loanable: false,
      renewable: false,
    });
  });

  test("has no list of service points that is empty, but an empty list of types", () => {
    const policy = { name: "x", requestTypes: ["Hold"], allowedServicePoints: { Hold: [] } };
    expect(tidy(REQUEST_POLICIES.sections, policy)).toEqual({ name: "x", requestTypes: ["Hold"] });
    expect(tidy(REQUEST_POLICIES.sections, { name: "x" })).toEqual({ name: "x", requestTypes: [] });
  });

  test("has no blank rows and texts, and keeps what no field is about", () => {
    const instance = {
      title: "T",
      hrid: "in1",
      contributors: [{ primary: false }, { name: "N", contributorNameTypeId: "t" }],
      editions: ["", " 2nd "],
    };
    expect(tidy(INSTANCE_SECTIONS, instance)).toMatchObject({
      title: "T",
      hrid: "in1",
      contributors: [{ name: "N", contributorNameTypeId: "t" }],
      editions: ["2nd"],
    });
  });
});

describe("a refusal stands at its field", () => {
  const refused = (message: string, key?: string) =>
    new RefusedError(422, [{ message, parameters: key ? [{ key, value: "" }] : [] }]);
  const at = (sections: readonly Section[], error: unknown) => [
    ...faultsOf(error, sections, ({ message }) => message).at.keys(),
  ];

  test.each([
    [
      LOAN_POLICIES.sections,
      refused("…", "fixedDueDateScheduleId"),
      "loansPolicy.fixedDueDateScheduleId",
    ],
    [LOAN_POLICIES.sections, refused("…", "loansPolicy.period.duration"), "loansPolicy.period"],
    [LOAN_POLICIES.sections, refused("…", "name"), "name"],
    [ITEM_SECTIONS, refused("Barcode must be unique, 1 is already assigned"), "barcode"],
    [ITEM_SECTIONS, refused("…", "notes[0].note"), "notes"],
  ])("%#", (sections, error, path) => {
    expect(at(sections, error)).toEqual([path]);
  });

  test("or above the form if it is about none", () => {
    const { at, elsewhere } = faultsOf(refused("Odd", "odd"), ITEM_SECTIONS, String);
    expect(at.size).toBe(0);
    expect(elsewhere).toHaveLength(1);
  });
});

describe("the declarations of settings", () => {
  const kinds = KIND_GROUPS.flatMap(({ kinds }) => kinds);

  test("have a path of their own each", () => {
    expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length);
  });

  test.each(kinds.map((kind) => [kind.id, kind] as const))(
    "columns of %s show fields",
    (_, kind) => {
      const paths = fieldsOf(kind.sections).map(({ path }) => path);
      const odd = kind.columns.filter(({ path }) => !paths.includes(path) && path !== "source");
      expect(odd).toEqual([]);
    },
  );
});

describe("what is chosen within another choice", () => {
  const campuses: Record<string, { institutionId: string }> = {
    city: { institutionId: "north" },
    harbour: { institutionId: "south" },
  };
  const references = { record: (_: unknown, id: string) => campuses[id] };
  const choice = (path: string) => {
    const field = fieldsOf(LOCATIONS.sections).find((field) => field.path === path);
    if (field?.as !== "choice") throw new Error(path);
    return field;
  };

  test("is a campus of the chosen institution", () => {
    const fitting = (id: string) =>
      fits(choice("campusId"), id, { institutionId: "south" }, references);
    expect(["city", "harbour"].filter(fitting)).toEqual(["harbour"]);
  });

  test("is one of the location's service points", () => {
    const location = { servicePointIds: ["b"] };
    const fitting = (id: string) => fits(choice("primaryServicePoint"), id, location, references);
    expect(["a", "b"].filter(fitting)).toEqual(["b"]);
  });
});
