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
 * Objects of any members, or values of any type.
 *
 * @param isObject whether only objects are valid
 * @param asText whether components have the text of the JSON, with sorted members
 * @param length maximum characters as JSON
 */
record AnyJson(boolean isObject, boolean asText, int length) implements Value {
    private static final ObjectMapper JSON =
            JsonMappers.stored().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        if (isObject && !(document instanceof Map)) {
            faults.add(new Fault("", "must be an object"));
            return null;
        }
        String problem = "contains an unpaired surrogate";
        try {
            String text = JSON.writeValueAsString(document);
            if (text.length() <= length && !StorableJson.hasNul(text)) {
                return asText ? text : document;
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
        return isObject ? Map.of("type", "object", "additionalProperties", true) : Map.of();
    }
}
