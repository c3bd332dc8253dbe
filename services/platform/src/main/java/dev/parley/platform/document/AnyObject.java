package dev.parley.platform.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.parley.domain.document.Fault;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.json.StorableJson;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Objects of any members.
 *
 * @param length maximum characters as JSON
 * @param asText whether components have the text of its JSON, with sorted members
 */
record AnyObject(int length, boolean asText) implements Value {
    private static final ObjectMapper JSON =
            JsonMappers.stored().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        String text = document instanceof Map ? text(document, length, faults) : null;
        if (text == null && faults.isEmpty()) {
            faults.add(new Fault("", "must be an object"));
        }
        return text == null || asText ? text : document;
    }

    /** The JSON of a value; null with a fault if it is too long, or cannot be stored. */
    static @Nullable String text(Object document, int length, List<Fault> faults) {
        String problem = "contains an unpaired surrogate";
        try {
            String text = JSON.writeValueAsString(document);
            if (text.length() <= length && !StorableJson.hasNul(text)) {
                return text;
            }
            problem = text.length() > length
                    ? "must have at most " + length + " characters"
                    : "contains the character U+0000, which cannot be stored";
        } catch (JsonProcessingException e) {
            // the problem above
        }
        faults.add(new Fault("", problem));
        return null;
    }

    @Override
    public Object write(Object value) {
        try {
            return asText ? JSON.readValue(value.toString(), Map.class) : value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is no JSON object", e);
        }
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "object", "additionalProperties", true);
    }
}
