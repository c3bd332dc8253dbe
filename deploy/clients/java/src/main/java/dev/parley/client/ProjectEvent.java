package dev.parley.client;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens in a project. It has ids and no content.
 *
 * @param id what to go on after; null where it has none
 * @param type such as {@code turn.completed}; {@code open} where a stream begins, also where it is opened again;
 *     {@code missed} where some events are not kept any more
 * @param timestamp when it happened, in ISO 8601; null of {@code open} and {@code missed}
 * @param data what it is about; empty of {@code open} and {@code missed}
 */
public record ProjectEvent(
        @Nullable String id, String type, @Nullable String timestamp, JsonNode data) {}
