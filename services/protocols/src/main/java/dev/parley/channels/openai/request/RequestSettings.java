package dev.parley.channels.openai.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.SettingsJson;
import dev.parley.platform.schema.JsonSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parser of the settings of a request. */
public final class RequestSettings {
    private static final double MAX_TEMPERATURE = 2;
    private static final int MAX_STOPS = 4;
    private static final String PARALLEL = "parallel_tool_calls";

    private RequestSettings() {}

    /** The settings of a chat completion. */
    public static SettingsJson ofCompletion(RequestFields body) {
        String limit = body.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
        RequestFields format = body.object("response_format");
        return settings(
                body,
                body.integer(limit, 1),
                stops(body),
                schema(format, format.object("json_schema")),
                format.object("json_schema").flag("strict"),
                effort(body, "reasoning_effort"),
                verbosity(body));
    }

    /** The settings of a response. */
    public static SettingsJson ofResponse(RequestFields body) {
        RequestFields text = body.object("text");
        RequestFields format = text.object("format");
        return settings(
                body,
                body.integer("max_output_tokens", 1),
                null,
                schema(format, format),
                format.flag("strict"),
                effort(body.object("reasoning"), "effort"),
                verbosity(text));
    }

    private static SettingsJson settings(
            RequestFields body,
            @Nullable Integer maxTokens,
            @Nullable List<String> stops,
            @Nullable Map<String, Object> schema,
            boolean isStrict,
            @Nullable String effort,
            @Nullable String verbosity) {
        Double topP = body.number("top_p", 0, 1);
        return requireValid(new SettingsJson(
                null,
                effort,
                body.number("temperature", 0, MAX_TEMPERATURE),
                topP == null || topP == 0 ? null : topP,
                maxTokens,
                stops,
                schema,
                schema != null && isStrict ? true : null,
                verbosity,
                FunctionTools.choice(body),
                body.has(PARALLEL) && !body.flag(PARALLEL) ? false : null,
                null,
                null,
                null,
                null,
                null,
                null));
    }

    /** The fields have been checked by their names: what is left are limits of the whole. */
    private static SettingsJson requireValid(SettingsJson settings) {
        try {
            settings.settings();
            return settings;
        } catch (ApiException e) {
            throw ProtocolException.invalid(null, e.getMessage());
        }
    }

    /** Parley has fewer levels. */
    private static @Nullable String effort(RequestFields fields, String name) {
        return switch (fields.text(name)) {
            case null -> null;
            case "minimal" -> "low";
            case "xhigh", "max" -> "high";
            case "none", "low", "medium", "high" -> fields.text(name);
            default -> throw fields.invalid(name, "one of none, minimal, low, medium, high and xhigh");
        };
    }

    private static @Nullable String verbosity(RequestFields fields) {
        String verbosity = fields.text("verbosity");
        if (verbosity != null && !List.of("low", "medium", "high").contains(verbosity)) {
            throw fields.invalid("verbosity", "one of low, medium and high");
        }
        return verbosity;
    }

    private static @Nullable List<String> stops(RequestFields body) {
        JsonNode stop = body.get("stop");
        if (!body.has("stop") || (stop.isArray() && stop.isEmpty())) {
            return null;
        }
        var stops = new ArrayList<String>();
        for (JsonNode element : stop.isArray() ? stop : ProtocolJson.array().add(stop)) {
            if (!element.isTextual() || element.textValue().isEmpty()) {
                throw body.invalid("stop", "a string, or one to four strings, none of them empty");
            }
            stops.add(element.textValue());
        }
        if (stops.size() > MAX_STOPS) {
            throw body.invalid("stop", "at most four strings");
        }
        return stops;
    }

    private static @Nullable Map<String, Object> schema(RequestFields format, RequestFields described) {
        String type = format.has("type") ? format.requireText("type") : "text";
        return switch (type) {
            case "text" -> null;
            case "json_object" -> Map.of("type", "object");
            case "json_schema" -> {
                RequestFields schema = described.object("schema");
                if (schema.json().isEmpty()) {
                    throw ProtocolException.missing(described.param("schema"));
                }
                requireSchema(described, schema.json());
                yield ProtocolJson.map(schema.json());
            }
            default -> throw format.invalid("type", "one of text, json_object and json_schema");
        };
    }

    private static void requireSchema(RequestFields described, JsonNode schema) {
        String text = ProtocolJson.text(schema);
        if (text.getBytes(StandardCharsets.UTF_8).length > SettingsJson.MAX_SCHEMA) {
            throw described.invalid("schema", "a JSON Schema of at most 32 KiB");
        }
        if (!described.flag("strict")) {
            return; // the provider does what it can
        }
        try {
            var _ = JsonSchema.of(text);
        } catch (IllegalArgumentException e) {
            throw ProtocolException.badRequest(
                    "invalid_json_schema",
                    described.param("schema"),
                    "Invalid schema for '%s': %s".formatted(described.param("schema"), e.getMessage()));
        }
    }
}
