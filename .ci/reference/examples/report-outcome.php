<?php
require 'partner_api.php';

$outcome = ['email' => 'asha.rao@example.com', 'CourseCode' => 'BSC-PHY', 'Stage' => 'enrolled'];
$answer = call('report-outcome', $outcome);
var_dump($answer['Recorded']);
