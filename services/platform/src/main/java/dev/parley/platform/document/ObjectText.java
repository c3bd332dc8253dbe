package dev.parley.platform.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.parley.domain.document.Fault;
import dev.parley.platform.json.JsonMappers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects of any members, which components have as the text of their JSON with sorted members. */
record ObjectText(int length) implements Value {
    private static final ObjectMapper JSON =
            JsonMappers.stored().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        String problem = "must be an object";
        if (document instanceof Map<?, ?> members) {
            try {
                String text = JSON.writeValueAsString(members);
                if (text.length() <= length && !text.contains("\\u0000")) {
                    return text;
                }
                problem = text.length() > length
                        ? "must have at most " + length + " characters"
                        : "contains the character U+0000, which cannot be stored";
            } catch (JsonProcessingException e) {
                problem = "contains an unpaired surrogate";
            }
        }
        faults.add(new Fault("", problem));
        return null;
    }

    @Override
    public Object write(Object value) {
        try {
            return JSON.readValue(value.toString(), Map.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is no JSON object", e);
        }
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "object", "additionalProperties", true);
    }
}
