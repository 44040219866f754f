<?php
require 'partner_api.php';

foreach (call('get-assessments-info', ['email' => 'asha.rao@example.com']) as $record) {
    $detail = call('get-assessment-detail', ['AssessmentId' => $record['AssessmentId']]);
    foreach ($detail['Courses'] ?? [] as $course) {
        echo $course['Name'], ': ', implode(' ', $course['Reasons']), "\n";
    }
}
