package dev.parley.agents.turn;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.platform.dispatch.LocalWorker;
import dev.parley.platform.dispatch.ResultReceiver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A worker in the process of a topology: the test sees what it takes, and answers for it. */
final class LocalCalls<W> implements LocalWorker<W> {
    final Set<UUID> cancelled = new HashSet<>();
    /** What was to be sent by the topic when its task closed. */
    final List<CallResult> byTopic = new ArrayList<>();

    boolean room = true;
    boolean repeatable = true;
    private final Map<UUID, ResultReceiver> calls = new HashMap<>();
    private List<W> taken = new ArrayList<>();

    @Override
    public boolean take(W request, String key, @Nullable String trace, ResultReceiver answers) {
        if (room) {
            taken.add(request);
            calls.put(id(request), answers);
        }
        return room;
    }

    private static UUID id(Object request) {
        return request instanceof ModelRequest model ? model.callId() : ((ToolRequest) request).callId();
    }

    @Override
    public boolean isRepeatable(W request, String key) {
        return repeatable;
    }

    @Override
    public boolean cancel(UUID callId) {
        return calls.containsKey(callId) && cancelled.add(callId);
    }

    /** What was taken since the last time. */
    Stream<W> taken() {
        List<W> now = taken;
        taken = new ArrayList<>();
        return now.stream();
    }

    /** Answers a call; returns false where it was not asked in memory, or its task is closed. */
    boolean answer(CallResult result) {
        ResultReceiver answers = calls.get(result.callId());
        return answers != null && answers.offer(result, List.of(), () -> byTopic.add(result));
    }
}
