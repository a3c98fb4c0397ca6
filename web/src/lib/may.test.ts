import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentOfServer, PERMISSIONS, tableOf } from "../../scripts/permissions.mjs";
import { NEEDED } from "../api/permissions";
import { whyNot } from "./may";

describe("a call", () => {
  const permissions = new Set(["users.item.post"]);

  test("is allowed with its permission", () => {
    expect(whyNot({ permissions, needed: NEEDED }, "POST /users")).toBeUndefined();
  });

  test("is refused without it, by its name", () => {
    const why = whyNot({ permissions, needed: NEEDED }, "PUT /users/{id}");
    expect(why).toContain("users.item.put");
  });

  test("is offered as long as it is not known what the user may do", () => {
    expect(whyNot({}, "POST /users")).toBeUndefined();
    expect(whyNot({ permissions }, "PUT /users/{id}")).toBeUndefined();
  });
});

test("the table is that of the server's document; if not: npm run types", () => {
  expect(readFileSync(PERMISSIONS, "utf8")).toBe(tableOf(documentOfServer()));
});
