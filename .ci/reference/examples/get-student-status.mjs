import { call } from "./partner-api.mjs";

const status = await call("get-student-status", { email: "asha.rao@example.com" });
for (const link of status.Links) {
  console.log(link.LinkId, link.State, link.Advice);
}
for (const attempt of status.Assessments) {
  console.log(attempt.AssessmentId, attempt.Status, attempt.Answered);
}
