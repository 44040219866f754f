// Receives webhooks and verifies their signature. Needs Node 18 or newer and nothing else.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const KEY = Buffer.from(process.env.WEBHOOK_SECRET.trim().replace(/^whsec_/, ""), "base64");
const seen = new Set(); // in production, a table with a unique column

function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(time));
  if (!id || !signatures || !(age < 300)) return false;
  const expected = createHmac("sha256", KEY).update(`${id}.${time}.`).update(body).digest();
  // There are two signatures while the secret is changed.
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(400).end();
  // An event may arrive twice, with the same id.
  const id = request.headers["webhook-id"];
  if (!seen.has(id)) {
    const { type, data } = JSON.parse(body);
    console.log(type, data);
    seen.add(id);
  }
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 8080));
