<?php
// Verifies Paydesk webhooks in PHP (8.0 or newer), without dependencies.
// To test it: php verify.php webhook-signatures.json

const TOLERANCE_SECONDS = 300;
const MAX_HEADER_LENGTH = 1024;
const MAX_SAFE_INTEGER = 9007199254740991;

/**
 * Returns ['ok', $event], or [the reason for refusal, null].
 *
 * $rawBody: the body as received, before any parsing: file_get_contents('php://input').
 * $header: $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null.
 * $secrets: an array with the endpoint's secret, and the next one during a rotation.
 * $now: time().
 */
function verify(string $rawBody, ?string $header, array $secrets, int $now): array
{
    // An environment variable that is not set gives false or null, with which PHP would compute a signature as well.
    $usable = array_filter($secrets, fn ($secret) => is_string($secret) && $secret !== '');
    if ($secrets === [] || count($usable) < count($secrets)) {
        return ['secret_missing', null];
    }
    $header ??= '';
    if (strlen($header) > MAX_HEADER_LENGTH) {
        return ['header_malformed', null];
    }
    if (trim($header) === '') {
        return ['header_missing', null];
    }
    $times = [];
    $signatures = [];
    foreach (array_map('trim', explode(',', $header)) as $part) {
        if (str_starts_with($part, 't=')) {
            $times[] = substr($part, 2);
        } elseif (str_starts_with($part, 'v1=')) {
            $signatures[] = substr($part, 3);
        }
    }

    if ($times === []) {
        return [$signatures === [] ? 'header_malformed' : 'timestamp_missing', null];
    }
    if (count($times) > 1) {
        return ['timestamp_repeated', null];
    }
    // Too many digits for an integer give a float, which also exceeds the limit.
    if (!preg_match('/^[0-9]+$/D', $times[0]) || $times[0] + 0 > MAX_SAFE_INTEGER) {
        return ['timestamp_malformed', null];
    }
    if ($signatures === []) {
        return ['signature_missing', null];
    }
    if (count($signatures) > 1) {
        return ['signature_repeated', null];
    }
    if (!preg_match('/^[0-9a-fA-F]{64}$/D', $signatures[0])) {
        return ['signature_malformed', null];
    }

    $age = $now - (int) $times[0];
    if ($age > TOLERANCE_SECONDS) {
        return ['timestamp_too_old', null];
    }
    if ($age < -TOLERANCE_SECONDS) {
        return ['timestamp_in_future', null];
    }

    $matched = false;
    foreach ($secrets as $secret) {
        $expected = hash_hmac('sha256', $times[0] . '.' . $rawBody, $secret);
        $matched = hash_equals($expected, strtolower($signatures[0])) || $matched;
    }
    if (!$matched) {
        return ['signature_mismatch', null];
    }

    // Decoded to objects, to distinguish {} from [].
    $event = json_decode($rawBody);
    if (json_last_error() !== JSON_ERROR_NONE) {
        return ['body_not_json', null];
    }
    return is_event($event) ? ['ok', $event] : ['body_not_event', null];
}

function is_event(mixed $event): bool
{
    return is_object($event)
        && is_string($event->id ?? null)
        && is_string($event->type ?? null)
        && is_string($event->created_at ?? null)
        && is_bool($event->livemode ?? null)
        && is_object($event->data ?? null);
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    foreach (json_decode(file_get_contents($argv[1]), true)['vectors'] as $vector) {
        $body = base64_decode($vector['body_base64']);
        echo verify($body, $vector['header'], $vector['secrets'], $vector['now'])[0], "\n";
    }
}
