package dev.parley.tools;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.SettleCall;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler;
import dev.parley.platform.worker.WorkerRequest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Executes tool calls.
 *
 * @param unknown the calls of unknown outcome, or null without a ledger
 * @param blobs stores the files of results
 */
record ToolCallExecutor(
        ToolRegistry tools,
        @Nullable ToolLedger ledger,
        @Nullable UnknownCalls unknown,
        BlobStore blobs) implements CallHandler<ToolWork> {
    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(1);

    @Override
    public WorkerRequest classify(ToolWork record) {
        return switch (record) {
            case ToolRequest request ->
                new WorkerRequest.Call(request.callId(), request.attempt(), request.leaseUntil(), request.deadline());
            case CancelCall cancel -> new WorkerRequest.Cancel(cancel.callId());
            case SettleCall settle -> {
                Instant deadline = Instant.now().plus(SETTLE_TIMEOUT);
                yield new WorkerRequest.Call(Ids.of("settle", settle.callId(), settle.user()), 1, deadline, deadline);
            }
        };
    }

    @Override
    public boolean isRepeatable(ToolWork record, String key) {
        return !(record instanceof ToolRequest request) || tools.isRepeatable(request, RecordKey.parse(key));
    }

    @Override
    public int weight(ToolWork record) {
        return record instanceof ToolRequest request ? request.arguments().length() : 0;
    }

    @Override
    public Execution begin(ToolWork record, CallContext context) {
        return switch (record) {
            case ToolRequest request -> new ToolExecution(request, tools, ledger, blobs, context);
            case SettleCall settle -> new Settlement(settle, unknown, RecordKey.parse(context.key()));
            case CancelCall cancel -> throw new IllegalArgumentException("not a call: " + cancel);
        };
    }
}
