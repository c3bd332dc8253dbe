package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * {@code call: openapi}: an operation of a fetched document. Parameters go where the document declares them; the others are the body.
 */
record OpenApiCall(HttpExchange http) implements CallExecutor {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "options", "head", "patch");

    @Override
    public String function() {
        return "openapi";
    }

    /** An operation of a document. @param item the path with all its operations */
    private record Operation(String path, String method, Json item, Json operation) {}

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json endpoint = with.get("document").get("endpoint");
        HttpUrl place = HttpExchange.place(endpoint);
        Json document = http.document(request, endpoint, cancellation);
        Operation operation = operation(document, with.get("operationId").display());
        return Optional.of(exchange(request, document, place, operation, with, cancellation));
    }

    private static Operation operation(Json document, String id) throws CallException {
        var ids = new ArrayList<String>();
        for (Map.Entry<String, Json> path : document.get("paths").map().entrySet()) {
            for (Map.Entry<String, Json> method : path.getValue().map().entrySet()) {
                if (METHODS.contains(method.getKey())) {
                    String known = method.getValue().get("operationId").display();
                    ids.add(known);
                    if (known.equals(id)) {
                        return new Operation(path.getKey(), method.getKey(), path.getValue(), method.getValue());
                    }
                }
            }
        }
        throw CallException.missing("the document has no operation", id, ids);
    }

    private Json exchange(
            WorkRequest request,
            Json document,
            HttpUrl place,
            Operation operation,
            Json with,
            Cancellation cancellation)
            throws CallException, InterruptedException {
        var left = new LinkedHashMap<String, Json>(with.get("parameters").map());
        var query = new LinkedHashMap<String, Json>();
        var headers = new LinkedHashMap<String, Json>();
        String path = operation.path();
        boolean isBodyNamed = false;
        for (Json parameter : parameters(document, operation)) {
            String name = parameter.get("name").display();
            Json value = left.get(name);
            if (parameter.get("in").display().equals("body")) { // of Swagger 2
                isBodyNamed = value != null;
                continue;
            }
            left.remove(name);
            if (value == null) {
                if (parameter.get("required").isTruthy()) {
                    throw CallException.configuration("the operation needs the parameter '" + name + "'");
                }
                continue;
            }
            switch (parameter.get("in").display()) {
                case "path" -> path = path.replace("{" + name + "}", encoded(value.display()));
                case "query" -> query.put(name, value);
                case "header" -> headers.put(name, value);
                default ->
                    throw CallException.configuration(
                            "a parameter in " + parameter.get("in").display() + " is not supported");
            }
        }
        Json body = isBodyNamed
                ? left.values().iterator().next()
                : left.containsKey("body") && left.size() == 1 ? left.get("body") : Json.of(left);
        boolean hasBody = !operation.operation().get("requestBody").isNull() || isBodyNamed;
        HttpUrl url = HttpExchange.url(Json.of(server(document, place) + path), Json.of(query));
        Json sent = Json.of("headers", Json.of(headers))
                .with("body", hasBody ? body : Values.NULL)
                .with("output", with.get("output"))
                .with("redirect", with.get("redirect"));
        return new HttpCall(http)
                .exchange(request, operation.method(), url, sent, with.get("authentication"), cancellation);
    }

    private static List<Json> parameters(Json document, Operation operation) {
        var all = new ArrayList<Json>(operation.item().get("parameters").list());
        all.addAll(operation.operation().get("parameters").list());
        return all.stream().map(parameter -> resolved(document, parameter)).toList();
    }

    private static Json resolved(Json document, Json parameter) {
        return parameter
                .get("$ref")
                .text()
                .filter(reference -> reference.startsWith("#/"))
                .map(reference -> JsonPointer.find(document, reference.substring(1)))
                .orElse(parameter);
    }

    /** The server declared by the document, else the server of the document itself. */
    private static String server(Json document, HttpUrl place) {
        String server;
        if (!document.get("swagger").isNull()) {
            String host = document.get("host").text().orElse(place.host() + ":" + place.port());
            List<Json> schemes = document.get("schemes").list();
            String scheme = schemes.isEmpty()
                    ? place.scheme()
                    : schemes.stream().map(Json::display).anyMatch(place.scheme()::equals)
                            ? place.scheme()
                            : schemes.getFirst().display();
            server = scheme + "://" + host + document.get("basePath").text().orElse("");
        } else {
            List<Json> servers = document.get("servers").list();
            String said =
                    servers.isEmpty() ? "/" : servers.getFirst().get("url").display();
            @Nullable HttpUrl absolute = place.resolve(said);
            server = absolute == null ? said : absolute.toString();
        }
        return server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
