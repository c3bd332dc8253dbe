package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.List;
import java.util.Optional;

/**
 * {@code call: a2a}: a method of a remote agent, by the A2A protocol over JSON-RPC, at {@code server} or at the URL of its agent card.
 * Streaming methods are not supported; poll a task with {@code tasks/get}.
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
        Json asked = Json.of("method", with.get("method")).with("params", parameters(request, with));
        return Optional.of(new JsonRpcCall(http).result(request, endpoint, asked, cancellation));
    }

    private Json server(WorkRequest request, Json card, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json place = card.get("endpoint").isNull() ? card : card.get("endpoint");
        Json said = http.document(request, place, cancellation);
        Json url = said.get("additionalInterfaces").list().stream()
                .filter(one -> one.get("transport").display().equals(RPC))
                .map(one -> one.get("url"))
                .findFirst()
                .orElse(said.get("url"));
        if (url.isNull()) {
            throw CallException.configuration("the agent's card names no URL");
        }
        return place instanceof Json.Obj ? place.with("uri", url) : url;
    }

    /** A message has an id, which is the same in each attempt, and is somebody's. */
    private static Json parameters(WorkRequest request, Json with) {
        Json parameters = with.get("parameters").isNull() ? Values.EMPTY_OBJECT : with.get("parameters");
        Json message = parameters.get("message");
        if (!(message instanceof Json.Obj)) {
            return parameters;
        }
        Json whole = message;
        for (var missing : List.of(
                new Missing("messageId", request.callId().toString()),
                new Missing("role", "user"),
                new Missing("kind", "message"))) {
            whole = whole.get(missing.name()).isNull() ? whole.with(missing.name(), Json.of(missing.value())) : whole;
        }
        return parameters.with("message", whole);
    }

    private record Missing(String name, String value) {}
}
