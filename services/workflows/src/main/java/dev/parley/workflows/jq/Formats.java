package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** String formats: {@code @base64}, {@code @csv} and the like. */
final class Formats {
    static final List<String> NAMES =
            List.of("@base64", "@base64d", "@csv", "@html", "@json", "@sh", "@text", "@tsv", "@uri", "@urid");

    private Formats() {}

    static String apply(String name, Json value, EvaluationLimits budget) {
        String text = value.display();
        budget.make(text.length() * 2L);
        return switch (name) {
            case "@text" -> text;
            case "@json" -> value.toString();
            case "@base64" -> Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
            case "@base64d" -> decodeBase64(text);
            case "@html" -> html(text);
            case "@uri" -> uri(text);
            case "@urid" -> URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
            case "@sh" -> shell(value);
            case "@csv" -> row(value, ",", "csv");
            default -> row(value, "\t", "tsv");
        };
    }

    private static String decodeBase64(String text) {
        try {
            String plain = text.replace('-', '+').replace('_', '/').replaceAll("=+$", "");
            return new String(Base64.getDecoder().decode(plain), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new JqException("string (" + text + ") is not valid base64 data");
        }
    }

    private static String html(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&quot;");
    }

    private static String uri(String text) {
        var encoded = new StringBuilder();
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            char sign = (char) (octet & 0xff);
            boolean plain = sign < 128 && (Character.isLetterOrDigit(sign) || "-_.~".indexOf(sign) >= 0);
            encoded.append(plain ? String.valueOf(sign) : "%%%02X".formatted((int) sign));
        }
        return encoded.toString();
    }

    private static String shell(Json value) {
        List<Json> words = value instanceof Json.Arr(List<Json> items) ? items : List.of(value);
        return words.stream().map(Formats::quoteForShell).collect(Collectors.joining(" "));
    }

    private static String quoteForShell(Json word) {
        return switch (word) {
            case Json.Str(String text) -> "'" + text.replace("'", "'\\''") + "'";
            case Json.Arr _, Json.Obj _ ->
                throw new JqException(Paths.describe(word) + " can not be escaped for shell");
            case Json.Null _, Json.Bool _, Json.Num _ -> word.toString();
        };
    }

    private static String row(Json value, String between, String format) {
        if (!(value instanceof Json.Arr(List<Json> items))) {
            throw new JqException(Paths.describe(value) + " cannot be " + format + "-formatted, only an array can be");
        }
        return items.stream().map(item -> field(item, format)).collect(Collectors.joining(between));
    }

    private static String field(Json item, String format) {
        return switch (item) {
            case Json.Null _ -> "";
            case Json.Str(String text) when format.equals("csv") -> '"' + text.replace("\"", "\"\"") + '"';
            case Json.Str(String text) ->
                text.replace("\\", "\\\\")
                        .replace("\t", "\\t")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r");
            case Json.Arr _, Json.Obj _ ->
                throw new JqException(Paths.describe(item) + " is not valid in a " + format + " row");
            case Json.Bool _, Json.Num _ -> item.toString();
        };
    }
}
