package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.HttpExchange.Answer;
import java.util.Optional;
import okhttp3.HttpUrl;

/**
 * {@code call: jsonrpc}: JSON-RPC 2.0 over HTTP. An error response is a runtime error with its code and message as
 * detail.
 */
record JsonRpcCall(HttpExchange http) implements CallExecutor {
    @Override
    public String function() {
        return "jsonrpc";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        return Optional.of(result(request, with.get("endpoint"), with, cancellation));
    }

    /**
     * Calls a method.
     *
     * @param endpoint a URI, or an object with {@code uri} and {@code authentication}
     * @param with {@code method}, {@code params} and {@code headers}
     */
    Json result(WorkRequest request, Json endpoint, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        HttpUrl url = HttpExchange.endpointUrl(endpoint);
        Json body = Json.of("jsonrpc", Json.of("2.0"))
                .with("id", Json.of(request.callId().toString()))
                .with("method", with.get("method"))
                .with("params", with.get("params").isNull() ? Values.EMPTY_OBJECT : with.get("params"));
        Answer answer = http.send(
                request, "POST", url, with.get("headers"), body, endpoint.get("authentication"), cancellation);
        if (answer.status() < 200 || answer.status() > 299) {
            throw CallException.communication(answer.status(), url.host() + " answers HTTP " + answer.status());
        }
        return result(answer.content());
    }

    private static Json result(Json answer) throws CallException {
        Json error = answer.get("error");
        if (!error.isNull()) {
            String detail = "the method failed with " + error.get("code").display() + ": "
                    + error.get("message").display();
            WorkflowError failed = Standard.RUNTIME.error(detail, "");
            throw new CallException(failed);
        }
        return answer.get("result");
    }
}
