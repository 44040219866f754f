import { call } from "./partner-api.mjs";

const { Failures } = await call("get-recent-failures", {});
console.log(Failures.length, "refused calls in the last 7 days");
for (const each of Failures) {
  console.log(each.At, each.Operation, each.Status, each.Code, each.RequestId);
}
