import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "./browser.mjs";

let browser;

before(async () => {
  browser = await openBrowser();
  // The API page renders a thousand routes.
  browser.page.setDefaultTimeout(60_000);
  await browser.page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
      window.violations.push(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile ?? ""}`,
      );
    });
  });
});

after(() => browser?.close());

describe("the content security policy", () => {
  test("a script in the page does not run", async () => {
    await browser.page.goto("/");
    const ran = await browser.page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      return window.ran ?? false;
    });
    assert.equal(ran, false);
  });

  for (const [path, shown] of [
    ["/", "main"],
    ["/api", ".swagger-ui .filter input"],
  ]) {
    test(`${path} requests nothing that it forbids`, async () => {
      const answer = await browser.page.goto(path);
      assert.match(answer.headers()["content-security-policy"], /default-src 'none'/);
      await browser.page.locator(shown).first().waitFor();
      assert.deepEqual(await browser.page.evaluate(() => window.violations), []);
    });
  }
});
