import { call } from "./partner-api.mjs";

const student = {
  name: "Asha Rao",
  email: "asha.rao@example.com",
  mobile: "+91 98765 43201",
};
// X-Reference may be left out: your own id for the student or application.
const answer = await call("get-redirect-url", student, 20, { "X-Reference": "application-1042" });
console.log(answer["redirect-url"]);
