package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;

/** Equality of JSON where numbers are compared by value: 1 equals 1.0. */
public final class JsonEquality {
    private static final Comparator<JsonNode> BY_VALUE = (left, right) -> left.equals(right)
                    || left.isNumber()
                            && right.isNumber()
                            && left.decimalValue().compareTo(right.decimalValue()) == 0
            ? 0
            : 1;

    private JsonEquality() {}

    public static boolean areEqual(JsonNode left, JsonNode right) {
        return left.equals(BY_VALUE, right);
    }
}
