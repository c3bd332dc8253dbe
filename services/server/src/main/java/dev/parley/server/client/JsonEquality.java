package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;

/** Equality of JSON where numbers are compared by value: 1 equals 1.0. */
public final class JsonEquality {
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> one.equals(other)
                    || one.isNumber() && other.isNumber() && one.decimalValue().compareTo(other.decimalValue()) == 0
            ? 0
            : 1;

    private JsonEquality() {}

    public static boolean areEqual(JsonNode one, JsonNode other) {
        return one.equals(BY_VALUE, other);
    }
}
