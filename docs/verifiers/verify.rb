# Verifies Paydesk webhooks in Ruby (2.7 or newer), with the standard library only.
# To test it: ruby verify.rb webhook-signatures.json

require 'json'
require 'openssl'

TOLERANCE_SECONDS = 300
MAX_HEADER_LENGTH = 1024
MAX_SAFE_INTEGER = 2**53 - 1

# Returns ['ok', event], or [the reason for refusal, nil].
#
# raw_body: the bytes as received, before any parsing: request.raw_post in Rails, request.body.read in Rack.
# header: the value of Service-Signature (request.get_header('HTTP_SERVICE_SIGNATURE')), or nil.
# secrets: an array with the endpoint's secret, and the next one during a rotation.
def verify(raw_body, header, secrets, now = Time.now.to_f)
  return ['secret_missing', nil] if secrets.empty? || secrets.any? { |secret| secret.nil? || secret.empty? }

  header = header.to_s
  return ['header_malformed', nil] if header.length > MAX_HEADER_LENGTH
  return ['header_missing', nil] if header.strip.empty?

  parts = header.split(',').map(&:strip)
  times = parts.filter_map { |part| part[2..] if part.start_with?('t=') }
  signatures = parts.filter_map { |part| part[3..] if part.start_with?('v1=') }

  return [signatures.empty? ? 'header_malformed' : 'timestamp_missing', nil] if times.empty?
  return ['timestamp_repeated', nil] if times.length > 1
  unless times[0].match?(/\A[0-9]+\z/) && times[0].to_i <= MAX_SAFE_INTEGER
    return ['timestamp_malformed', nil]
  end
  return ['signature_missing', nil] if signatures.empty?
  return ['signature_repeated', nil] if signatures.length > 1
  return ['signature_malformed', nil] unless signatures[0].match?(/\A[0-9a-fA-F]{64}\z/)

  age = now - times[0].to_i
  return ['timestamp_too_old', nil] if age > TOLERANCE_SECONDS
  return ['timestamp_in_future', nil] if age < -TOLERANCE_SECONDS

  signed = "#{times[0]}.".b + raw_body.b
  matched = false
  secrets.each do |secret|
    expected = OpenSSL::HMAC.hexdigest('SHA256', secret, signed)
    matched = OpenSSL.fixed_length_secure_compare(expected, signatures[0].downcase) || matched
  end
  return ['signature_mismatch', nil] unless matched

  text = raw_body.dup.force_encoding(Encoding::UTF_8)
  return ['body_not_json', nil] unless text.valid_encoding? && !text.start_with?("\uFEFF")

  begin
    event = JSON.parse(text)
  rescue JSON::ParserError
    return ['body_not_json', nil]
  end
  event?(event) ? ['ok', event] : ['body_not_event', nil]
end

def event?(event)
  return false unless event.is_a?(Hash)

  named = %w[id type created_at].all? { |field| event[field].is_a?(String) }
  named && [true, false].include?(event['livemode']) && event['data'].is_a?(Hash)
end

if $PROGRAM_NAME == __FILE__
  JSON.parse(File.read(ARGV[0], encoding: 'UTF-8'))['vectors'].each do |vector|
    body = vector['body_base64'].unpack1('m')
    puts verify(body, vector['header'], vector['secrets'], vector['now'])[0]
  end
end
