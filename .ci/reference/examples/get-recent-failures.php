<?php
require 'partner_api.php';

$failures = call('get-recent-failures', [])['Failures'];
echo count($failures), " refused calls in the last 7 days\n";
foreach ($failures as $each) {
    echo $each['At'], ' ', $each['Operation'], ' ', $each['Status'], ' ', $each['Code'], "\n";
}
