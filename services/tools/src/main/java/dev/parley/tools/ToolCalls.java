package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler;
import dev.parley.platform.worker.Work;
import org.jspecify.annotations.Nullable;

/**
 * Carries tool calls out.
 *
 * @param blobs where the files go that tools make
 */
record ToolCalls(ToolRegistry tools, @Nullable ToolLedger ledger, BlobStore blobs) implements CallHandler<ToolWork> {
    @Override
    public Work work(ToolWork record) {
        return switch (record) {
            case ToolRequest ask -> new Work.Ask(ask.callId(), ask.attempt(), ask.leaseUntil(), ask.deadline());
            case CancelCall cancel -> new Work.Cancel(cancel.callId());
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
            case CancelCall cancel -> throw new IllegalArgumentException("not a call: " + cancel);
        };
    }
}
