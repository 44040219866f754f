<?php
require 'partner_api.php';

$fields = []; // the first time; later ['cursor' => the one that you stored]
do {
    $page = call('list-assessments', $fields);
    foreach ($page['Assessments'] as $record) {
        echo $record['AssessmentId'], ' ', $record['Email'], ' ', $record['Status'], "\n";
    }
    $fields = ['cursor' => $page['NextCursor']];
} while ($page['Assessments']);
echo 'Store for the next time: ', $fields['cursor'], "\n";
