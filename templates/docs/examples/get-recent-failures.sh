curl -sS "$BASE_URL/partner/get-recent-failures" \
  -H "Content-Type: application/json" \
  -H "Accept: application/json" \
  -H "X-Access-Token: $TOKEN_ID:$TOKEN_SECRET" \
  --data-binary @- <<JSON
{
  "projectId": "$PROJECT_ID"
}
JSON
