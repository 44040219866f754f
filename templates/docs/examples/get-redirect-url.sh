curl -sS "$BASE_URL/partner/get-redirect-url" \
  -H "Content-Type: application/json" \
  -H "Accept: application/json" \
  -H "X-Access-Token: $TOKEN_ID:$TOKEN_SECRET" \
  --data-binary @- <<JSON
{
  "projectId": "$PROJECT_ID",
  "name": "Asha Rao",
  "email": "asha.rao@example.com",
  "mobile": "+91 98765 43210"
}
JSON
