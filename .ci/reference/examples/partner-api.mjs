// Calls of the partner API. Needs Node 18 or newer and nothing else. Never in a browser: it holds the secret.

import { basename } from "node:path";

// Return a variable of the environment, trimmed. No message shows its value.
function setting(name, pattern = /^[A-Za-z0-9_-]+$/) {
  const value = (process.env[name] ?? "").trim();
  if (!pattern.test(value)) {
    throw new Error(`${name} is empty, not complete, or has a space, quote or line break in it`);
  }
  return value;
}

const BASE_URL = setting("BASE_URL", /^https?:\/\/[^\s"'?#]+$/).replace(/\/+$/, "");
const PROJECT_ID = setting("PROJECT_ID");
const CREDENTIAL = `${setting("TOKEN_ID")}:${setting("TOKEN_SECRET")}`;

// `status` is null without an answer; `body` is an object, mostly with "code" and "requestId".
export class CallFailed extends Error {
  constructor(status, body) {
    super(`${status}: ${JSON.stringify(body)}`);
    Object.assign(this, { name: "CallFailed", status, body });
  }
}

// Return the answer, or throw CallFailed after about `seconds` at the latest.
export async function call(operation, fields, seconds = 20, headers = {}) {
  const deadline = Date.now() + Math.round(seconds * 1000);
  for (let pause = 1; ; pause *= 2) {
    let status = null;
    let retryAfter = 0;
    let body;
    try {
      const response = await fetch(`${BASE_URL}/partner/${operation}`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json",
          "X-Access-Token": CREDENTIAL,
          ...headers,
        },
        body: JSON.stringify({ projectId: PROJECT_ID, ...fields }),
        redirect: "manual", // the secret would go along
        signal: AbortSignal.timeout(Math.min(10_000, deadline - Date.now())),
      });
      status = response.status;
      retryAfter = Number(response.headers.get("Retry-After")) || 0;
      body = await response.json();
      if (status === 200) return body;
    } catch (error) {
      body = { detail: String(error.cause?.code ?? error.cause ?? error) };
    }
    // Worth another try: no answer, a broken one, too many calls, a fault of the server.
    const retry = [null, 200, 429].includes(status) || status >= 500;
    const wait = (Math.max(pause, retryAfter) + Math.random()) * 1000;
    if (!retry || Date.now() + wait + 1000 > deadline) throw new CallFailed(status, body);
    await new Promise((done) => setTimeout(done, wait));
  }
}

// Return a new link for a student. Use it once, do not store it.
export async function redirectUrl(name, email, mobile) {
  return (await call("get-redirect-url", { name, email, mobile }))["redirect-url"];
}

// Return the student's finished attempts, the newest first; [] if there are none.
export async function assessments(email) {
  return call("get-assessments-info", { email });
}

// Only when run, not when imported: every run makes a link.
if (basename(process.argv[1] ?? "") === basename(import.meta.url)) {
  console.log(await redirectUrl("Asha Rao", "asha.rao@example.com", "+91 98765 43201"));
  for (const record of await assessments("asha.rao@example.com")) {
    console.log(record.Status, record.AssessmentDuration, record.Recommendations);
  }
}
