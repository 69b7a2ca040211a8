// Verifies Paydesk webhooks in Go (1.21 or newer), with the standard library only.
// To test it: go run verify.go webhook-signatures.json
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	toleranceSeconds = 300
	maxHeaderLength  = 1024
	maxSafeInteger   = 1<<53 - 1
)

var (
	digits    = regexp.MustCompile(`^[0-9]+$`)
	hexDigest = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
)

// Verify returns "ok" and the event, or the reason for refusal. rawBody is the body as received, before any parsing:
// the result of io.ReadAll(request.Body). header is request.Header.Get("Service-Signature"); if the header can arrive
// more than once, strings.Join(request.Header.Values("Service-Signature"), ","). secrets contains the endpoint's
// secret, and the next one during a rotation. now is time.Now().Unix().
func Verify(rawBody []byte, header string, secrets []string, now int64) (string, map[string]any) {
	if len(secrets) == 0 {
		return "secret_missing", nil
	}
	for _, secret := range secrets {
		if secret == "" {
			return "secret_missing", nil
		}
	}
	if utf8.RuneCountInString(header) > maxHeaderLength {
		return "header_malformed", nil
	}
	if strings.TrimSpace(header) == "" {
		return "header_missing", nil
	}
	var times, signatures []string
	for _, part := range strings.Split(header, ",") {
		part = strings.TrimSpace(part)
		if value, found := strings.CutPrefix(part, "t="); found {
			times = append(times, value)
		} else if value, found := strings.CutPrefix(part, "v1="); found {
			signatures = append(signatures, value)
		}
	}

	if len(times) == 0 && len(signatures) == 0 {
		return "header_malformed", nil
	}
	if len(times) == 0 {
		return "timestamp_missing", nil
	}
	if len(times) > 1 {
		return "timestamp_repeated", nil
	}
	timestamp, err := strconv.ParseInt(times[0], 10, 64)
	if !digits.MatchString(times[0]) || err != nil || timestamp > maxSafeInteger {
		return "timestamp_malformed", nil
	}
	if len(signatures) == 0 {
		return "signature_missing", nil
	}
	if len(signatures) > 1 {
		return "signature_repeated", nil
	}
	if !hexDigest.MatchString(signatures[0]) {
		return "signature_malformed", nil
	}

	if now-timestamp > toleranceSeconds {
		return "timestamp_too_old", nil
	}
	if timestamp-now > toleranceSeconds {
		return "timestamp_in_future", nil
	}

	signature, _ := hex.DecodeString(signatures[0])
	matched := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(times[0] + "."))
		mac.Write(rawBody)
		matched = hmac.Equal(mac.Sum(nil), signature) || matched
	}
	if !matched {
		return "signature_mismatch", nil
	}

	// Go would silently replace invalid UTF-8, and would match struct fields case-insensitively.
	var value any
	if !utf8.Valid(rawBody) || json.Unmarshal(rawBody, &value) != nil {
		return "body_not_json", nil
	}
	if event, found := value.(map[string]any); found && isEvent(event) {
		return "ok", event
	}
	return "body_not_event", nil
}

func isEvent(event map[string]any) bool {
	for _, field := range []string{"id", "type", "created_at"} {
		if _, found := event[field].(string); !found {
			return false
		}
	}
	_, hasMode := event["livemode"].(bool)
	_, hasData := event["data"].(map[string]any)
	return hasMode && hasData
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var file struct {
		Vectors []struct {
			Header  string
			Secrets []string
			Now     int64
			Body    []byte `json:"body_base64"`
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	for _, vector := range file.Vectors {
		verdict, _ := Verify(vector.Body, vector.Header, vector.Secrets, vector.Now)
		fmt.Println(verdict)
	}
}
