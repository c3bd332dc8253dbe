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
record ClientState(Map<String, String> texts, Set<String> calls, Set<String> results) {
    static final ClientState EMPTY = new ClientState(Map.of(), Set.of(), Set.of());

    ClientState {
        texts = Map.copyOf(texts);
        calls = Set.copyOf(calls);
        results = Set.copyOf(results);
    }

    /** @param prefix of the ids of the turn */
    static ClientState of(List<RunMessage> messages, String prefix) {
        Map<String, String> texts = new HashMap<>();
        Set<String> calls = new HashSet<>();
        Set<String> results = new HashSet<>();
        for (RunMessage message : messages) {
            if (message.id() != null && message.id().startsWith(prefix)) {
                texts.put(message.id(), message.role() == Role.AGENT ? message.text() : "");
            }
            message.calls().stream().filter(call -> call.startsWith(prefix)).forEach(calls::add);
            if (message.callId() != null && message.callId().startsWith(prefix)) {
                results.add(message.callId());
            }
        }
        return new ClientState(texts, calls, results);
    }

    boolean isEmpty() {
        return texts.isEmpty() && calls.isEmpty() && results.isEmpty();
    }

    /** The id of the message whose text is a prefix of this one; null for none. */
    @Nullable
    String prefixOf(String text) {
        return texts.entrySet().stream()
                .filter(entry -> !entry.getValue().isBlank() && text.startsWith(entry.getValue()))
                .map(Map.Entry::getKey)
                .max(Comparator.comparingInt(id -> String.valueOf(texts.get(id)).length()))
                .orElse(null);
    }
}
