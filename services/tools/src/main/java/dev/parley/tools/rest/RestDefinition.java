package dev.parley.tools.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.definition.Endpoint;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.HeaderName;
import dev.parley.platform.outbound.Outbound;
import dev.parley.tools.kind.DefinitionFields;
import dev.parley.tools.outbound.Authorization;
import dev.parley.tools.rest.UrlTemplate.BadValueException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of a call to an HTTP request.
 *
 * @param endpoint name of the host's endpoint that provides base URL, headers and key; empty for none
 * @param query the arguments by query parameter
 * @param body the location of the other arguments
 */
record RestDefinition(
        Optional<String> endpoint,
        UrlTemplate url,
        String method,
        Map<String, String> query,
        Map<String, String> headers,
        Body body,
        Optional<Authorization> auth) {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final MediaType JSON = MediaType.get("application/json");

    /** The location of arguments that are neither in the path nor in the query. */
    enum Body {
        /** A JSON object. */
        JSON,
        FORM,
        /** The query; there is no body. */
        NONE
    }

    /** @throws IllegalArgumentException naming the invalid field */
    static RestDefinition of(JsonNode implementation) {
        boolean below = implementation.hasNonNull("endpoint");
        var fields = below
                ? DefinitionFields.of(implementation, "endpoint", "path", "method", "query", "body")
                : DefinitionFields.of(implementation, "url", "method", "query", "headers", "body", "auth");
        String method = fields.find("method").orElse("GET").toUpperCase(Locale.ROOT);
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("method must be GET, HEAD, POST, PUT, PATCH or DELETE");
        }
        return new RestDefinition(
                fields.find("endpoint"),
                below ? path(fields.text("path")) : UrlTemplate.of("url", fields.text("url")),
                method,
                fields.texts("query"),
                HeaderName.requireValid("headers", fields.texts("headers")),
                body(fields.find("body"), method),
                Authorization.of(fields));
    }

    /** The path below a placeholder host, until the endpoint is known. */
    private static UrlTemplate path(String path) {
        if (!Endpoint.isPath(path)) {
            throw new IllegalArgumentException(
                    "path is one such as /users/{id}, below the endpoint: without '%', ';', '.' and '..' in it");
        }
        return UrlTemplate.of("path", "https://endpoint.invalid" + path);
    }

    /**
     * A copy of the definition below the current state of an endpoint.
     *
     * @throws IllegalArgumentException naming its invalid field
     */
    RestDefinition below(Endpoint opened) {
        DefinitionFields fields = DefinitionFields.of(JsonMappers.tree(opened.request()), "headers", "auth");
        return new RestDefinition(
                endpoint,
                url.below(Outbound.url("url", opened.url())),
                method,
                query,
                HeaderName.requireValid("headers", fields.texts("headers")),
                body,
                Authorization.of(fields));
    }

    private static Body body(Optional<String> format, String method) {
        if (format.isEmpty()) {
            return WITH_BODY.contains(method) ? Body.JSON : Body.NONE;
        }
        Body body = switch (format.get()) {
            case "json" -> Body.JSON;
            case "form" -> Body.FORM;
            case "none" -> Body.NONE;
            default -> throw new IllegalArgumentException("body is json, form or none");
        };
        if (body != Body.NONE && !WITH_BODY.contains(method)) {
            throw new IllegalArgumentException("body must be none for the method " + method);
        }
        return body;
    }

    /**
     * The request of a call, without its key.
     *
     * @throws BadValueException when an argument is invalid where it is used
     */
    Request.Builder request(JsonNode arguments) throws BadValueException {
        var values = new HashMap<String, String>();
        for (String name : url.names()) {
            values.put(name, segment(name, arguments.get(name)));
        }
        HttpUrl.Builder address = url.expand(values).newBuilder();
        query.forEach((parameter, argument) -> add(address, parameter, arguments.get(argument)));
        Map<String, JsonNode> remaining = remaining(arguments);
        if (body == Body.NONE) {
            remaining.forEach((name, value) -> add(address, name, value));
        }
        var request = new Request.Builder().url(address.build()).method(method, body(remaining));
        headers.forEach(request::header);
        return request;
    }

    private Map<String, JsonNode> remaining(JsonNode arguments) {
        var used = new LinkedHashSet<>(url.names());
        used.addAll(query.values());
        var remaining = new LinkedHashMap<String, JsonNode>();
        arguments.properties().forEach(argument -> {
            if (!used.contains(argument.getKey())) {
                remaining.put(argument.getKey(), argument.getValue());
            }
        });
        return remaining;
    }

    private @Nullable RequestBody body(Map<String, JsonNode> remaining) {
        return switch (body) {
            case NONE -> WITH_BODY.contains(method) ? RequestBody.EMPTY : null;
            case JSON -> {
                ObjectNode object = JsonNodeFactory.instance.objectNode();
                remaining.forEach(object::set);
                yield RequestBody.create(object.toString(), JSON);
            }
            case FORM -> {
                var form = new FormBody.Builder();
                remaining.forEach((name, value) -> each(value, text -> form.add(name, text)));
                yield form.build();
            }
        };
    }

    private static String segment(String name, @Nullable JsonNode value) throws BadValueException {
        if (value == null || !value.isValueNode() || value.isNull()) {
            throw new BadValueException("the argument '%s' is needed, as a text or a number".formatted(name));
        }
        return value.asText();
    }

    private static void add(HttpUrl.Builder address, String parameter, @Nullable JsonNode value) {
        each(value, text -> address.addQueryParameter(parameter, text));
    }

    /** Passes on each value of a list, the JSON of an object, and nothing for null. */
    private static void each(@Nullable JsonNode value, Consumer<String> consumer) {
        if (value == null || value.isNull()) {
            return;
        }
        if (value.isArray()) {
            value.valueStream()
                    .forEach(element -> consumer.accept(element.isValueNode() ? element.asText() : element.toString()));
        } else {
            consumer.accept(value.isValueNode() ? value.asText() : value.toString());
        }
    }
}
