from partner_api import call

status = call("get-student-status", {"email": "asha.rao@example.com"})
for link in status["Links"]:
    print(link["LinkId"], link["State"], link["Advice"])
for attempt in status["Assessments"]:
    print(attempt["AssessmentId"], attempt["Status"], attempt.get("Answered"))
