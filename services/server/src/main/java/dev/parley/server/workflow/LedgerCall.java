package dev.parley.server.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.work.CallException;
import java.time.Instant;
import java.util.List;

/** A call of a process, as the ledger of tools knows calls of turns. */
final class LedgerCall {
    /** In the place of the agent that a turn has. */
    static final String AGENT = "workflow";

    private LedgerCall() {}

    /** Asks the worker of tools. */
    interface Ask {
        CallResult of(ToolRequest request) throws InterruptedException;
    }

    /** @param version of the tool; empty for one that comes with a program */
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
                request.deadline(), List.of(), null);
    }

    /** What is answered, once the ledger lets it. */
    static ToolAnswered answer(ToolRequest request, Ask worker) throws CallException, InterruptedException {
        while (Instant.now().isBefore(request.deadline())) {
            CallResult result = worker.of(request);
            switch (result) {
                case ToolAnswered answered -> {
                    return answered;
                }
                case RetryAfter later -> Thread.sleep(later.delay());
                default -> throw new IllegalStateException("no answer of a tool: " + result);
            }
        }
        throw CallException.communication("the tool could not be called in time");
    }
}
