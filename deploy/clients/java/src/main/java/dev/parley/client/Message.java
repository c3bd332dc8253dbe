package dev.parley.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said.
 *
 * @param key its {@code Idempotency-Key}: the same one is the same turn, whenever it is said again
 * @param agent who is to answer, or null for the session's own
 * @param mode what becomes of it while a turn is active: {@code followup}, {@code steer}, {@code collect},
 *     {@code interrupt} or {@code reject}; null for the first of these
 * @param settings how this turn is to be answered where that is not as the agent says
 */
public record Message(
        String text,
        String key,
        @Nullable String agent,
        @Nullable String mode,
        Map<String, Object> settings) {
    public Message {
        settings = Map.copyOf(settings);
    }

    /** A text with a key of its own. */
    public static Message of(String text) {
        return new Message(text, UUID.randomUUID().toString(), null, null, Map.of());
    }

    /** The same with this key. */
    public Message key(String other) {
        return new Message(text, other, agent, mode, settings);
    }

    /** The same for this agent. */
    public Message agent(String name) {
        return new Message(text, key, name, mode, settings);
    }

    /** The same in this mode. */
    public Message mode(String other) {
        return new Message(text, key, agent, other, settings);
    }

    /** The same with these settings. */
    public Message settings(Map<String, Object> others) {
        return new Message(text, key, agent, mode, others);
    }

    Map<String, Object> body() {
        var body = new LinkedHashMap<String, Object>();
        body.put("text", text);
        if (agent != null) {
            body.put("agent", agent);
        }
        if (mode != null) {
            body.put("mode", mode);
        }
        if (!settings.isEmpty()) {
            body.put("settings", settings);
        }
        return body;
    }
}
