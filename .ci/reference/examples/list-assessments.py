from partner_api import call

fields = {}  # the first time; later {"cursor": the one that you stored}
while True:
    page = call("list-assessments", fields)
    for record in page["Assessments"]:
        print(record["AssessmentId"], record["Email"], record["Status"], record["EndedAt"])
    fields = {"cursor": page["NextCursor"]}
    if not page["Assessments"]:
        break
print("Store for the next time:", fields["cursor"])
