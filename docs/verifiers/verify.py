# Verifies Paydesk webhooks in Python (3.8 or newer), without dependencies.
# To test it: python3 verify.py webhook-signatures.json

import base64
import hashlib
import hmac
import json
import re
import sys
import time

TOLERANCE_SECONDS = 300
MAX_HEADER_LENGTH = 1024
MAX_SAFE_INTEGER = 2**53 - 1


def verify(raw_body, header, secrets, now=None):
    """Returns ("ok", event), or (the reason for refusal, None).

    raw_body: the bytes as received, before any parsing: request.get_data() in Flask, request.body in Django.
    header: the value of Service-Signature, or None.
    secrets: a list with the endpoint's secret, and the next one during a rotation.
    """
    now = time.time() if now is None else now
    # The characters of a single string would be taken for secrets.
    if isinstance(secrets, (str, bytes)) or not secrets or not all(secrets):
        return "secret_missing", None
    header = header or ""
    if len(header) > MAX_HEADER_LENGTH:
        return "header_malformed", None
    if header.strip() == "":
        return "header_missing", None
    parts = [part.strip() for part in header.split(",")]
    times = [part[2:] for part in parts if part.startswith("t=")]
    signatures = [part[3:] for part in parts if part.startswith("v1=")]

    if not times:
        return ("timestamp_missing" if signatures else "header_malformed"), None
    if len(times) > 1:
        return "timestamp_repeated", None
    if not re.fullmatch(r"[0-9]+", times[0]) or int(times[0]) > MAX_SAFE_INTEGER:
        return "timestamp_malformed", None
    if not signatures:
        return "signature_missing", None
    if len(signatures) > 1:
        return "signature_repeated", None
    if not re.fullmatch(r"[0-9a-fA-F]{64}", signatures[0]):
        return "signature_malformed", None

    age = now - int(times[0])
    if age > TOLERANCE_SECONDS:
        return "timestamp_too_old", None
    if age < -TOLERANCE_SECONDS:
        return "timestamp_in_future", None

    signed = times[0].encode("ascii") + b"." + raw_body
    matched = False
    for secret in secrets:
        expected = hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).digest()
        matched = hmac.compare_digest(expected, bytes.fromhex(signatures[0])) or matched
    if not matched:
        return "signature_mismatch", None

    try:
        # NaN and Infinity are not JSON, but Python accepts them.
        event = json.loads(raw_body.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return "body_not_json", None
    return ("ok", event) if is_event(event) else ("body_not_event", None)


def refuse_constant(name):
    raise ValueError(name)


def is_event(event):
    if not isinstance(event, dict):
        return False
    named = all(isinstance(event.get(field), str) for field in ("id", "type", "created_at"))
    return named and isinstance(event.get("livemode"), bool) and isinstance(event.get("data"), dict)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        for vector in json.load(file)["vectors"]:
            body = base64.b64decode(vector["body_base64"])
            print(verify(body, vector["header"], vector["secrets"], vector["now"])[0])
