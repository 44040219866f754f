from partner_api import call

for record in call("get-assessments-info", {"email": "asha.rao@example.com"}):
    detail = call("get-assessment-detail", {"AssessmentId": record["AssessmentId"]})
    for course in detail.get("Courses", []):
        print(course["Name"], course["Reasons"])
