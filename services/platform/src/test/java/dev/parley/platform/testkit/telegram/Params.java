package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters of a call, from query, form, JSON or multipart. */
final class Params {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)");
    private static final Pattern NAME = Pattern.compile("[; ]name=\"?([^\";\r\n]+)");
    private static final Pattern FILE = Pattern.compile("filename=\"?([^\";\r\n]*)");
    private static final Pattern TYPE = Pattern.compile("(?i)content-type: *([^\r\n]+)");

    /** A file of the call. */
    record Upload(String name, String type, byte[] bytes) {}

    private final ObjectNode values = Json.object();
    private final Map<String, Upload> files = new HashMap<>();

    static Params read(HttpExchange exchange) throws IOException {
        var params = new Params();
        String query = exchange.getRequestURI().getRawQuery();
        if (query != null) {
            params.form(query);
        }
        byte[] body = exchange.getRequestBody().readAllBytes();
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (body.length == 0 || type == null) {
            return params;
        }
        if (type.startsWith("application/json")) {
            params.json(utf8(body));
        } else if (type.startsWith("application/x-www-form-urlencoded")) {
            params.form(utf8(body));
        } else if (type.startsWith("multipart/form-data")) {
            params.parts(type, new String(body, StandardCharsets.ISO_8859_1));
        }
        return params;
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ApiError.bad("strings must be encoded in UTF-8");
        }
    }

    private void json(String text) {
        try {
            if (Json.parse(text) instanceof ObjectNode object) {
                values.setAll(object);
                return;
            }
        } catch (IllegalArgumentException e) {
            // rejected below
        }
        throw ApiError.bad("can't parse the request's JSON object");
    }

    private void form(String text) {
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
    }

    private void parts(String type, String body) {
        Matcher boundary = BOUNDARY.matcher(type);
        if (!boundary.find()) {
            throw ApiError.bad("boundary not found");
        }
        for (String part : ("\r\n" + body).split(Pattern.quote("\r\n--" + boundary.group(1)))) {
            int blank = part.indexOf("\r\n\r\n");
            Matcher name = NAME.matcher(blank < 0 ? "" : part.substring(0, blank));
            if (name.find()) {
                part(
                        latin(name.group(1)),
                        part.substring(0, blank),
                        part.substring(blank + 4).getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    private void part(String name, String head, byte[] bytes) {
        Matcher file = FILE.matcher(head);
        if (file.find()) {
            Matcher type = TYPE.matcher(head);
            String contentType = type.find() ? type.group(1).strip() : "application/octet-stream";
            files.put(name, new Upload(latin(file.group(1)), contentType, bytes));
        } else {
            values.put(name, utf8(bytes));
        }
    }

    private static String latin(String text) {
        return new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** All parameters, with names and sizes in place of files. */
    ObjectNode journal() {
        ObjectNode journal = values.deepCopy();
        files.forEach((name, upload) ->
                journal.putObject(name).put("file", upload.name()).put("size", upload.bytes().length));
        return journal;
    }

    @Nullable
    Upload file(String name) {
        return files.get(name);
    }

    boolean has(String name) {
        return values.hasNonNull(name);
    }

    /** A text, empty if absent. */
    String text(String name) {
        JsonNode value = values.path(name);
        if (value.isContainerNode()) {
            throw wrong(name, "a string");
        }
        String text = value.isNull() ? "" : value.asText();
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw ApiError.bad("strings must be encoded in UTF-8");
        }
        return text;
    }

    /** An integer, 0 if absent. */
    long integer(String name) {
        String text = text(name);
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw wrong(name, "an integer");
        }
    }

    boolean flag(String name) {
        return switch (text(name).toLowerCase(java.util.Locale.ROOT)) {
            case "true", "1", "yes" -> true;
            case "false", "0", "no", "" -> false;
            default -> throw wrong(name, "a boolean");
        };
    }

    /** JSON, also if sent as text in a form; JSON null if absent. */
    JsonNode tree(String name) {
        JsonNode value = values.path(name);
        if (value.isMissingNode() || value.isTextual() && value.asText().isEmpty()) {
            return NullNode.instance;
        }
        if (!value.isTextual()) {
            return value;
        }
        try {
            return Json.parse(value.asText());
        } catch (IllegalArgumentException e) {
            throw wrong(name, "JSON");
        }
    }

    /**
     * Checks the types of the known parameters.
     *
     * @param types types by name
     * @param unknown receives the names of the others
     */
    void check(Map<String, String> types, java.util.function.Consumer<String> unknown) {
        values.fieldNames().forEachRemaining(name -> {
            switch (types.getOrDefault(name, "?")) {
                case "int" -> integer(name);
                case "bool" -> flag(name);
                case "str" -> text(name);
                case "array" -> {
                    if (!tree(name).isArray() && !tree(name).isNull()) {
                        throw wrong(name, "an array");
                    }
                }
                case "object" -> {
                    if (!tree(name).isObject() && !tree(name).isNull()) {
                        throw name.equals("reply_markup")
                                ? ApiError.bad("object expected as reply markup")
                                : wrong(name, "an object");
                    }
                }
                default -> unknown.accept(name);
            }
        });
    }

    private static ApiError wrong(String name, String expected) {
        return ApiError.bad("parameter \"" + name + "\" must be " + expected);
    }
}
