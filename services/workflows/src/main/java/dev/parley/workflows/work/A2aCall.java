package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.Optional;

/**
 * {@code call: a2a}: a method of a remote agent, by the A2A protocol over JSON-RPC, at {@code server} or at the URL of
 * its agent card. Streaming methods are not supported; poll a task with {@code tasks/get}.
 *
 * @see <a href="https://a2a-protocol.org">A2A</a>
 */
record A2aCall(HttpExchange http) implements CallExecutor {
    private static final String RPC = "JSONRPC";

    @Override
    public String function() {
        return "a2a";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json card = with.get("agentCard");
        Json endpoint = card.isNull() ? with.get("server") : server(request, card, cancellation);
        if (endpoint.isNull()) {
            throw CallException.configuration("'server' or 'agentCard' is required");
        }
        Json call = Json.of("method", with.get("method")).with("params", parameters(request, with));
        return Optional.of(new JsonRpcCall(http).result(request, endpoint, call, cancellation));
    }

    private Json server(WorkRequest request, Json card, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json endpoint = card.get("endpoint").isNull() ? card : card.get("endpoint");
        Json document = http.document(request, endpoint, cancellation);
        Json url = document.get("additionalInterfaces").list().stream()
                .filter(other -> other.get("transport").display().equals(RPC))
                .map(other -> other.get("url"))
                .findFirst()
                .orElse(document.get("url"));
        if (url.isNull()) {
            throw CallException.configuration("the agent's card names no URL");
        }
        return endpoint instanceof Json.Obj ? endpoint.with("uri", url) : url;
    }

    /** The parameters; a message gets an id that is the same in each attempt, a role and a kind, unless it has them. */
    private static Json parameters(WorkRequest request, Json with) {
        Json parameters = with.get("parameters").isNull() ? Values.EMPTY_OBJECT : with.get("parameters");
        if (!(parameters.get("message") instanceof Json.Obj message)) {
            return parameters;
        }
        Json completed = withDefault(message, "messageId", request.callId().toString());
        completed = withDefault(completed, "role", "user");
        return parameters.with("message", withDefault(completed, "kind", "message"));
    }

    private static Json withDefault(Json object, String name, String value) {
        return object.get(name).isNull() ? object.with(name, Json.of(value)) : object;
    }
}
