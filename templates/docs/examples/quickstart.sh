export BASE_URL='https://assessments.example.com'
export PROJECT_ID='your projectId'
export TOKEN_ID='your TokenId'
export TOKEN_SECRET='your TokenSecret'
curl -sS "$BASE_URL/partner/check-credentials" -H "X-Access-Token: $TOKEN_ID:$TOKEN_SECRET" -H 'Content-Type: application/json' -d "{\"projectId\": \"$PROJECT_ID\"}"
