<?php
require 'partner_api.php';

$status = call('get-student-status', ['email' => 'asha.rao@example.com']);
foreach ($status['Links'] as $link) {
    echo $link['LinkId'], ' ', $link['State'], ' ', $link['Advice'], "\n";
}
foreach ($status['Assessments'] as $attempt) {
    echo $attempt['AssessmentId'], ' ', $attempt['Status'], ' ', $attempt['Answered'] ?? '', "\n";
}
