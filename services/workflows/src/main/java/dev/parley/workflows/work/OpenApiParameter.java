package dev.parley.workflows.work;

import dev.parley.workflows.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How the value of a parameter is written into a request.
 *
 * @see <a href="https://spec.openapis.org/oas/v3.1.1.html#style-values">Style Values of OpenAPI 3.1.1</a>
 * @param in {@code path}, {@code query}, {@code header} or {@code cookie}
 * @param style {@code simple}, {@code label}, {@code matrix}, {@code form}, {@code spaceDelimited}, {@code pipeDelimited},
 *     {@code tabDelimited} (Swagger 2), {@code deepObject}, {@code cookie} (OpenAPI 3.2), or {@code json} for a parameter
 *     with {@code content}
 * @param explode whether each item and member is written by itself
 * @param allowReserved whether {@code :/?@!$'()*+,;=} stay as they are
 */
record OpenApiParameter(String name, String in, String style, boolean explode, boolean allowReserved) {
    private static final String UNRESERVED = "-._~";
    /** Those that OpenAPI calls reserved, without the ones that would end the value. */
    private static final String RESERVED = ":/?@!$'()*+,;=";

    /** The parameter as a document of OpenAPI 3 or Swagger 2 declares it. */
    static OpenApiParameter of(Json parameter) throws CallException {
        String name = parameter.get("name").display();
        String in = parameter.get("in").display();
        if (!List.of("path", "query", "header", "cookie").contains(in)) {
            throw CallException.configuration("a parameter in " + in + " is not supported");
        }
        boolean isForm = in.equals("query") || in.equals("cookie");
        String style = parameter.get("style").text().orElseGet(() -> isForm ? "form" : "simple");
        boolean explode = style.equals("form") || style.equals("cookie");
        if (!parameter.get("content").isNull()) {
            style = "json";
        } else if (parameter.get("collectionFormat") instanceof Json.Str(String format)) {
            explode = format.equals("multi");
            style = switch (format) {
                case "ssv" -> "spaceDelimited";
                case "tsv" -> "tabDelimited";
                case "pipes" -> "pipeDelimited";
                default -> style;
            };
        } else if (parameter.get("schema").isNull() && !parameter.get("type").isNull()) {
            explode = false; // of Swagger 2, whose lists are separated by commas
        }
        Json declared = parameter.get("explode");
        return new OpenApiParameter(
                name,
                in,
                style,
                declared.isNull() ? explode : declared.isTruthy(),
                parameter.get("allowReserved").isTruthy());
    }

    /** A name and a value of a query or cookie, as they are sent. */
    record Pair(String name, String value) {}

    /** The pairs in the query or the cookie; none for null and for an empty list or object. */
    List<Pair> pairs(Json value) {
        if (value.isNull() || value instanceof Json.Arr && value.list().isEmpty() || isEmptyObject(value)) {
            return List.of();
        }
        return switch (style) {
            case "json" -> List.of(new Pair(encode(name), encode(value.toString())));
            case "spaceDelimited" -> delimited(value, "%20");
            case "pipeDelimited" -> delimited(value, "%7C");
            case "tabDelimited" -> delimited(value, "%09");
            case "deepObject" -> deep(name, value);
            default -> delimited(value, ",");
        };
    }

    private static boolean isEmptyObject(Json value) {
        return value instanceof Json.Obj && value.map().isEmpty();
    }

    private List<Pair> delimited(Json value, String delimiter) {
        if (value instanceof Json.Arr && explode) {
            return value.list().stream()
                    .map(item -> new Pair(encode(name), encode(item.display())))
                    .toList();
        }
        if (value instanceof Json.Obj && explode) {
            return value.map().entrySet().stream()
                    .map(member -> new Pair(
                            encode(member.getKey()), encode(member.getValue().display())))
                    .toList();
        }
        return List.of(new Pair(encode(name), String.join(delimiter, parts(value, this::encode))));
    }

    /** Members by brackets, {@code color[R]=100}; the specification leaves open how lists are written: repeated here. */
    private List<Pair> deep(String path, Json value) {
        var pairs = new ArrayList<Pair>();
        switch (value) {
            case Json.Obj object ->
                object.members().forEach((member, inner) -> pairs.addAll(deep(path + "[" + member + "]", inner)));
            case Json.Arr list -> list.items().forEach(item -> pairs.addAll(deep(path, item)));
            case Json.Null _ -> {}
            case Json.Bool _, Json.Num _, Json.Str _ -> pairs.add(new Pair(encode(path), encode(value.display())));
        }
        return pairs;
    }

    /** The value in a header, which is not percent-encoded. */
    String header(Json value) {
        return style.equals("json") ? value.toString() : simple(value, Function.identity());
    }

    /** The text that replaces the placeholder in the path. */
    String segment(Json value) {
        return switch (style) {
            case "json" -> encode(value.toString());
            case "label" ->
                "." + (explode ? String.join(".", members(value)) : String.join(",", parts(value, this::encode)));
            case "matrix" -> matrix(value);
            default -> simple(value, this::encode);
        };
    }

    private String simple(Json value, Function<String, String> encoding) {
        return value instanceof Json.Obj && explode
                ? String.join(",", members(value, encoding))
                : String.join(",", parts(value, encoding));
    }

    private String matrix(Json value) {
        if (explode && value instanceof Json.Obj) {
            return ";" + String.join(";", members(value));
        }
        Stream<String> texts =
                explode ? parts(value, this::encode).stream() : Stream.of(String.join(",", parts(value, this::encode)));
        return String.join(
                "",
                texts.map(text -> ";" + encode(name) + (text.isEmpty() ? "" : "=" + text))
                        .toList());
    }

    private List<String> members(Json value) {
        return members(value, this::encode);
    }

    /** Members as {@code name=value}; the items of a list, or the value itself. */
    private static List<String> members(Json value, Function<String, String> encoding) {
        return value instanceof Json.Obj
                ? value.map().entrySet().stream()
                        .map(member -> encoding.apply(member.getKey()) + "="
                                + encoding.apply(member.getValue().display()))
                        .toList()
                : parts(value, encoding);
    }

    /** The items of a list, names and values of an object in turn, or the value itself. */
    private static List<String> parts(Json value, Function<String, String> encoding) {
        Stream<String> parts = switch (value) {
            case Json.Arr list -> list.items().stream().map(Json::display);
            case Json.Obj object ->
                object.members().entrySet().stream()
                        .flatMap((Map.Entry<String, Json> member) ->
                                Stream.of(member.getKey(), member.getValue().display()));
            case Json.Null _, Json.Bool _, Json.Num _, Json.Str _ -> Stream.of(value.display());
        };
        return parts.map(encoding).toList();
    }

    private String encode(String text) {
        if (style.equals("cookie")) {
            return text; // of OpenAPI 3.2: as it is
        }
        var encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean isKept = c < 0x80
                    && (Character.isLetterOrDigit(c)
                            || UNRESERVED.indexOf(c) >= 0
                            || allowReserved && in.equals("query") && RESERVED.indexOf(c) >= 0);
            encoded.append(isKept ? String.valueOf(c) : "%%%02X".formatted(b & 0xFF));
        }
        return encoded.toString();
    }
}
