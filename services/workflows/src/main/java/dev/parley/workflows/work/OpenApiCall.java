package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;
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
        HttpUrl url = arguments.url(server(document, operation, origin));
        Json sent = Json.of("headers", arguments.headers())
                .with("body", hasBody ? arguments.body() : Values.NULL)
                .with("output", with.get("output"))
                .with("redirect", with.get("redirect"));
        return new HttpCall(http)
                .exchange(request, operation.method(), url, sent, with.get("authentication"), cancellation);
    }

    /** The arguments of a call, grouped by the declared location of their parameters. */
    private static final class Arguments {
        private final List<OpenApiParameter.Pair> query = new ArrayList<>();
        private final List<String> cookies = new ArrayList<>();
        private final SequencedMap<String, Json> headers = new LinkedHashMap<>();
        /** Arguments without a declared parameter, and those of the body. */
        private final SequencedMap<String, Json> remaining;

        private String path;
        private @Nullable Json namedBody;

        Arguments(String path, Map<String, Json> arguments) {
            this.path = path;
            remaining = new LinkedHashMap<>(arguments);
        }

        void take(Json declared) throws CallException {
            String name = declared.get("name").display();
            if (declared.get("in").display().equals("body")) { // of Swagger 2
                namedBody = remaining.remove(name);
                return;
            }
            OpenApiParameter parameter = OpenApiParameter.of(declared);
            Json value = remaining.remove(name);
            if (value == null && declared.get("required").isTruthy()
                    || (value == null || value.isNull()) && parameter.in().equals("path")) {
                throw CallException.configuration("the operation needs the parameter '" + name + "'");
            }
            if (value != null && !value.isNull()) {
                put(parameter, value);
            }
        }

        private void put(OpenApiParameter parameter, Json value) {
            switch (parameter.in()) {
                case "path" -> path = path.replace("{" + parameter.name() + "}", parameter.segment(value));
                case "query" -> query.addAll(parameter.pairs(value));
                case "cookie" -> parameter.pairs(value).forEach(pair -> cookies.add(pair.name() + "=" + pair.value()));
                default -> headers.put(parameter.name(), Json.of(parameter.header(value)));
            }
        }

        /** The URL below a server; a value cannot leave its segment of the path. */
        HttpUrl url(String server) throws CallException {
            if (Stream.of(path.split("/", -1)).anyMatch(segment -> segment.equals(".") || segment.equals(".."))) {
                throw CallException.configuration("a parameter in the path cannot be '.' or '..'");
            }
            HttpUrl.Builder url =
                    HttpExchange.url(Json.of(server + path), Values.NULL).newBuilder();
            query.forEach(pair -> url.addEncodedQueryParameter(pair.name(), pair.value()));
            return url.build();
        }

        Json headers() {
            return cookies.isEmpty()
                    ? Json.of(headers)
                    : Json.of(headers).with("Cookie", Json.of(String.join("; ", cookies)));
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

    /** The server declared by the operation, its path or the document, else the server of the document itself. */
    private static String server(Json document, Operation operation, HttpUrl origin) throws CallException {
        String server = document.get("swagger").isNull()
                ? openApiServer(document, operation, origin)
                : swagger2Server(document, origin);
        return server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
    }

    private static String openApiServer(Json document, Operation operation, HttpUrl origin) throws CallException {
        Json server = Stream.of(operation.operation(), operation.item(), document)
                .flatMap(declaring -> declaring.get("servers").list().stream().limit(1))
                .findFirst()
                .orElse(Json.of("url", Json.of("/")));
        String declared = server.get("url").display();
        String url = ServerVariables.expand(declared, declared, server.get("variables")::get, Values.NULL);
        @Nullable HttpUrl absolute = origin.resolve(url);
        return absolute == null ? url : absolute.toString();
    }

    private static String swagger2Server(Json document, HttpUrl origin) {
        String host = document.get("host").text().orElse(origin.host() + ":" + origin.port());
        List<String> schemes =
                document.get("schemes").list().stream().map(Json::display).toList();
        String scheme = schemes.isEmpty() || schemes.contains(origin.scheme()) ? origin.scheme() : schemes.getFirst();
        return scheme + "://" + host + document.get("basePath").text().orElse("");
    }
}
