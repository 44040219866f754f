import { call } from "./partner-api.mjs";

let fields = {}; // the first time; later { cursor: the one that you stored }
for (;;) {
  const page = await call("list-assessments", fields);
  for (const record of page.Assessments) {
    console.log(record.AssessmentId, record.Email, record.Status, record.EndedAt);
  }
  fields = { cursor: page.NextCursor };
  if (page.Assessments.length === 0) break;
}
console.log("Store for the next time:", fields.cursor);
