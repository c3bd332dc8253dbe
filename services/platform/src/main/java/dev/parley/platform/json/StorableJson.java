package dev.parley.platform.json;

import java.util.regex.Pattern;

/** What Postgres cannot store of JSON. */
public final class StorableJson {
    /** The escape of NUL, unless its backslash is itself escaped. */
    private static final Pattern NUL = Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*\\\\u0000");

    private StorableJson() {}

    /** Whether a JSON text contains the character U+0000. */
    public static boolean hasNul(String json) {
        return NUL.matcher(json).find();
    }
}
