# What the page at /admin/onboard/ takes.
FIELDS = {
    "partner_name": "Northern Portal",
    "contact_email": "it@northern.example",
    "project_name": "Sahyadri College",
    "time_zone": "Asia/Kolkata",
    "consent_mode": "obtained",
    "retention_months": "24",
    "label": "first token",
    "expires_in": "",
}
