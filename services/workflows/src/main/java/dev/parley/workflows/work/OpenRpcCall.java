package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * {@code call: openrpc}: a JSON-RPC method described by a document, at its first server. Parameters are passed by name,
 * or by position if the document requires it.
 *
 * @see <a href="https://spec.open-rpc.org">OpenRPC</a>
 */
record OpenRpcCall(HttpExchange http) implements CallExecutor {
    @Override
    public String function() {
        return "openrpc";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json documentEndpoint = with.get("document").get("endpoint");
        Json document = http.document(request, documentEndpoint, cancellation);
        Json method = method(document, with.get("method").display());
        List<Json> servers = document.get("servers").list();
        Json declared = servers.isEmpty() ? Values.NULL : servers.getFirst();
        if (declared.get("url").isNull()) {
            throw CallException.configuration("the document names no server");
        }
        String url = declared.get("url").display();
        Json server = Json.of(ServerVariables.expand(url, url, declared.get("variables")::get, Values.NULL));
        Json endpoint = documentEndpoint instanceof Json.Obj ? documentEndpoint.with("uri", server) : server;
        Json call = with.with("params", params(method, with.get("params")));
        return Optional.of(new JsonRpcCall(http).result(request, endpoint, call, cancellation));
    }

    private static Json method(Json document, String name) throws CallException {
        List<Json> methods = document.get("methods").list();
        return methods.stream()
                .filter(method -> method.get("name").display().equals(name))
                .findFirst()
                .orElseThrow(() -> CallException.missing(
                        "the document has no method",
                        name,
                        methods.stream()
                                .map(method -> method.get("name").display())
                                .toList()));
    }

    private static Json params(Json method, Json arguments) throws CallException {
        var byName = new LinkedHashMap<String, Json>();
        for (Json param : method.get("params").list()) {
            String name = param.get("name").display();
            Json value = arguments.get(name);
            if (value.isNull() && param.get("required").isTruthy() && !(arguments instanceof Json.Arr)) {
                throw CallException.configuration("the method needs the parameter '" + name + "'");
            }
            byName.put(name, value);
        }
        boolean inOrder = method.get("paramStructure").display().equals("by-position");
        return inOrder && arguments instanceof Json.Obj ? Json.of(List.copyOf(byName.values())) : arguments;
    }
}
