from partner_api import call

answer = call("cancel-links", {"email": "asha.rao@example.com"})
print(answer["Cancelled"])
