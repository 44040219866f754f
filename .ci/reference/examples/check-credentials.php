<?php
require 'partner_api.php';

$answer = call('check-credentials', []);
echo $answer['Project'], ' ', $answer['TokenExpiresAt'] ?? 'does not expire', "\n";
