// Both calls. Needs Node 18 or newer and nothing else. Never in a browser: it holds the secret.

const { BASE_URL, PROJECT_ID, TOKEN_ID, TOKEN_SECRET } = process.env;

// Return the answer. Only 429, 5xx and a lost connection are worth another try.
async function call(operation, fields, attempts = 4) {
  let failure;
  for (let attempt = 0; attempt < attempts; attempt++) {
    let wait = 2 ** attempt + Math.random();
    try {
      const response = await fetch(`${BASE_URL}/partner/${operation}`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json",
          "X-Access-Token": `${TOKEN_ID}:${TOKEN_SECRET}`,
        },
        body: JSON.stringify({ projectId: PROJECT_ID, ...fields }),
        signal: AbortSignal.timeout(10_000),
      });
      if (response.ok) return await response.json();
      failure = `${response.status}: ${await response.text()}`;
      if (response.status !== 429 && response.status < 500) break;
      wait = Number(response.headers.get("Retry-After")) || wait;
    } catch (error) {
      failure = String(error);
    }
    if (attempt < attempts - 1) await new Promise((done) => setTimeout(done, wait * 1000));
  }
  throw new Error(`${operation} failed. ${failure}`);
}

// Return a new link for a student. Use it once, do not store it.
export async function redirectUrl(name, email, mobile) {
  return (await call("get-redirect-url", { name, email, mobile }))["redirect-url"];
}

// Return the student's finished attempts, the newest first; [] if there are none.
export async function assessments(email) {
  return call("get-assessments-info", { email });
}

console.log(await redirectUrl("Asha Rao", "asha.rao@example.com", "+91 98765 43210"));
for (const record of await assessments("asha.rao@example.com")) {
  console.log(record.Status, record.AssessmentDuration, record.Recommendations);
}
