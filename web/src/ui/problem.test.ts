import { describe, expect, test } from "vitest";
import { ConnectionLostError, RefusedError, SessionExpiredError } from "../api/errors";
import { fieldErrorsOf, problemOf } from "./problem";

describe("a failed call", () => {
  test.each([
    [new SessionExpiredError(), "session-expired"],
    [new ConnectionLostError(), "connection-lost"],
    [new RefusedError(403, []), "forbidden"],
    [new RefusedError(409, []), "changed"],
    [new RefusedError(409, [{ message: "overlaps", code: "calendarDateOverlap" }]), "refused"],
    [new RefusedError(422, []), "refused"],
    [new TypeError("x"), "refused"],
  ])("%o is %s", (error, problem) => {
    expect(problemOf(error)).toBe(problem);
  });

  test("names the fields of a refusal", () => {
    const parameters = [{ key: "barcode", value: "1" }];
    const error = new RefusedError(422, [{ message: "must be unique", parameters }]);
    expect(fieldErrorsOf(error)).toEqual({ barcode: "must be unique" });
    expect(fieldErrorsOf(new ConnectionLostError())).toEqual({});
  });
});
