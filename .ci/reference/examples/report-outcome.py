from partner_api import call

outcome = {"email": "asha.rao@example.com", "CourseCode": "BSC-PHY", "Stage": "enrolled"}
answer = call("report-outcome", outcome)
print(answer["Recorded"])
