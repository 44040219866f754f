<?php
require 'partner_api.php';

$answer = call('cancel-links', ['email' => 'asha.rao@example.com']);
echo $answer['Cancelled'], "\n";
