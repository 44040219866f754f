from partner_api import call

answer = call("check-credentials", {})
print(answer["Project"], answer["TokenExpiresAt"], answer["Test"])
