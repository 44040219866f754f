curl -sS "$BASE_URL/partner/list-assessments" \
  -H "Content-Type: application/json" \
  -H "Accept: application/json" \
  -H "X-Access-Token: $TOKEN_ID:$TOKEN_SECRET" \
  --data-binary @- <<JSON
{
  "projectId": "$PROJECT_ID",
  "limit": 100
}
JSON
