from partner_api import call

student = {
    "name": "Asha Rao",
    "email": "asha.rao@example.com",
    "mobile": "+91 98765 43201",
}
# X-Reference may be left out: your own id for the student or application.
answer = call("get-redirect-url", student, headers={"X-Reference": "application-1042"})
print(answer["redirect-url"])
