<?php
// Receives webhooks and verifies their signature. Needs PHP 8.0 or newer and nothing else.
// To try it: php -S 127.0.0.1:8080 webhook_receiver.php

$key = base64_decode(preg_replace('/^whsec_/', '', trim(getenv('WEBHOOK_SECRET'))));
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$body = file_get_contents('php://input');

$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
// There are two signatures while the secret is changed.
$given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
$matching = array_filter($given, fn ($signature) => hash_equals($expected, $signature));
if ($id === '' || abs(time() - (int) $time) > 300 || !$matching) {
    http_response_code(400);
    exit;
}

// An event may arrive twice, with the same id: in production, use a table with a unique column.
$seen = sys_get_temp_dir() . '/webhook-' . sha1($id);
if (!file_exists($seen)) {
    $event = json_decode($body, true);
    error_log($event['type'] . ' ' . json_encode($event['data']));
    touch($seen);
}
http_response_code(204);
