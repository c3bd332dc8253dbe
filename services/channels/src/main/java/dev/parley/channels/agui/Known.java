package dev.parley.channels.agui;

import dev.parley.channels.agui.RunMessage.Role;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a turn that a client already has: clients send the whole conversation with each run, and ids are
 * deterministic.
 *
 * @param texts of the agent's messages, by id; empty for other ids
 * @param calls ids of tool calls
 * @param results ids of tool calls with results
 */
record Known(Map<String, String> texts, Set<String> calls, Set<String> results) {
    static final Known NOTHING = new Known(Map.of(), Set.of(), Set.of());

    Known {
        texts = Map.copyOf(texts);
        calls = Set.copyOf(calls);
        results = Set.copyOf(results);
    }

    /** @param own prefix of the ids of the turn */
    static Known of(List<RunMessage> messages, String own) {
        Map<String, String> texts = new HashMap<>();
        Set<String> calls = new HashSet<>();
        Set<String> results = new HashSet<>();
        for (RunMessage message : messages) {
            if (message.id() != null && message.id().startsWith(own)) {
                texts.put(message.id(), message.role() == Role.AGENT ? message.text() : "");
            }
            message.calls().stream().filter(call -> call.startsWith(own)).forEach(calls::add);
            if (message.callId() != null && message.callId().startsWith(own)) {
                results.add(message.callId());
            }
        }
        return new Known(texts, calls, results);
    }

    boolean isNothing() {
        return texts.isEmpty() && calls.isEmpty() && results.isEmpty();
    }

    /** The message whose text is a prefix of this one; null for none. */
    @Nullable
    String begunBy(String text) {
        return texts.entrySet().stream()
                .filter(entry -> !entry.getValue().isBlank() && text.startsWith(entry.getValue()))
                .map(Map.Entry::getKey)
                .max(Comparator.comparingInt(id -> String.valueOf(texts.get(id)).length()))
                .orElse(null);
    }
}
