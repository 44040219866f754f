<?php
// Calls of the partner API. Needs PHP 8.0 or newer with its curl extension, and nothing else.

// $status is null without an answer; $body is an array, mostly with "code" and "requestId".
final class CallFailed extends Exception
{
    public function __construct(public ?int $status, public array $body)
    {
        parent::__construct(($status ?? 'null') . ': ' . json_encode($body));
    }
}

// Return a variable of the environment, trimmed. No message shows its value.
function setting(string $name, string $pattern = '~^[A-Za-z0-9_-]+$~D'): string
{
    $value = trim((string) getenv($name));
    if (!preg_match($pattern, $value)) {
        throw new InvalidArgumentException("$name is empty, not complete, or has a space, quote or line break in it");
    }
    return $value;
}

// Return the answer, or throw CallFailed after about $seconds at the latest.
function call(string $operation, array $fields, float $seconds = 20, array $headers = []): array
{
    $deadline = microtime(true) + $seconds;
    $url = rtrim(setting('BASE_URL', '~^https?://[^\s"\'?#]+$~D'), '/') . "/partner/$operation";
    $fields = ['projectId' => setting('PROJECT_ID')] + $fields;
    $credential = setting('TOKEN_ID') . ':' . setting('TOKEN_SECRET');
    for ($pause = 1; ; $pause *= 2) {
        $status = null;
        $retryAfter = 0;
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => json_encode($fields, JSON_THROW_ON_ERROR),
            CURLOPT_HTTPHEADER => [
                'Content-Type: application/json',
                'Accept: application/json',
                "X-Access-Token: $credential",
                ...$headers,
            ],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false, // the secret would go along
            CURLOPT_TIMEOUT_MS => (int) (1000 * min(10, $deadline - microtime(true))),
            CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$retryAfter) {
                if (stripos($line, 'Retry-After:') === 0) {
                    $retryAfter = (int) substr($line, 12);
                }
                return strlen($line);
            },
        ]);
        $text = curl_exec($curl);
        if ($text === false) {
            $body = ['detail' => curl_error($curl)];
        } else {
            $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
            $body = json_decode($text, true);
            if ($status === 200 && is_array($body)) {
                return $body;
            }
            $body = is_array($body) ? $body : ['detail' => 'The answer is not JSON.'];
        }
        // Worth another try: no answer, a broken one, too many calls, a fault of the server.
        $retry = in_array($status, [null, 200, 429], true) || $status >= 500;
        $wait = max($pause, $retryAfter) + mt_rand() / mt_getrandmax();
        if (!$retry || microtime(true) + $wait + 1 > $deadline) {
            throw new CallFailed($status, $body);
        }
        usleep((int) (1_000_000 * $wait));
    }
}

// Return a new link for a student. Use it once, do not store it.
function redirect_url(string $name, string $email, string $mobile): string
{
    $fields = ['name' => $name, 'email' => $email, 'mobile' => $mobile];
    return call('get-redirect-url', $fields)['redirect-url'];
}

// Return the student's finished attempts, the newest first; [] if there are none.
function assessments(string $email): array
{
    return call('get-assessments-info', ['email' => $email]);
}

// Only when run, not when included: every run makes a link.
if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    echo redirect_url('Asha Rao', 'asha.rao@example.com', '+91 98765 43201'), "\n";
    foreach (assessments('asha.rao@example.com') as $record) {
        echo $record['Status'], ' ', $record['AssessmentDuration'], ' ';
        echo implode(', ', $record['Recommendations']), "\n";
    }
}
