/** A mail server that takes everything, without a password, and keeps it. */
import { createServer } from "node:net";

export async function startMailServer() {
  const mails = [];
  const waiting = [];
  const settle = () => {
    for (const one of waiting) {
      const found = mails.find(one.fits);
      if (found) one.resolve(found);
    }
  };
  const server = createServer((socket) => {
    let data;
    let rest = "";
    const say = (line) => socket.write(`${line}\r\n`);
    const take = (line) => {
      if (data === undefined) {
        if (/^DATA/i.test(line)) data = [];
        say(answerTo(line));
        if (/^QUIT/i.test(line)) socket.end();
      } else if (line === ".") {
        mails.push(decoded(data.join("\n")));
        data = undefined;
        say("250 kept");
        settle();
      } else data.push(line);
    };
    socket.on("data", (bytes) => {
      const lines = (rest + bytes).split("\r\n");
      rest = lines.pop();
      for (const line of lines) take(line);
    });
    socket.on("error", () => undefined);
    say("220 mail");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const next = (fits) =>
    new Promise((resolve) => {
      waiting.push({ fits, resolve });
      settle();
    });
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { port: server.address().port, next, stop };
}

function answerTo(line) {
  if (/^DATA/i.test(line)) return "354 go on";
  return /^QUIT/i.test(line) ? "221 bye" : "250 mail";
}

/** The text of a mail, with the parts in base64 and quoted-printable written out after it. */
function decoded(text) {
  const plain = text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const parts = text.match(/(?:^[A-Za-z0-9+/]{20,}={0,2}\n?)+/gm) ?? [];
  return [text, plain, ...parts.map((part) => Buffer.from(part, "base64").toString())].join("\n");
}
