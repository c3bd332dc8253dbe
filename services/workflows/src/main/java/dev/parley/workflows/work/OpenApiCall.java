package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * {@code call: openapi}: an operation of a fetched document. Parameters go where the document declares them; the others
 * are the body.
 */
record OpenApiCall(HttpExchange http) implements CallExecutor {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "options", "head", "patch");

    @Override
    public String function() {
        return "openapi";
    }

    /**
     * An operation of a document.
     *
     * @param item the path with all its operations
     */
    private record Operation(String path, String method, Json item, Json operation) {}

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json endpoint = with.get("document").get("endpoint");
        HttpUrl origin = HttpExchange.endpointUrl(endpoint);
        Json document = http.document(request, endpoint, cancellation);
        Operation operation = operation(document, with.get("operationId").display());
        return Optional.of(exchange(request, document, origin, operation, with, cancellation));
    }

    private static Operation operation(Json document, String id) throws CallException {
        var ids = new ArrayList<String>();
        for (Map.Entry<String, Json> path : document.get("paths").map().entrySet()) {
            for (Map.Entry<String, Json> method : path.getValue().map().entrySet()) {
                if (METHODS.contains(method.getKey())) {
                    String operationId = method.getValue().get("operationId").display();
                    ids.add(operationId);
                    if (operationId.equals(id)) {
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
            HttpUrl origin,
            Operation operation,
            Json with,
            Cancellation cancellation)
            throws CallException, InterruptedException {
        var arguments = new Arguments(operation.path(), with.get("parameters").map());
        for (Json parameter : parameters(document, operation)) {
            arguments.take(parameter);
        }
        boolean hasBody = !operation.operation().get("requestBody").isNull() || arguments.namedBody != null;
        HttpUrl url = HttpExchange.url(Json.of(server(document, origin) + arguments.path), Json.of(arguments.query));
        Json sent = Json.of("headers", Json.of(arguments.headers))
                .with("body", hasBody ? arguments.body() : Values.NULL)
                .with("output", with.get("output"))
                .with("redirect", with.get("redirect"));
        return new HttpCall(http)
                .exchange(request, operation.method(), url, sent, with.get("authentication"), cancellation);
    }

    /** The arguments of a call, grouped by the declared location of their parameters. */
    private static final class Arguments {
        private final SequencedMap<String, Json> query = new LinkedHashMap<>();
        private final SequencedMap<String, Json> headers = new LinkedHashMap<>();
        /** Arguments without a declared parameter, and those of the body. */
        private final SequencedMap<String, Json> remaining;

        private String path;
        private @Nullable Json namedBody;

        Arguments(String path, Map<String, Json> arguments) {
            this.path = path;
            remaining = new LinkedHashMap<>(arguments);
        }

        void take(Json parameter) throws CallException {
            String name = parameter.get("name").display();
            String in = parameter.get("in").display();
            if (in.equals("body")) { // of Swagger 2
                namedBody = remaining.remove(name);
                return;
            }
            Json value = remaining.remove(name);
            if (value != null) {
                put(in, name, value);
            } else if (parameter.get("required").isTruthy()) {
                throw CallException.configuration("the operation needs the parameter '" + name + "'");
            }
        }

        private void put(String in, String name, Json value) throws CallException {
            switch (in) {
                case "path" -> path = path.replace("{" + name + "}", encode(value.display()));
                case "query" -> query.put(name, value);
                case "header" -> headers.put(name, value);
                default -> throw CallException.configuration("a parameter in " + in + " is not supported");
            }
        }

        Json body() {
            if (namedBody != null) {
                return namedBody;
            }
            Json body = remaining.size() == 1 ? remaining.get("body") : null;
            return body == null ? Json.of(remaining) : body;
        }
    }

    /** The parameters of an operation: those of its path, overridden by its own. */
    private static Collection<Json> parameters(Json document, Operation operation) {
        var byLocationAndName = new LinkedHashMap<List<Json>, Json>();
        for (Json declaring : List.of(operation.item(), operation.operation())) {
            for (Json declared : declaring.get("parameters").list()) {
                Json parameter = resolve(document, declared);
                byLocationAndName.put(List.of(parameter.get("in"), parameter.get("name")), parameter);
            }
        }
        return byLocationAndName.values();
    }

    private static Json resolve(Json document, Json parameter) {
        return parameter
                .get("$ref")
                .text()
                .filter(reference -> reference.startsWith("#/"))
                .map(reference -> JsonPointer.find(document, reference.substring(1)))
                .orElse(parameter);
    }

    /** The server declared by the document, else the server of the document itself. */
    private static String server(Json document, HttpUrl origin) {
        String server =
                document.get("swagger").isNull() ? openApiServer(document, origin) : swagger2Server(document, origin);
        return server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
    }

    private static String openApiServer(Json document, HttpUrl origin) {
        List<Json> servers = document.get("servers").list();
        String declared =
                servers.isEmpty() ? "/" : servers.getFirst().get("url").display();
        @Nullable HttpUrl absolute = origin.resolve(declared);
        return absolute == null ? declared : absolute.toString();
    }

    private static String swagger2Server(Json document, HttpUrl origin) {
        String host = document.get("host").text().orElse(origin.host() + ":" + origin.port());
        List<String> schemes =
                document.get("schemes").list().stream().map(Json::display).toList();
        String scheme = schemes.isEmpty() || schemes.contains(origin.scheme()) ? origin.scheme() : schemes.getFirst();
        return scheme + "://" + host + document.get("basePath").text().orElse("");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
