// Verifies Paydesk webhooks in Java (17 or newer), without dependencies.
// To test it: java Verify.java webhook-signatures.json

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
  static final long TOLERANCE_SECONDS = 300;
  static final int MAX_HEADER_LENGTH = 1024;
  static final long MAX_SAFE_INTEGER = (1L << 53) - 1;

  /** The event is null unless the verdict is "ok". */
  record Result(String verdict, Map<?, ?> event) {}

  /**
   * @param rawBody the bytes as received, before any parsing: a byte[] with @RequestBody in Spring
   * @param header the value of Service-Signature, or null
   * @param secrets the endpoint's secret, and the next one during a rotation
   * @param now System.currentTimeMillis() / 1000
   */
  static Result verify(byte[] rawBody, String header, List<String> secrets, long now)
      throws GeneralSecurityException {
    if (secrets.isEmpty() || secrets.contains("")) return refused("secret_missing");
    if (header != null && header.length() > MAX_HEADER_LENGTH) return refused("header_malformed");
    if (header == null || header.isBlank()) return refused("header_missing");
    List<String> times = new ArrayList<>();
    List<String> signatures = new ArrayList<>();
    for (String part : header.split(",")) {
      part = part.strip();
      if (part.startsWith("t=")) times.add(part.substring(2));
      else if (part.startsWith("v1=")) signatures.add(part.substring(3));
    }

    if (times.isEmpty()) return refused(signatures.isEmpty() ? "header_malformed" : "timestamp_missing");
    if (times.size() > 1) return refused("timestamp_repeated");
    long timestamp = seconds(times.get(0));
    if (timestamp < 0) return refused("timestamp_malformed");
    if (signatures.isEmpty()) return refused("signature_missing");
    if (signatures.size() > 1) return refused("signature_repeated");
    if (!signatures.get(0).matches("[0-9a-fA-F]{64}")) return refused("signature_malformed");

    if (now - timestamp > TOLERANCE_SECONDS) return refused("timestamp_too_old");
    if (timestamp - now > TOLERANCE_SECONDS) return refused("timestamp_in_future");

    byte[] signature = HexFormat.of().parseHex(signatures.get(0));
    boolean matched = false;
    for (String secret : secrets) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((times.get(0) + ".").getBytes(StandardCharsets.US_ASCII));
      matched |= MessageDigest.isEqual(mac.doFinal(rawBody), signature);
    }
    if (!matched) return refused("signature_mismatch");

    Object event;
    try {
      // A strict decoder, because new String(…) would silently replace invalid UTF-8.
      event = Json.parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(rawBody)).toString());
    } catch (CharacterCodingException | IllegalArgumentException | StackOverflowError e) {
      return refused("body_not_json");
    }
    return event instanceof Map<?, ?> map && isEvent(map) ? new Result("ok", map) : refused("body_not_event");
  }

  static Result refused(String verdict) {
    return new Result(verdict, null);
  }

  /** Returns -1 unless the text is a whole number of seconds in ASCII digits. */
  static long seconds(String text) {
    if (!text.matches("[0-9]+")) return -1;
    try {
      long value = Long.parseLong(text);
      return value <= MAX_SAFE_INTEGER ? value : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static boolean isEvent(Map<?, ?> event) {
    for (String field : List.of("id", "type", "created_at")) {
      if (!(event.get(field) instanceof String)) return false;
    }
    return event.get("livemode") instanceof Boolean && event.get("data") instanceof Map<?, ?>;
  }

  /** A small JSON parser, since Java has none. If you have Jackson or Gson, use that, after checking the signature. */
  static final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
      this.text = text;
    }

    static Object parse(String text) {
      Json json = new Json(text);
      Object value = json.value();
      json.skipSpace();
      if (json.at < text.length()) throw json.syntaxError();
      return value;
    }

    private Object value() {
      skipSpace();
      return switch (peek()) {
        case '{' -> object();
        case '[' -> array();
        case '"' -> string();
        case 't' -> literal("true", Boolean.TRUE);
        case 'f' -> literal("false", Boolean.FALSE);
        case 'n' -> literal("null", null);
        default -> number();
      };
    }

    private Map<String, Object> object() {
      Map<String, Object> members = new LinkedHashMap<>();
      at++;
      if (consume('}')) return members;
      do {
        skipSpace();
        if (peek() != '"') throw syntaxError();
        String name = string();
        if (!consume(':')) throw syntaxError();
        members.put(name, value());
      } while (consume(','));
      if (!consume('}')) throw syntaxError();
      return members;
    }

    private List<Object> array() {
      List<Object> members = new ArrayList<>();
      at++;
      if (consume(']')) return members;
      do members.add(value());
      while (consume(','));
      if (!consume(']')) throw syntaxError();
      return members;
    }

    private String string() {
      StringBuilder read = new StringBuilder();
      for (at++; peek() != '"'; at++) {
        char letter = peek();
        if (letter < ' ') throw syntaxError();
        read.append(letter == '\\' ? escaped() : letter);
      }
      at++;
      return read.toString();
    }

    private char escaped() {
      at++;
      char letter = peek();
      int known = "\"\\/bfnrt".indexOf(letter);
      if (known >= 0) return "\"\\/\b\f\n\r\t".charAt(known);
      if (letter != 'u' || at + 5 > text.length()) throw syntaxError();
      String hex = text.substring(at + 1, at + 5);
      if (!hex.matches("[0-9a-fA-F]{4}")) throw syntaxError();
      at += 4;
      return (char) Integer.parseInt(hex, 16);
    }

    private Object literal(String word, Object value) {
      if (!text.startsWith(word, at)) throw syntaxError();
      at += word.length();
      return value;
    }

    private Double number() {
      int from = at;
      while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
      String digits = text.substring(from, at);
      if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) throw syntaxError();
      return Double.valueOf(digits);
    }

    private boolean consume(char expected) {
      skipSpace();
      if (at >= text.length() || text.charAt(at) != expected) return false;
      at++;
      return true;
    }

    private void skipSpace() {
      while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
    }

    private char peek() {
      if (at >= text.length()) throw syntaxError();
      return text.charAt(at);
    }

    private IllegalArgumentException syntaxError() {
      return new IllegalArgumentException("not JSON at " + at);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Map<?, ?> file = (Map<?, ?>) Json.parse(Files.readString(Path.of(arguments[0])));
    for (Object entry : (List<?>) file.get("vectors")) {
      Map<?, ?> vector = (Map<?, ?>) entry;
      List<String> secrets = ((List<?>) vector.get("secrets")).stream().map(String::valueOf).toList();
      byte[] body = Base64.getDecoder().decode((String) vector.get("body_base64"));
      long now = ((Double) vector.get("now")).longValue();
      System.out.println(verify(body, (String) vector.get("header"), secrets, now).verdict());
    }
  }
}
