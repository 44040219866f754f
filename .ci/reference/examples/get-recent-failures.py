from partner_api import call

failures = call("get-recent-failures", {})["Failures"]
print(len(failures), "refused calls in the last 7 days")
for each in failures:
    print(each["At"], each["Operation"], each["Status"], each["Code"], each["RequestId"])
