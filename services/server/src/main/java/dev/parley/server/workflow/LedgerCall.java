package dev.parley.server.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.clock.Deadline;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.work.CallException;
import java.util.List;

/** A call of a workflow process in the ledger of tools. */
final class LedgerCall {
    /** The agent of the calls in the ledger. */
    static final String AGENT = "workflow";

    private LedgerCall() {}

    /** Calls the tool worker. */
    interface Worker {
        CallResult call(ToolRequest request) throws InterruptedException;
    }

    /** @param version of the tool, or empty for built-in ones */
    static ToolRequest request(WorkRequest request, String tool, String version, Json arguments) {
        ProcessRef process = request.process();
        return new ToolRequest(
                request.callId(),
                process.host(),
                process.id(),
                process.id(),
                null,
                0,
                0,
                request.attempt(),
                AGENT,
                tool,
                version,
                arguments.toString(),
                request.user(),
                request.leaseUntil(),
                request.deadline(),
                List.of(),
                null);
    }

    /** The result, under the rules of the ledger. */
    static ToolAnswered answer(ToolRequest request, Deadline deadline, Worker worker)
            throws CallException, InterruptedException {
        while (!deadline.passed()) {
            CallResult result = worker.call(request);
            switch (result) {
                case ToolAnswered answered -> {
                    return answered;
                }
                case RetryAfter retry -> Thread.sleep(retry.delay());
                default -> throw new IllegalStateException("no answer of a tool: " + result);
            }
        }
        throw CallException.communication("the tool could not be called in time");
    }
}
