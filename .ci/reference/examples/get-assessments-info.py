from partner_api import call

for record in call("get-assessments-info", {"email": "asha.rao@example.com"}):
    print(record["Status"], record["AssessmentDuration"], record["Recommendations"])
