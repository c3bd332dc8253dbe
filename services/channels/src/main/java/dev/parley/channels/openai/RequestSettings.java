package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.SettingsJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parser of the settings of a request. */
final class RequestSettings {
    private static final double MAX_TEMPERATURE = 2;
    private static final String PARALLEL = "parallel_tool_calls";

    private RequestSettings() {}

    /** The settings of a chat completion. */
    static SettingsJson ofCompletion(RequestFields body) {
        String limit = body.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
        return settings(
                body,
                body.integer(limit, 1),
                stops(body),
                completionSchema(body),
                body.text("reasoning_effort"),
                body.text("verbosity"));
    }

    /** The settings of a response. */
    static SettingsJson ofResponse(RequestFields body) {
        RequestFields text = body.object("text");
        RequestFields format = text.object("format");
        return settings(
                body,
                body.integer("max_output_tokens", 1),
                null,
                schema(format, format),
                body.object("reasoning").text("effort"),
                text.text("verbosity"));
    }

    private static SettingsJson settings(
            RequestFields body,
            @Nullable Integer maxTokens,
            @Nullable List<String> stops,
            @Nullable Map<String, Object> schema,
            @Nullable String effort,
            @Nullable String verbosity) {
        Double topP = body.number("top_p", 0, 1);
        return requireValid(new SettingsJson(
                null,
                effort(effort),
                body.number("temperature", 0, MAX_TEMPERATURE),
                topP == null || topP == 0 ? null : topP,
                maxTokens,
                stops,
                schema,
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

    private static SettingsJson requireValid(SettingsJson settings) {
        try {
            settings.settings();
            return settings;
        } catch (ApiException e) {
            throw ProtocolException.invalid(null, e.getMessage());
        }
    }

    /** Parley has fewer levels. */
    private static @Nullable String effort(@Nullable String effort) {
        return switch (effort) {
            case "minimal" -> "low";
            case "xhigh", "max" -> "high";
            case null -> null;
            default -> effort;
        };
    }

    private static @Nullable List<String> stops(RequestFields body) {
        JsonNode stop = body.get("stop");
        if (!body.has("stop") || (stop.isArray() && stop.isEmpty())) {
            return null;
        }
        var stops = new ArrayList<String>();
        for (JsonNode element : stop.isArray() ? stop : ProtocolJson.array().add(stop)) {
            if (!element.isTextual()
                    || element.textValue().isBlank()
                    || element.textValue().contains("\n")) {
                throw body.invalid("stop", "one to four strings of one line each");
            }
            stops.add(element.textValue());
        }
        return stops;
    }

    private static @Nullable Map<String, Object> completionSchema(RequestFields body) {
        RequestFields format = body.object("response_format");
        return schema(format, format.object("json_schema"));
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
                yield ProtocolJson.map(schema.json());
            }
            default -> throw format.invalid("type", "one of text, json_object and json_schema");
        };
    }
}
