import { call } from "./partner-api.mjs";

for (const { AssessmentId } of await call("get-assessments-info", { email: "asha.rao@example.com" })) {
  const detail = await call("get-assessment-detail", { AssessmentId });
  for (const course of detail.Courses ?? []) {
    console.log(course.Name, course.Reasons);
  }
}
