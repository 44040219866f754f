import { call } from "./partner-api.mjs";

const outcome = { email: "asha.rao@example.com", CourseCode: "BSC-PHY", Stage: "enrolled" };
const answer = await call("report-outcome", outcome);
console.log(answer.Recorded);
