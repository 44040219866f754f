curl -sS 'https://assessments.example.com/partner/check-credentials' \
  -H 'X-Access-Token: your TokenId:your TokenSecret' \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json' \
  --data '{"projectId": "your projectId"}'
