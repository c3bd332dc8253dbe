package dev.parley.server.sessionreplay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.platform.json.JsonMappers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers the tool calls of a replayed turn from its record: calls with equal tool and arguments get the recorded
 * results in order, the last one repeatedly.
 */
final class RecordedResults {
    /** The result of a call without a record. */
    static final String NOT_RECORDED =
            "error: not recorded: this is a replay, and this call was not made with these arguments when it happened";

    private static final ObjectMapper JSON =
            JsonMappers.stored().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private final Map<String, Deque<RecordedCall>> recorded = new HashMap<>();
    private int missing;

    RecordedResults(List<RecordedCall> calls) {
        calls.stream()
                .filter(call -> call.status().isFinal())
                .forEach(call -> recorded.computeIfAbsent(key(call.name(), call.arguments()), _ -> new ArrayDeque<>())
                        .add(call));
    }

    /** The recorded result; for an unrecorded call an error, which is counted. */
    RecordedCall answer(String name, String arguments) {
        Deque<RecordedCall> results = recorded.get(key(name, arguments));
        if (results == null) {
            missing++;
            return new RecordedCall(name, arguments, ToolStatus.ERROR, NOT_RECORDED);
        }
        return results.size() > 1 ? results.removeFirst() : results.getFirst();
    }

    /** The number of calls without a recorded result. */
    int missing() {
        return missing;
    }

    private static String key(String name, String arguments) {
        return name + " " + canonical(arguments);
    }

    /** Arguments with sorted names; text that is not valid JSON is unchanged. */
    static String canonical(String arguments) {
        try {
            JsonNode tree = JSON.readTree(arguments);
            Object plain = tree == null ? null : JSON.treeToValue(tree, Object.class);
            return write(plain);
        } catch (JsonProcessingException e) {
            return arguments;
        }
    }

    private static String write(@Nullable Object plain) throws JsonProcessingException {
        return JSON.writeValueAsString(plain);
    }
}
