export BASE_URL='https://assessments.example.com'
export PROJECT_ID='your projectId'
export TOKEN_ID='your TokenId'
export TOKEN_SECRET='your TokenSecret'

# Sends the JSON on its input to an operation. Refuses if a value above is empty or damaged.
call() {
  for each in "BASE_URL=$BASE_URL" "PROJECT_ID=$PROJECT_ID" "TOKEN_ID=$TOKEN_ID" "TOKEN_SECRET=$TOKEN_SECRET"; do
    case "$each" in
      BASE_URL=http://?* | BASE_URL=https://?*) ;;
      BASE_URL=*) each='BASE_URL=' ;;
    esac
    case "${each#*=}" in
      '' | *[!A-Za-z0-9:/._-]*)
        echo "${each%%=*} is empty, not complete, or has a space, quote or line break in it" >&2
        return 1 ;;
    esac
  done
  curl -sS "$BASE_URL/partner/$1" -H "X-Access-Token: $TOKEN_ID:$TOKEN_SECRET" \
    -H 'Content-Type: application/json' -H 'Accept: application/json' --data-binary @-
}

call check-credentials <<JSON
{"projectId": "$PROJECT_ID"}
JSON
