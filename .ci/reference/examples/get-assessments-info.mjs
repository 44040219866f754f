import { call } from "./partner-api.mjs";

for (const record of await call("get-assessments-info", { email: "asha.rao@example.com" })) {
  console.log(record.Status, record.AssessmentDuration, record.Recommendations);
}
