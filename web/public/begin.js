// Asks who is signed in while the scripts of the application are still loading; src/api/session.ts takes the answer.
window.carrelSession = fetch("/session", {
  headers: { "X-Carrel-Page": "1" },
  signal: AbortSignal.timeout(30_000),
});
// Whoever takes the answer hears of it. Nobody has to.
window.carrelSession.catch(() => undefined);
