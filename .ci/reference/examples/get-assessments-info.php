<?php
require 'partner_api.php';

foreach (call('get-assessments-info', ['email' => 'asha.rao@example.com']) as $record) {
    echo $record['Status'], ' ', $record['AssessmentDuration'], ' ';
    echo implode(', ', $record['Recommendations']), "\n";
}
