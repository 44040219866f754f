export BASE_URL='https://assessments.example.com'
export PROJECT_ID='your projectId'
export TOKEN_ID='your TokenId'
export TOKEN_SECRET='your TokenSecret'
